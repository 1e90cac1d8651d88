import { describe, expect, it } from "vitest";
import { placeSections, type RecordPart, renderGrouped, splitPath } from "./record-work.ts";
import { weighText } from "./weigh.ts";

const section = (name: string, items: number, share: number, most = 1): RecordPart => ({
  name,
  items,
  share,
  most,
  render: (count) => `## ${name}${"\nan item of the list".repeat(count)}${count < items ? "\n… more" : ""}`,
});

const weigh = (parts: readonly { readonly text: string }[]): number =>
  weighText(parts.map(({ text }) => text).join(""));

describe("sections", () => {
  it("are all shown whole where there is room", () => {
    const placed = placeSections([section("first", 3, 0.5), section("second", 2, 0.5)], 1000);
    expect(placed.map(({ shown }) => shown)).toEqual([3, 2]);
  });

  it("keep their share, however much the ones before them want", () => {
    const [greedy, modest] = placeSections([section("greedy", 900, 0.7), section("modest", 5, 0.3)], 200);
    expect(modest?.shown).toBe(5);
    expect(greedy?.shown).toBeGreaterThan(10);
  });

  it("get what others leave, the most important first, up to the most they take", () => {
    const [small, first, second] = placeSections(
      [section("small", 1, 0.4), section("first", 900, 0.3, 0.5), section("second", 900, 0.3)],
      400,
    );
    expect(small?.shown).toBe(1);
    expect(weighText(first?.text ?? "")).toBeGreaterThan(0.45 * 400);
    expect(weighText(first?.text ?? "")).toBeLessThanOrEqual(0.5 * 400);
    expect(weighText(second?.text ?? "")).toBeGreaterThan(0.3 * 400);
  });

  it("never weigh more than the budget together", () => {
    for (const budget of [0, 5, 20, 50, 100, 300]) {
      const sections = [section("first", 40, 0.5), section("none", 0, 0.2), section("second", 40, 0.3)];
      expect(weigh(placeSections(sections, budget))).toBeLessThanOrEqual(budget);
    }
  });

  it("without items leave no trace", () => {
    expect(placeSections([section("none", 0, 1)], 100)).toEqual([{ name: "none", items: 0, shown: 0, text: "" }]);
  });
});

describe("an index of files", () => {
  it("names every folder once, in the order its first file comes", () => {
    const files = ["src/a/x.ts", "README.md", "src/a/y.ts", "D:\\code\\z.cs"].map((path) => ({
      path,
      mark: "",
      note: "",
    }));
    expect(renderGrouped(files)).toEqual(["src/a/: x.ts, y.ts", "./: README.md", "D:\\code\\: z.cs"]);
  });

  it("puts the mark before a name and the note after it", () => {
    expect(renderGrouped([{ path: "src/x.ts", mark: "+", note: "#1f r9" }])).toEqual(["src/: +x.ts #1f r9"]);
  });

  it("gives back the whole path when folder and name are put together", () => {
    for (const path of ["/a/b/c.ts", "b\\c.ts", "/c.ts"]) {
      const { folder, name } = splitPath(path);
      expect(folder + name).toBe(path);
    }
  });
});
