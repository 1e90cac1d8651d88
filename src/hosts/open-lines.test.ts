/** If red: a transcript with a damaged line is not read to its end. */
import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { JsonObject } from "../core/json.ts";
import { IGNORED, openLines } from "./open-lines.ts";

const { name } = createTemporaryFolder();

/** The records that a reader is given of a file, and what is counted. */
function read(lines: readonly string[], maxFirstBytes?: number) {
  const file = name(".jsonl");
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  const seen: JsonObject[] = [];
  const reader = () => ({
    read(record: JsonObject) {
      seen.push(record);
      return IGNORED;
    },
  });
  const transcript = openLines(file, reader, maxFirstBytes === undefined ? {} : { maxFirstBytes });
  const { tally } = transcript.read({ onEntry() {} });
  return { ids: seen.map(({ id }) => id), tally };
}

const LINES = Array.from({ length: 50 }, (_, id) => JSON.stringify({ id, pad: "x".repeat(50) }));

describe("a transcript of lines", () => {
  it("gives the reader every record, in order", () => {
    expect(read(LINES).ids).toEqual(LINES.map((_, id) => id));
  });

  it("gives the first record and the end where only the end is wanted", () => {
    const { ids } = read(LINES, 200);
    expect(ids[0]).toBe(0);
    expect(ids.at(-1)).toBe(49);
    expect(ids.length).toBeLessThan(10);
  });

  it("counts what is no record, and passes over blank lines", () => {
    expect(read([LINES[0] ?? "", "", "{", "[]"]).tally).toMatchObject({ lines: 3, ignored: 1, malformed: 2 });
  });
});
