/** If red: messages repeated after a compaction are counted as new. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import { createRowReader, nameText, type Row, type RowMessage } from "./row-reader.ts";

function row(door: string, words: string, message: Partial<RowMessage> = {}): Row {
  const content: readonly JsonObject[] = words === "" ? [] : [{ type: "text", text: words }];
  return { door, uuid: `${door} ${words}`, origin: {}, message: { type: "user", content, ...message } };
}

const boundary = row("compaction", "", { type: "system", name: "compact_boundary" });

describe("rows that are told again after a compaction", () => {
  it("are still waited for behind the client's own summary", () => {
    const reader = createRowReader();
    reader.expect([nameText("one")]);
    reader.read(boundary, 1);
    reader.read(row("compaction", "a summary"), 1);
    expect(reader.read(row("prompt", "one"), 2)).toEqual([]);
    expect(reader.isRestating()).toBe(true);
  });

  it("are still waited for behind what hung on a prompt, told again with it", () => {
    const reader = createRowReader();
    reader.expect([nameText("Paint it."), nameText("Read it.")]);
    reader.read(boundary, 1);
    reader.read(row("note", "the record"), 1);
    reader.read(row("prompt", "Paint it."), 1);
    expect(reader.isRestated()).toBe(false);
    reader.read(row("prompt", "Project rules", { isMeta: true }), 1);
    expect(reader.read(row("prompt", "Read it."), 2)).toEqual([]);
    expect(reader.isRestating()).toBe(true);
    expect(reader.isRestated()).toBe(true);
    expect(reader.read(row("prompt", "Read it."), 3)).toHaveLength(1);
    expect(reader.isRestated()).toBe(false);
  });
});
