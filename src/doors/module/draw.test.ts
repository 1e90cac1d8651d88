import { describe, expect, it } from "vitest";
import { createFakeEngine, NOTHING_DRAWN } from "../../../test/support/fake-engine.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import { drawRecord, drawRow } from "./draw.ts";
import { createScreen } from "./screen.ts";

const draw = (text: string, isExpanded = false) => ({
  component: "UserMessage",
  props: { text, isExpanded, origin: {} },
});

describe("a record on the screen", () => {
  it("is one line that says how to see the rest", () => {
    expect(drawRecord(draw(`${RECORD_OPENING} Requests 1 to 2.\nmore\nand more`))).toEqual({
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

describe("a row that is on the screen already", () => {
  it("is drawn as nothing, and any other as the client draws it", async () => {
    const { engine } = createFakeEngine();
    const screen = createScreen();
    screen.told([{ text: "Paint it." }]);
    const next = async (e: object): Promise<unknown> => e;
    const again = { ...draw("Paint it."), requestId: "new" };
    const fresh = { ...draw("Rig it."), requestId: "new" };
    expect(await drawRow(engine, screen, again, next)).toBe(NOTHING_DRAWN);
    expect(await drawRow(engine, screen, fresh, next)).toBe(fresh);
    expect(await drawRow(engine, undefined, again, next)).toBe(again);
  });
});
