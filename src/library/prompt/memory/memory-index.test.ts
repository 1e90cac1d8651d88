/** If red: the memory's index exceeds its room, or an entry leads outside the folder. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitIndex, nameTopicFile, parseIndex } from "./memory-index.ts";

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `- line ${index + 1}`).join("\n");

describe("the memory's index", () => {
  it("[R133] is whole with 200 lines, and cut with a mark at 201", () => {
    expect(fitIndex(`${lines(200)}\n`)).toEqual({ text: lines(200), isTruncated: false });
    const cut = fitIndex(lines(201));
    expect(cut.isTruncated).toBe(true);
    expect(cut.text.split("\n")).toHaveLength(200);
    expect(cut.text.split("\n").slice(-2)).toEqual(["- line 199", "[truncated] 2 more lines in MEMORY.md"]);
  });

  it("[R133] whatever it holds, it never comes to more lines or characters than allowed", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 400 }), (given) => {
        const { text } = fitIndex(given.join("\n"));
        expect(text.split("\n").length).toBeLessThanOrEqual(200);
        expect(text.length).toBeLessThanOrEqual(25_000);
      }),
    );
  });

  it("has entries that lead to files next to it, and nowhere else", () => {
    const text = [
      "# Memory",
      "- [Tests](tests.md): run them with vitest",
      "* [Release](release.md)",
      "- [Up](../secret.md): no",
      "- [Away](/etc/passwd.md)",
      "- [Itself](memory.md): no",
      "my own words",
    ].join("\n");
    expect(parseIndex(text)).toEqual([
      { title: "Tests", file: "tests.md", hint: "run them with vitest" },
      { title: "Release", file: "release.md", hint: "" },
    ]);
  });

  it.each([
    ["Build & release", "build-release.md"],
    ["Café", "cafe.md"],
    ["../../etc/passwd", "etc-passwd.md"],
    ["memory", "memory-topic.md"],
    ["tests.md", "tests.md"],
    ["", "general.md"],
  ])("names the file of %j %s", (topic, file) => {
    expect(nameTopicFile(topic)).toBe(file);
  });

  it("names a safe file for any topic, and different ones for different alphabets", () => {
    expect(nameTopicFile("測試")).not.toBe(nameTopicFile("発行"));
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (topic) => {
        expect(nameTopicFile(topic)).toMatch(/^[a-z0-9][a-z0-9-]{0,79}\.md$/);
        expect(nameTopicFile(topic)).not.toBe("memory.md");
      }),
    );
  });

  it("takes no wrong number of characters", () => {
    expect(() => fitIndex("", { maxCharacters: 0 })).toThrow("maxCharacters");
  });
});
