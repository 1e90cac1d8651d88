/** If red: a part of the ledger that was archived earlier cannot be found again. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { sha256 } from "../../core/sha256.ts";
import { renderArchived } from "../../survive/recall/archive-lines.ts";
import { locateArtifacts, locateDataArtifacts } from "./artifact-folder.ts";
import { keepArtifact } from "./keep-artifact.ts";
import { openProjectOriginals, readStored } from "./originals.ts";

const temporary = createTemporaryFolder();

/** The archives of one session, by name. */
function open(archives: Readonly<Record<string, string>>) {
  const root = temporary.name("-originals");
  const folder = path.join(root, "data/sessions/s1");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(archives)) writeFileSync(path.join(folder, name), text);
  return openProjectOriginals({
    project: path.join(root, "project"),
    dataFolder: path.join(root, "data"),
    sessionIds: () => ["s0", "s1"],
  });
}

const handleOf = (text: string): string => `plimsoll:${sha256(text).slice(0, 12)}`;
const archived = (text: string): string => renderArchived({ callId: handleOf(text), text });

describe("a segment of ledger that was archived", () => {
  it("is found in the archive of an earlier compaction, past newer ones that do not hold it", () => {
    const originals = open({ "archive-1-1.jsonl": archived("the old one"), "archive-2-1.jsonl": archived("another") });
    expect(readStored(originals, handleOf("the old one"))).toBe("the old one");
    expect(readStored(originals, handleOf("another"))).toBe("another");
    expect(originals.handles()).toEqual([handleOf("another"), handleOf("the old one")]);
  });

  it("is joined from its pieces across the parts of one compaction, and given once where two archived it", () => {
    const long = "plank ".repeat(60_000);
    // As older archives have it.
    const piece = (from: number, to?: number): string =>
      renderArchived({ callId: handleOf(long), text: long.slice(from, to) });
    const originals = open({
      "archive-1-1.jsonl": archived(long),
      "archive-2-1.jsonl": piece(0, 200_000),
      "archive-2-2.jsonl": piece(200_000),
    });
    expect(readStored(originals, handleOf(long))).toBe(long);
  });

  it("is not given where its text is no longer what its handle says", () => {
    const forged = renderArchived({ callId: handleOf("true"), text: "forged" });
    expect(readStored(open({ "archive-1-1.jsonl": forged }), handleOf("true"))).toBeUndefined();
  });
});

describe("the originals of a project", () => {
  const root = temporary.name("-shared");
  const dataFolder = path.join(root, "data");
  const project = path.join(root, "project");
  const [own, shared] = [locateArtifacts(project, dataFolder), locateDataArtifacts(dataFolder)];
  for (const folder of [project, dataFolder]) mkdirSync(folder, { recursive: true });
  const keep = (folder: typeof own, output: string, sessionId: string, atMs: number): void =>
    expect(keepArtifact(folder, { output, tool: "Bash", sessionId }, Date.UTC(2026, 0, 1) + atMs).ok).toBe(true);
  keep(own, "the newest", "s1", 3);
  keep(shared, "in between", "s1", 2);
  keep(own, "the oldest", "s0", 1);
  keep(shared, "of another project", "s9", 0);
  writeFileSync(path.join(own.records, "broken.json"), "{");
  const originals = openProjectOriginals({ project, dataFolder, sessionIds: () => ["s0", "s1"] });

  it("are listed oldest first, without what other projects' sessions put into the shared folder", () => {
    const { artifacts, unreadable } = originals.list();
    const listed = artifacts.map(({ handle }) => handle);
    expect(listed).toEqual(["the oldest", "in between", "the newest"].map(handleOf));
    expect(unreadable).toBe(1);
  });

  it("are those of one session, wherever they are", () => {
    const handles = originals.handlesOf("s1").map((name) => name.slice(0, handleOf("").length));
    expect(handles.sort()).toEqual(["in between", "the newest"].map(handleOf).sort());
    expect(originals.handlesOf("")).toEqual([]);
  });

  it("are read from both folders", () => {
    for (const text of ["the newest", "in between"]) expect(readStored(originals, handleOf(text))).toBe(text);
  });
});
