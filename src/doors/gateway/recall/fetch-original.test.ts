import { describe, expect, it } from "vitest";
import { fetchOriginal } from "./fetch-original.ts";

const decision = (...handles: readonly string[]) => ({
  kind: "replaceBlock" as const,
  block: "b",
  replaces: "h",
  content: { kind: "text" as const, text: "short" },
  by: "fold",
  reason: "long",
  handles,
});
const texts = new Map([
  ["plimsoll:aaaaaa111111", "first"],
  ["plimsoll:aaaaaa222222", "second"],
]);
const shelf = {
  store: { readOriginal: async (handle: string) => texts.get(handle) },
  decisions: [decision(...texts.keys())],
};
const said = async (handle: string): Promise<string> => JSON.stringify(await fetchOriginal({ handle }, shelf));

describe("what a recall over the wire gives", () => {
  it("is the one original that the digits name", async () => {
    expect(await said("plimsoll:aaaaaa1")).toContain("first");
    expect(await said("plimsoll:aaaaaa222222")).toContain("second");
  });

  it("is neither of two that the digits could name", async () => {
    const answered = await said("plimsoll:aaaaaa");
    for (const text of texts.values()) expect(answered).not.toContain(`"${text}`);
    expect(answered).toContain('"isError":true');
  });
});
