/** If red: replay sends other blocks than were recorded, and its cache figures are wrong. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../../src/core/message.ts";
import { renderSections } from "../../src/layers/ledger/sections.ts";
import {
  assistant,
  call,
  conversation,
  image,
  opaque,
  reminder,
  results,
  system,
  thinking,
  user,
} from "../../test/support/build.ts";
import { tries } from "../../test/support/depth.ts";
import { createWireView, matchInOrder } from "./wire-view.ts";

const HISTORY = conversation(
  user("go", reminder("mind the gap")),
  assistant(thinking("hm"), "I look.", call("Bash", { command: "ls" }), call("Bash", { command: "ls" })),
  results("same", ["same", image(), opaque("tool_reference", { tool_name: "x" })]),
  system("a notice"),
  assistant("go"),
  user("go", image()),
);
const blocksOf = (messages: readonly Message[]) => messages.flatMap(({ blocks }) => blocks);

describe("a recorded conversation on the wire", () => {
  it("comes back as the very blocks that were recorded, of whatever kind", () => {
    const wire = createWireView();
    const sent = JSON.parse(JSON.stringify(HISTORY.map(wire.render)));
    const read = blocksOf(wire.read(sent, HISTORY));
    expect(read.map((block, at) => block === blocksOf(HISTORY)[at])).toEqual(blocksOf(HISTORY).map(() => true));
    expect(wire.read(sent, HISTORY).map(({ role }) => role)).toEqual(HISTORY.map(({ role }) => role));
  });

  it("wraps what the client said, and nobody else, as the client does", () => {
    const { render, unwrap } = createWireView();
    const [first, , , notice] = HISTORY;
    const texts = JSON.stringify([first, notice].flatMap((message) => (message ? [render(message)] : [])));
    expect(texts.match(/<system-reminder>\\n(mind the gap|a notice)\\n<\/system-reminder>/g)).toHaveLength(2);
    const whole = "<system-reminder>\nmind the gap\n</system-reminder>";
    expect(unwrap({ handle: "h", text: whole }).text).toBe("mind the gap");
    const inSections = renderSections([
      ["1", whole],
      ["2", "said"],
    ]);
    expect(unwrap({ handle: "h", text: inSections }).text).toBe(
      renderSections([
        ["1", "mind the gap"],
        ["2", "said"],
      ]),
    );
  });

  it("has the same block in every request for what somebody wrote into it, however the marks move", () => {
    const { read, render } = createWireView();
    const note = { type: "text", text: "a ledger" };
    const ask = (more: object) =>
      read([{ role: "user", content: [note, { ...note, ...more }] }, ...HISTORY.slice(4).map(render)], HISTORY);
    const [first, second] = [blocksOf(ask({})), blocksOf(ask({ cache_control: { type: "ephemeral" } }))];
    expect(first.map((block, at) => block === second[at])).toEqual(first.map(() => true));
    expect(first[0]).not.toBe(first[1]);
    expect(first.slice(2)).toEqual(blocksOf(HISTORY.slice(4)));
  });
});

describe("what stays of a list", () => {
  it("is found where it stood, whatever was taken out of its middle", () => {
    const word = fc.constantFrom("a", "b", "c");
    fc.assert(
      fc.property(fc.array(word), fc.array(word), fc.array(word), (opening, middle, end) => {
        const before = [...opening, "[", ...middle, "]", ...end];
        const matched = matchInOrder(before, [...opening, "[", "written", "]", ...end]);
        const behind = opening.length + 1 + middle.length;
        expect(matched).toEqual([
          ...opening.map((_, at) => at),
          opening.length,
          -1,
          behind,
          ...end.map((_, at) => behind + 1 + at),
        ]);
      }),
      { numRuns: tries(50, 2000) },
    );
  });
});
