import { appendFileSync, readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { isRecord } from "../../test/api/messages-body.ts";
import type { ReadingWay } from "./arms.ts";
import type { WorkerKey } from "./worker-key.ts";

/** One reading of what had left the conversation, by a worker. */
export interface ReadBack {
  readonly how: ReadingWay;
  readonly words: readonly string[];
  readonly characters: number;
}

/** Answers a handle as the recall tool does, out of what the session stored; counted. */
export async function recallFor(key: WorkerKey, input: Readonly<Record<string, unknown>>): Promise<string> {
  const client = new Client({ name: "worker", version: "1" });
  const { home, repository, sessionId, program } = key;
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, "mcp"],
      cwd: home,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: home,
        CLAUDE_PROJECT_DIR: repository,
        CLAUDE_CODE_SESSION_ID: sessionId,
      },
      stderr: "ignore",
    }),
  );
  try {
    const result: unknown = await client.callTool({ name: "recall", arguments: { ...input } });
    const blocks = isRecord(result) && Array.isArray(result.content) ? result.content.filter(isRecord) : [];
    const text = blocks.map((block) => String(block.text ?? `[${String(block.type)}]`)).join("\n");
    return count(key, { how: "recall", words: Object.values(input).map(String), characters: text.length }, text);
  } finally {
    await client.close();
  }
}

/** Answers of one reading are cut as a client cuts a tool's output. */
const MOST_CHARACTERS = 30_000;

/** Lines of the client's transcript that match, or lines by their numbers; counted. */
export function readTranscript(key: WorkerKey, words: readonly string[]): string {
  const lines = readFileSync(key.transcript, "utf8").split("\n").slice(0, -1);
  const [how, ...rest] = words;
  const asked = rest.join(" ");
  const [from = 1, to = from] = asked.split("-").map(Number);
  const pattern = how === "grep" ? new RegExp(asked, "i") : undefined;
  const found = lines
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line, number }) => (pattern ? pattern.test(line) : number >= from && number <= to))
    .map(({ line, number }) => `${number}: ${line}`)
    .join("\n");
  const text =
    found.length > MOST_CHARACTERS
      ? `${found.slice(0, MOST_CHARACTERS)}\n[cut: ${found.length} characters; ask for less]`
      : found || "No line matches.";
  return count(key, { how: "transcript", words, characters: text.length }, text);
}

function count(key: WorkerKey, reading: ReadBack, text: string): string {
  appendFileSync(key.counts, `${JSON.stringify(reading)}\n`);
  return text;
}
