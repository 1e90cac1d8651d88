import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { sha256 } from "../../core/sha256.ts";
import { renderArchived } from "../../survive/recall/archive-lines.ts";
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
