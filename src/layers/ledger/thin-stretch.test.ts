import { describe, expect, test } from "vitest";
import type { Block, Message } from "../../core/message.ts";
import { renderEntry, renderHeading } from "./ledger-text.ts";
import { countCollapsed, isThin, thinStretch } from "./thin-stretch.ts";

function stretch(...texts: readonly string[]): Message {
  const blocks = texts.map((text, index): Block => ({ kind: "text", id: `ledger:x:0:${index}`, text, author: "host" }));
  return { id: "ledger:x:0", role: "user", blocks };
}

function thin(...lines: readonly string[]): readonly string[] {
  const [block] = thinStretch(stretch(lines.join("\n"))).blocks;
  return block?.kind === "text" ? block.text.split("\n") : [];
}

describe("thinning a stretch of ledger", () => {
  test("what was only looked at goes, and the numbers of the rest stay", () => {
    expect(
      thin(
        renderHeading(7, "plimsoll:0123456789ab"),
        "1 Read a.ts → (30 lines)",
        "2 Edit a.ts",
        "assistant: done",
        "3 Bash make → failed: no rule",
        "4 note: a reminder (900 chars)",
        "5 Bash cat b → shortened before, plimsoll:0123456789ac",
      ),
    ).toEqual([
      renderHeading(7, "plimsoll:0123456789ab"),
      "2 Edit a.ts",
      "assistant: done",
      "3 Bash make → failed: no rule",
      "5 Bash cat b → shortened before, plimsoll:0123456789ac",
      renderEntry({ kind: "leftOut", numbers: [1, 4] }),
    ]);
  });

  test("the model's words stay, however much they look like a line, and long ones are shortened", () => {
    const words = [
      "assistant: 3 Read a.ts → (3 lines)",
      "assistant: 4 note: see → it",
      "9 assistant: a → b 1 Read c → d",
    ];
    expect(thin(...words)).toEqual(words);
    const [long] = thin(`12 assistant: ${"word ".repeat(200)}(1000 chars)`);
    expect(long).toMatch(/^12 assistant: word .*…$/);
    expect(long).toHaveLength(160);
  });

  test("blocks that are not the ledger's own stay the very same, whatever they say", () => {
    const typed: Block = { kind: "text", id: "text:1", text: "1 Read a.ts → (3 lines)", author: "person" };
    const image: Block = { kind: "image", id: "image:1", mediaType: "image/png", encodedLength: 1, raw: {} };
    const message = { ...stretch(renderHeading(1)), blocks: [typed, image] };
    expect(thinStretch(message).blocks).toEqual([typed, image]);
    expect(thinStretch(message).blocks[0]).toBe(typed);
  });

  test("a thin stretch has ids of its own and is known for one", () => {
    const message = stretch("1 Read a → b", "2 Read c → d");
    const after = thinStretch(message);
    expect([after.id, ...after.blocks.map(({ id }) => id)]).toEqual([
      "ledger:x:0:thin",
      "ledger:x:0:0:thin",
      "ledger:x:0:1:thin",
    ]);
    expect([isThin(message), isThin(after)]).toEqual([false, true]);
  });

  test("the heading says how many exchanges it stands for, thin or not; nothing else does", () => {
    const message = stretch(`${renderHeading(12)}\n1 Read a → b`);
    expect([countCollapsed(message), countCollapsed(thinStretch(message))]).toEqual([12, 12]);
    expect(countCollapsed(stretch(`1 Read ${renderHeading(12)} → b`))).toBe(0);
    expect(countCollapsed({ ...message, blocks: [] })).toBe(0);
    const typed: Block = { kind: "text", id: "text:1", text: renderHeading(99), author: "person" };
    expect(countCollapsed({ ...message, blocks: [typed] })).toBe(0);
  });
});
