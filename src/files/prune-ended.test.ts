/** If red: originals of a conversation that can still be resumed are deleted, or pile up for ever. */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { createArtifactStore } from "./artifacts/artifacts.ts";
import { type Conversations, pruneEnded } from "./artifacts/prune-artifacts.ts";

const temporary = createTemporaryFolder();
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 5, 1);

/** A project in which `gone` and `here` have each stored an output and archived one, a year ago. */
function open() {
  const root = temporary.name("-conversations");
  const project = path.join(root, "project");
  const dataFolder = path.join(root, "data");
  mkdirSync(project, { recursive: true });
  const handles: Record<string, string> = {};
  for (const sessionId of ["gone", "here"]) {
    const folder = path.join(dataFolder, "sessions", sessionId);
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, "archive-1-1.jsonl"), "{}\n");
    writeFileSync(path.join(folder, "deeds-hook.jsonl"), "{}\n");
    utimesSync(path.join(folder, "archive-1-1.jsonl"), 1, 1);
    handles[sessionId] = keep(project, sessionId, 365);
  }
  const given: Conversations = { project, dataFolder, resumable: new Set(["here"]), transcripts: [], nowMs: NOW };
  const sessionFile = (id: string, name: string): string => path.join(dataFolder, "sessions", id, name);
  return { given, project, handles, root, sessionFile };
}

function keep(project: string, sessionId: string, daysAgo: number): string {
  const kept = createArtifactStore(project, () => NOW - daysAgo * DAY_MS).keep({
    output: `${sessionId} of ${daysAgo}`,
    tool: "Bash",
    sessionId,
  });
  if (!kept.ok) throw new Error(kept.problem.detail);
  return kept.value.handle;
}

const listSessions = (project: string): readonly string[] =>
  createArtifactStore(project, () => NOW)
    .list()
    .artifacts.map(({ sessionId }) => sessionId);

describe("[R62] the originals of a conversation", () => {
  it("stay as long as its transcript is there, however old, and go with it", () => {
    const { given, project, sessionFile } = open();
    expect(pruneEnded(given)).toMatchObject({ removed: [{ sessionId: "gone" }], kept: 1 });
    expect(listSessions(project)).toEqual(["here"]);
    expect(existsSync(sessionFile("gone", "archive-1-1.jsonl"))).toBe(false);
    expect(existsSync(sessionFile("here", "archive-1-1.jsonl"))).toBe(true);
    expect(existsSync(sessionFile("gone", "deeds-hook.jsonl"))).toBe(true);
    expect(createArtifactStore(project, () => NOW).verify().faults).toEqual([]);
  });

  it("stay where nobody can say which transcripts there are", () => {
    const { given, project } = open();
    expect(pruneEnded({ ...given, resumable: undefined })).toEqual({ removed: [], kept: 2, freedBytes: 0 });
    expect(listSessions(project)).toHaveLength(2);
  });

  it("stay where another conversation goes on with its words", () => {
    const { given, project, handles, root } = open();
    const fork = path.join(root, "fork.jsonl");
    writeFileSync(fork, `{"text":"Full output: x.md (${handles.gone})"}\n`);
    expect(pruneEnded({ ...given, transcripts: [fork] })).toMatchObject({ removed: [], kept: 2 });
    expect(listSessions(project)).toHaveLength(2);
  });

  it("stay for a day where no transcript is written at all, and those of sessions that never ran here stay", () => {
    const { given, project } = open();
    keep(project, "gone", 0);
    keep(project, "of another configuration", 365);
    pruneEnded(given);
    expect(listSessions(project).toSorted()).toEqual(["gone", "here", "of another configuration"]);
  });

  it("stay for a day where they are archived: a session without a transcript may still be running", () => {
    const { given, sessionFile } = open();
    const archive = sessionFile("gone", "archive-1-1.jsonl");
    utimesSync(archive, NOW / 1000, NOW / 1000 - DAY_MS / 2000);
    pruneEnded(given);
    expect(existsSync(archive)).toBe(true);
    pruneEnded({ ...given, nowMs: NOW + DAY_MS });
    expect(existsSync(archive)).toBe(false);
  });

  it("are only counted on a dry run", () => {
    const { given, project, sessionFile } = open();
    expect(pruneEnded(given, true)).toMatchObject({ removed: [{ sessionId: "gone" }], kept: 1 });
    expect(listSessions(project)).toHaveLength(2);
    expect(existsSync(sessionFile("gone", "archive-1-1.jsonl"))).toBe(true);
  });
});
