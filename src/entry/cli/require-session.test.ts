/** If red: a file with damaged lines is refused whole, or skipped lines are not mentioned. */
import { describe, expect, it } from "vitest";
import { emptyTally } from "../../hosts/transcript-entry.ts";
import { renderSkipped, requireRecordedSession } from "./require-session.ts";

describe("a file", () => {
  it("is taken as soon as one line was understood", () => {
    expect(() => requireRecordedSession("f", { ...emptyTally, lines: 9, parsed: 1, malformed: 8 }, 7)).not.toThrow();
  });

  it.each([
    [{ ...emptyTally }, 0, "f is empty"],
    [{ ...emptyTally }, 40, "f contains no complete line"],
    [{ ...emptyTally, lines: 3, malformed: 2, ignored: 1 }, 0, "f contains no message yet"],
    [
      { ...emptyTally, lines: 3, malformed: 2, ignored: 1, unknown: 1 },
      0,
      "none of its 3 lines could be understood (2 malformed)",
    ],
  ])("of which nothing was understood is refused: %j", (tally, unfinishedBytes, message) => {
    expect(() => requireRecordedSession("f", tally, unfinishedBytes)).toThrow(message);
  });
});

describe("what was passed over", () => {
  it("is told, each kind by itself", () => {
    expect(renderSkipped({ ...emptyTally, malformed: 2, unknown: 3 }, 40)).toEqual([
      "2 malformed lines skipped",
      "3 lines of a type that this version of Plimsoll does not know",
      "40 bytes of an unfinished last line not counted",
    ]);
    expect(renderSkipped({ ...emptyTally, malformed: 1, unknown: 1 }, 0)).toEqual([
      "1 malformed line skipped",
      "1 line of a type that this version of Plimsoll does not know",
    ]);
  });

  it("is not mentioned when there was nothing", () => {
    expect(renderSkipped({ ...emptyTally, lines: 9, parsed: 5, ignored: 4 }, 0)).toEqual([]);
  });
});
