import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../../src/core/sha256.ts";
import { hasDatabases } from "../../src/hosts/opencode/disk/sessions.ts";
import {
  COPILOT_SESSION,
  codexSession,
  geminiSession,
  type Load,
  openCodeSession,
  piSession,
  toLines,
} from "./host-lines.ts";
import { answer, createWriter, prompt, toFile, toolResult, toolUse } from "./transcript-lines.ts";
import { writeDatabase } from "./write-opencode-database.ts";

/** Where all of them worked. */
export const PROJECT = "/ship/work";

function write(file: string, text: string): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const claudeSession = ({ contextTokens = 21_000 }: Load = {}): string =>
  toFile(
    createWriter({ cwd: PROJECT, timestamp: "2026-06-01T00:00:00.000Z" })(
      prompt("sail to the harbour"),
      answer("m1", [toolUse("t1", "Bash", { command: "ls" })], { cache_read_input_tokens: 20_000 }),
      toolResult("t1", "deck"),
      answer("m2", ["There is a deck."], { cache_read_input_tokens: contextTokens }),
    ),
  );

/** Where this Node cannot read the database, an export stands for it. */
function writeOpenCode(home: string, load?: Load): string {
  if (!hasDatabases()) return write(path.join(home, "exports/ses_1.json"), JSON.stringify(openCodeSession(load)));
  const database = path.join(home, ".local/share/opencode/opencode.db");
  mkdirSync(path.dirname(database), { recursive: true });
  writeDatabase(database, openCodeSession(load));
  return `${database}#ses_1`;
}

type ClientName = "claude-code" | "codex" | "pi" | "opencode" | "copilot" | "gemini";

/** Writes one session of a client into a person's home as that client does, and says where. A further client is a line here. */
export const HOME_WRITERS: Readonly<Record<ClientName, (home: string, load?: Load) => string>> = {
  "claude-code": (home, load) => write(path.join(home, ".claude/projects/-ship-work/one.jsonl"), claudeSession(load)),
  codex: (home, load) =>
    write(
      path.join(
        home,
        ".codex/sessions/2026/06/01/rollout-2026-06-01T00-00-00-01990000-0000-7000-8000-000000000001.jsonl",
      ),
      toLines(codexSession(load)),
    ),
  pi: (home, load) =>
    write(path.join(home, ".pi/agent/sessions/--ship-work--/2026-06-01_pi-1.jsonl"), toLines(piSession(load))),
  opencode: writeOpenCode,
  copilot: (home) => write(path.join(home, ".copilot/session-state/cop-1/events.jsonl"), toLines(COPILOT_SESSION)),
  gemini: (home, load) =>
    write(path.join(home, ".gemini/tmp", sha256(PROJECT), "chats/session-1.json"), JSON.stringify(geminiSession(load))),
};

/** A home in which every client but the first has recorded a session. */
export function writeHomes(home: string): Readonly<Record<Exclude<ClientName, "claude-code">, string>> {
  const { codex, pi, opencode, copilot, gemini } = HOME_WRITERS;
  return {
    codex: codex(home),
    pi: pi(home),
    opencode: opencode(home),
    copilot: copilot(home),
    gemini: gemini(home),
  };
}
