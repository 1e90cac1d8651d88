import { describe, expect, it } from "vitest";
import { RECORD_OPENING } from "../session/compaction/record.ts";
import { drawRecord } from "./draw.ts";

const draw = (text: string, isExpanded = false) => ({
  component: "UserMessage",
  props: { text, isExpanded, origin: {} },
});

describe("a record on the screen", () => {
  it("is one line that says how to see the rest", () => {
    expect(drawRecord(draw(`${RECORD_OPENING} Turns 1 to 2.\nmore\nand more`))).toEqual({
      component: "UserMessage",
      props: {
        text: "⊖ Plimsoll: what came before, as a record of 3 lines (ctrl+o shows it)",
        isExpanded: false,
        origin: {},
      },
    });
  });

  it("is whole where rows are shown in full, and every other row is drawn as it is", () => {
    for (const event of [draw(RECORD_OPENING, true), draw("Paint it."), { component: "UserMessage" }])
      expect(drawRecord(event)).toBe(event);
  });
});
