/** If red: a recall gives the wrong one of two originals with the same short handle. */
import { describe, expect, it } from "vitest";
import { renderSections } from "../../layers/ledger/sections.ts";
import { renderPictureNote } from "./picture.ts";
import { createHashPort, recall } from "./recall.ts";

const [ONE, OTHER] = [`${"ab".repeat(6)}${"1".repeat(52)}`, `${"ab".repeat(6)}${"2".repeat(52)}`];

/** Two originals whose hashes begin with the same twelve digits. */
const port = createHashPort({
  hashes: () => [ONE, OTHER],
  read: (hash) => (hash === ONE ? "the survey of the hull" : "the survey of the keel"),
});

const textOf = async (handle: string): Promise<string> => {
  const answer = await recall({ handle }, port);
  return answer.isError ? answer.words : answer.blocks.join("\n");
};

describe("two originals with one handle", () => {
  it("are both given, each under a handle that is its own", async () => {
    const text = await textOf("plimsoll:abababababab");
    expect(text).toContain("the survey of the hull");
    expect(text).toContain("the survey of the keel");
    expect(text).toContain("[plimsoll:abababababab1:");
    expect(text).toContain("[plimsoll:abababababab2:");
  });

  it("are told apart by one digit more", async () => {
    expect(await textOf("plimsoll:abababababab1")).toContain("the survey of the hull");
    expect(await textOf("plimsoll:abababababab2")).not.toContain("the survey of the hull");
  });

  it("are named where the handle was shortened", async () => {
    const text = await textOf("plimsoll:ababab");
    expect(text).toContain("plimsoll:abababababab1, plimsoll:abababababab2");
    expect(text).not.toContain("the survey of");
  });
});

describe("a line of a ledger whose result was a picture", () => {
  const [SEGMENT, PICTURE] = ["c".repeat(12), "d".repeat(12)];
  const url = "data:image/png;base64,iVBORw0KGgoAAAAN";
  const note = renderPictureNote(url, `plimsoll:${PICTURE}`);

  it("is answered with the picture, by one recall", async () => {
    const texts = new Map([
      [SEGMENT, renderSections([["1", `Seen.\n${note}\n${note}`]])],
      [PICTURE, url],
    ]);
    const answer = await recall(
      { handle: `plimsoll:${SEGMENT}#1` },
      { ...port, own: () => [SEGMENT], stored: (digits) => texts.get(digits) },
    );
    expect(!answer.isError && answer.blocks.filter((block) => typeof block !== "string")).toEqual([
      { mediaType: "image/png", data: "iVBORw0KGgoAAAAN", bytes: 12 },
    ]);
  });

  it("gives nothing else that a text only calls a picture", async () => {
    const texts = new Map([
      [SEGMENT, renderSections([["1", note]])],
      [PICTURE, "a key of somebody else"],
    ]);
    const answer = await recall(
      { handle: `plimsoll:${SEGMENT}#1` },
      { ...port, own: () => [SEGMENT], stored: (digits) => texts.get(digits) },
    );
    expect(JSON.stringify(answer)).not.toContain("a key of somebody else");
  });
});
