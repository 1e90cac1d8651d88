/** If red: what a compaction put away cannot be found again by its handle. */
import { describe, expect, it } from "vitest";
import type { Block } from "../../core/message.ts";
import { findArchived, joinArchived, listArchivedHandles, orderArchives, renderArchived } from "./archive-lines.ts";
import { findPictureNotes, parsePicture, renderPictureNote } from "./picture.ts";
import { createQuotedHandles } from "./quoted-handles.ts";

const [ONE, OTHER] = [`plimsoll:${"a".repeat(12)}`, `plimsoll:${"b".repeat(12)}`];

describe("an archive", () => {
  const lines = [
    renderArchived({ callId: "toolu_1", text: "a\nb" }),
    renderArchived({ callId: ONE, text: "one" }),
    renderArchived({ callId: 'q"\\', text: "quoted" }),
    '{"callId":"toolu_1","text":3}\n{"callId":7,"text":"x"}\nnot json\n{"callId":"toolu_1","te',
  ].join("");

  it("holds a text in a line, found by its call, or by more or fewer digits of its handle", () => {
    expect(lines.split("\n")[0]).toBe('{"callId":"toolu_1","text":"a\\nb"}');
    expect(findArchived(lines, "toolu_1")).toEqual([{ callId: "toolu_1", text: "a\nb" }]);
    for (const wanted of [ONE, ONE.slice(0, -3), `${ONE}aaaa`])
      expect(findArchived(lines, wanted)).toEqual([{ callId: ONE, text: "one" }]);
    expect(findArchived(lines, 'q"\\')).toHaveLength(1);
    for (const wanted of ["toolu_", "toolu_12", OTHER, "plim", ""]) expect(findArchived(lines, wanted)).toEqual([]);
    expect(listArchivedHandles(lines)).toEqual([ONE]);
  });

  it("gives back a text in one piece, and none where a handle means two", () => {
    expect(
      joinArchived([
        { callId: "a", text: "1" },
        { callId: "a", text: "2" },
      ]),
    ).toBe("12");
    expect(
      joinArchived([
        { callId: "a", text: "1" },
        { callId: "b", text: "2" },
      ]),
    ).toBeUndefined();
    expect(joinArchived([])).toBeUndefined();
  });

  it("is searched from the newest compaction on, its parts in order", () => {
    const names = ["archive-1-2.jsonl", "archive-10-1.jsonl", "notes.jsonl", "archive-1-1.jsonl", "archive-2-1.jsonl"];
    expect(orderArchives(names)).toMatchObject([
      { name: "archive-10-1.jsonl", compaction: 10 },
      { name: "archive-2-1.jsonl", compaction: 2 },
      { name: "archive-1-1.jsonl", compaction: 1 },
      { name: "archive-1-2.jsonl", compaction: 1 },
    ]);
  });
});

describe("a picture", () => {
  it.each([
    ["image/png", "iVBORw0KGgoA", 9],
    ["image/jpeg", "/9j/AAA=", 5],
    ["image/gif", "R0lGODdhAA==", 7],
    ["image/webp", "UklGRAAAAAARUJQA", undefined],
    ["image/webp", "UklGRAAAAAAARUJQ", 12],
    ["application/pdf", "JVBERi0x", 6],
  ])("of the type %s is %s", (mediaType, data, bytes) => {
    const found = bytes === undefined ? undefined : { mediaType, data, bytes };
    expect(parsePicture(`data:${mediaType};base64,${data}`)).toEqual(found);
  });

  it.each([
    "data:image/png;base64,R0lGODdh",
    "data:image/svg;base64,iVBORw0KGgoA",
    "data:image/png;base64,iVBORw0KGgo",
    "data:image/png;base64,iVBORw0KGgo!",
    "see data:image/png;base64,iVBORw0KGgoA",
    "data:image/png;base64,iVBORw0KGgoA\n",
    "",
  ])("is not taken from %j", (text) => {
    expect(parsePicture(text)).toBeUndefined();
  });

  it("is as large as the API takes it, a document six times as large", () => {
    const fill = (type: string, begin: string, length: number): string =>
      `data:${type};base64,${begin}${"A".repeat(length - begin.length)}`;
    const MEGABYTE = 1024 * 1024;
    const isTaken = (type: string, begin: string, length: number) =>
      parsePicture(fill(type, begin, length)) !== undefined;
    expect([
      isTaken("image/png", "iVBORw0KGgo", 5 * MEGABYTE),
      isTaken("image/png", "iVBORw0KGgo", 5 * MEGABYTE + 4),
    ]).toEqual([...[true, false]]);
    expect([
      isTaken("application/pdf", "JVBERi0", 30 * MEGABYTE),
      isTaken("application/pdf", "JVBERi0", 30 * MEGABYTE + 4),
    ]).toEqual([...[true, false]]);
  });

  it("leaves a note that says what it was and how to see it, once for each", () => {
    const url = `data:image/png;base64,${"A".repeat(4000)}`;
    expect(renderPictureNote(url, ONE)).toBe(`[picture ${ONE}, image/png, 3 KB: recall shows it]`);
    expect(renderPictureNote("data:application/pdf;base64,JVBERi0x", undefined)).toBe(
      "[document, application/pdf, 1 KB]",
    );
    const pdf = renderPictureNote("data:application/pdf;base64,JVBERi0x", OTHER);
    const notes = `${renderPictureNote(url, ONE)} ${pdf} ${renderPictureNote(url, ONE)} [picture plimsoll:zz, x]`;
    expect(findPictureNotes(notes)).toEqual([ONE, OTHER]);
  });
});

describe("what a conversation was shown", () => {
  const text = (words: string, author: "person" | "model" | "host"): Block => ({
    kind: "text",
    id: "t",
    text: words,
    author,
  });
  const result = (callId: string, words: string): Block => ({
    kind: "toolResult",
    id: `r-${callId}`,
    callId,
    isError: false,
    parts: [{ kind: "text", text: words }],
  });

  it("is every handle that a person, the client or a result names, once, and none that only the model wrote", () => {
    const quoted = createQuotedHandles();
    quoted.feed(text(`see ${ONE} and ${ONE}; no${OTHER}`, "person"));
    quoted.feed(text(OTHER, "model"));
    expect(quoted.list()).toEqual([ONE]);
    quoted.feed(text(`[${OTHER}]`, "host"));
    quoted.feed(result("c", `plimsoll:${"c".repeat(64)}, plimsoll:${"d".repeat(11)}`));
    expect(quoted.list()).toEqual([ONE, OTHER, `plimsoll:${"c".repeat(64)}`]);
  });

  it("is not what an answer repeats of its own question, but what another answer says", () => {
    const quoted = createQuotedHandles();
    quoted.feed({ kind: "toolCall", id: "c1", callId: "c1", tool: "recall", input: { handle: ONE } });
    quoted.feed(result("c1", `Nothing is kept under ${ONE}; nearest: ${OTHER}`));
    expect(quoted.list()).toEqual([OTHER]);
    quoted.feed(result("c2", ONE));
    expect(quoted.list()).toEqual([OTHER, ONE]);
  });
});
