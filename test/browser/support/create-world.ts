import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createArtifactStore } from "../../../src/files/artifacts.ts";
import { nameProjectFolder } from "../../../src/hosts/claude-code/disk/projects.ts";
import { locateSession, SESSION_FILES } from "../../../src/policy/deeds/data-paths.ts";
import { type DeedDetail, renderDeed } from "../../../src/policy/deeds/deed.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
/** The folder that the project's own recordings were made in. */
const RECORDED_IN = "/home/dev/demo";

/** A home with a project whose sessions are written as a test goes on. */
export interface World {
  readonly home: string;
  readonly project: string;
  /** Appends lines to a session, as a client does. */
  append(session: string, lines: readonly string[]): void;
  /** Makes a session look long over. */
  age(session: string): void;
  note(session: string, ...deeds: readonly DeedDetail[]): void;
  /** Keeps an original as folding does; its handle. */
  keep(output: string): string;
}

export function createWorld(home: string): World {
  const project = path.join(home, "project");
  const folder = path.join(home, ".claude", "projects", nameProjectFolder(project));
  mkdirSync(folder, { recursive: true });
  mkdirSync(project, { recursive: true });
  const fileOf = (session: string): string => path.join(folder, `${session}.jsonl`);
  return {
    home,
    project,
    append(session, lines) {
      const text = lines.map((line) => `${line.replaceAll(RECORDED_IN, project)}\n`).join("");
      appendFileSync(fileOf(session), text);
    },
    age(session) {
      const seconds = Date.now() / 1000 - 3 * 86_400;
      utimesSync(fileOf(session), seconds, seconds);
    },
    note(session, ...deeds) {
      const place = locateSession(path.join(home, ".claude"), session);
      if (place === undefined) throw new Error(`${session} is no name for a session`);
      mkdirSync(place, { recursive: true });
      const lines = deeds.map((deed, index) =>
        renderDeed({ atMs: Date.now() + index, door: "hook", event: "PostToolUse", client: "2.1.325", ...deed }),
      );
      appendFileSync(path.join(place, SESSION_FILES.hookDeeds), lines.join(""));
    },
    keep(output) {
      const kept = createArtifactStore(project, () => Date.now()).keep({ output, tool: "Bash" });
      if (!kept.ok) throw new Error(kept.problem.detail);
      return kept.value.handle;
    },
  };
}

/** The lines of one of the project's own recordings. */
export function readLines(name: string): readonly string[] {
  return readFileSync(path.join(ROOT, name), "utf8").trimEnd().split("\n");
}

export const SAMPLE = "samples/demo-session.jsonl";
export const COMPACTED = "test/fixtures/claude-code/2.1.325/compact-auto.jsonl";

/** An answer of `plimsoll replay --json`, in a file. */
export function writeReplay(file: string): void {
  const totals = [
    { policy: "none", netUsd: 11.2, sendUsd: 11.2, coldLost: 0, fatal: 0, tokensSent: 9e6, peakTokens: 180_000 },
    { policy: "native", netUsd: 9.8, sendUsd: 9.1, rereadUsd: 0.7, coldLost: 0.041, fatal: 3, compactions: 4 },
    { policy: "first in, first out", netUsd: 8.4, coldLost: 0.09, fatal: 11, prefixBusts: 40 },
    { policy: "plimsoll", netUsd: 6.9, recoveryUsd: 0.3, coldLost: 0.003, fatal: 0, planMsP95: 4.2 },
    { policy: "clairvoyant", netUsd: 4.6, coldLost: 0, fatal: 0 },
  ];
  writeFileSync(file, JSON.stringify({ totals }));
}
