/** If red: a reader that asks for an original is given none, and its score is too low. */
import { describe, expect, it } from "vitest";
import { parseRecalls } from "./parse-recalls.ts";

describe("recalls of a reader", () => {
  it("are lines of their own, with what part of a text is wanted", () => {
    const said = [
      "I need two things.",
      "RECALL: plimsoll:1a2b3c4d5e6f#7 #9-12",
      "- `RECALL: call:abc123 lines=10-40 page=2`",
      "RECALL: plimsoll:1a2b3c4d5e6f#3 pattern=load line",
    ].join("\n");
    expect(parseRecalls(said)).toEqual([
      { asked: "plimsoll:1a2b3c4d5e6f#7 #9-12", input: { handle: "plimsoll:1a2b3c4d5e6f#7 #9-12" } },
      { asked: "call:abc123 lines=10-40 page=2", input: { handle: "call:abc123", lines: "10-40", page: "2" } },
      {
        asked: "plimsoll:1a2b3c4d5e6f#3 pattern=load line",
        input: { handle: "plimsoll:1a2b3c4d5e6f#3", pattern: "load line" },
      },
    ]);
  });

  it("are not taken out of the middle of a sentence or of JSON", () => {
    expect(parseRecalls('One may write RECALL: x.\n{"answers":{"q1":"RECALL: x"}}')).toEqual([]);
  });
});
