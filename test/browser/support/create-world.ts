import { appendFileSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createArtifactStore } from "../../../src/files/artifacts/artifacts.ts";
import { nameProjectFolder } from "../../../src/hosts/claude-code/disk/projects.ts";
import { locateSession, SESSION_FILES } from "../../../src/policy/actions/data-paths.ts";
import { type ActionDetail, renderAction } from "../../../src/policy/actions/own-action.ts";
import { answerPolicy, answerReplay } from "../../support/replay-answer.ts";

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
  note(session: string, ...actions: readonly ActionDetail[]): void;
  /** What the client told a session's status line of its subscription's limits, in percent; both begin anew in two hours. */
  limit(session: string, used: Readonly<Record<"five_hour" | "seven_day", number>>): void;
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
    note(session, ...actions) {
      const place = locateSession(path.join(home, ".claude"), session);
      if (place === undefined) throw new Error(`${session} is no name for a session`);
      mkdirSync(place, { recursive: true });
      const lines = actions.map((action, index) =>
        renderAction({ atMs: Date.now() + index, door: "hook", event: "PostToolUse", client: "2.1.325", ...action }),
      );
      appendFileSync(path.join(place, SESSION_FILES.hookActions), lines.join(""));
    },
    limit(session, used) {
      const place = locateSession(path.join(home, ".claude"), session);
      if (place === undefined) throw new Error(`${session} is no name for a session`);
      mkdirSync(place, { recursive: true });
      const resets_at = Math.round(Date.now() / 1000) + 7200;
      const limits = Object.entries(used).map(([name, used_percentage]) => [name, { used_percentage, resets_at }]);
      writeFileSync(
        path.join(place, SESSION_FILES.reading),
        JSON.stringify({ rate_limits: Object.fromEntries(limits) }),
      );
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
  const policies = [
    { name: "native", netUsd: 9.8, rereadUsd: 0.7, coldLost: 0.041, coldRecoverable: 0, relative: { netUsd: 1 } },
    {
      ...{ name: "plimsoll", netUsd: 6.9, recoveryUsd: 0.3, coldLost: 0.003, coldRecoverable: 0.31 },
      relative: { netUsd: 0.704, netInterval: { low: 0.62, high: 0.81 } },
    },
    { name: "first in, first out", about: "the oldest goes", netUsd: 18.4, coldLost: 0.09, relative: { netUsd: 1.88 } },
    { name: "clairvoyant", netUsd: 4.6, coldLost: 0, relative: { netUsd: 0.47 } },
  ].map(({ relative, ...policy }) => answerPolicy({ ...policy, relative: { netInterval: undefined, ...relative } }));
  const groups = [{ name: "all" as const, sessions: 12, repositories: 3 }];
  const clients = [
    {
      ...{ client: "Claude Code", sessions: 12, billedUsd: 12.5, recordedUsd: 9.6 },
      ...{ simulatedUsd: 9.8, ownUsd: 6.9, savedUsd: 2.84 },
    },
  ];
  const leftOut = [{ name: "odd.jsonl", why: "the simulation is off by 40 %" }];
  const asked = { days: "last 30 days", files: 14, waiting: 0 };
  const loss = { summaries: 3, facts: 60, lost: 12 };
  writeFileSync(file, JSON.stringify(answerReplay({ asked, loss, policies, groups, clients, leftOut })));
}
