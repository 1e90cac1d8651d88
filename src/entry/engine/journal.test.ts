/** If red: a person cannot see what was done in a session, or a full disk ends a turn. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { renderAction } from "../../policy/actions/own-action.ts";
import { createJournal } from "./journal.ts";

const temporary = createTemporaryFolder();
const earlier = renderAction({
  atMs: 1,
  door: "module",
  event: "session.start",
  client: "2.1.325",
  kind: "ran",
  ms: 0,
});

describe("the module's journal", () => {
  it("appends whole lines in the order of what was done, to what an earlier process wrote", () => {
    const folder = temporary.name("");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "deeds-module.jsonl"), earlier);
    const journal = createJournal(folder, "2.1.325", () => 7);
    journal.note("session.append", { kind: "failed", why: "one\nin two lines" });
    journal.note("tool.call", { kind: "failed", why: "two" });
    const lines = readFileSync(path.join(folder, "deeds-module.jsonl"), "utf8").split("\n");
    expect(lines.slice(0, -1).map((line) => JSON.parse(line))).toMatchObject([
      { kind: "ran" },
      { why: "one\nin two lines" },
      { why: "two", atMs: 7, door: "module", event: "tool.call", client: "2.1.325" },
    ]);
    expect(lines.at(-1)).toBe("");
    expect(journal.last("failed", 1)).toMatchObject([{ why: "two" }]);
    expect(journal.last("folded", 9)).toEqual([]);
  });

  it("fails no turn over a folder that cannot be written", () => {
    const file = temporary.name("");
    writeFileSync(file, "in the way");
    const journal = createJournal(`${file}/s-1`, "", Date.now);
    expect(() => journal.note("x", { kind: "ran", ms: 1 })).not.toThrow();
    expect(journal.last("ran", 1)).toEqual([]);
  });
});
