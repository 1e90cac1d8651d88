/** If red: a recall gives back text of another person's or another conversation's request. */
import { describe, expect, it } from "vitest";
import { fetchOriginal } from "./serve-recall.ts";

const texts = new Map([
  ["plimsoll:aaaaaa111111", "first"],
  ["plimsoll:aaaaaa222222", "second"],
  ["plimsoll:bbbbbb333333", "of another run"],
]);
const store = {
  store: { readOriginal: async (handle: string) => texts.get(handle) },
  left: ["plimsoll:aaaaaa111111", "plimsoll:aaaaaa222222"],
};
const said = async (handle: string): Promise<string> => JSON.stringify(await fetchOriginal({ handle }, store));

describe("what a recall over the wire gives", () => {
  it("is the one original that the digits name", async () => {
    expect(await said("plimsoll:aaaaaa1")).toContain("first");
    expect(await said("plimsoll:aaaaaa222222")).toContain("second");
  });

  it("is never one of two as if the digits named it alone", async () => {
    const answered = await said("plimsoll:aaaaaa");
    expect(answered.includes("first")).toBe(answered.includes("second"));
  });

  it("is nothing that did not leave this request, and that is not named either", async () => {
    const answered = await said("plimsoll:bbbbbb333333");
    expect(answered).toContain('"isError":true');
    expect(answered).not.toContain("of another run");
    expect(await said("plimsoll:bbbbbb999999")).not.toContain("bbbbbb333333");
  });
});
