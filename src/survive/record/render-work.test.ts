import { describe, expect, it } from "vitest";
import { placeSections, renderGrouped } from "./render-work.ts";
import { weighText } from "./weigh.ts";

const section = (name: string, items: number) => ({
  items,
  render: (count: number) => `## ${name}${"\nan item of the list".repeat(count)}${count < items ? "\n… more" : ""}`,
});

const weigh = (parts: readonly { readonly text: string }[]): number =>
  weighText(parts.map(({ text }) => text).join(""));

describe("sections", () => {
  it("are all shown whole where there is room", () => {
    const placed = placeSections([section("first", 3), section("second", 2)], 1000);
    expect(placed.map(({ shown }) => shown)).toEqual([3, 2]);
  });

  it("keep their share, however much the ones before them want", () => {
    const [greedy, modest] = placeSections([section("greedy", 900), section("modest", 5)], 200);
    expect(modest?.shown).toBe(5);
    expect(greedy?.shown).toBeGreaterThan(10);
  });

  it("get what others leave, the most important first", () => {
    const sections = [section("small", 1), section("first", 900), section("second", 900)];
    const [small, first, second] = placeSections(sections, 400);
    expect(small?.shown).toBe(1);
    expect(weighText(first?.text ?? "")).toBeGreaterThan(0.5 * 400);
    expect(weighText(second?.text ?? "")).toBeGreaterThan(0.3 * 400);
  });

  it("never weigh more than the budget together", () => {
    for (const budget of [0, 5, 20, 50, 100, 300]) {
      const sections = [section("first", 40), section("none", 0), section("second", 40)];
      expect(weigh(placeSections(sections, budget))).toBeLessThanOrEqual(budget);
    }
  });

  it("without items leave no trace", () => {
    expect(placeSections([section("none", 0)], 100)).toEqual([{ shown: 0, text: "" }]);
  });
});

describe("an index of files", () => {
  it("names every folder once, in the order its first file comes", () => {
    const files = ["src/a/x.ts", "README.md", "src/a/y.ts", "D:\\code\\z.cs", "/c.ts"].map((path) => ({
      path,
      mark: "",
      note: "",
    }));
    expect(renderGrouped(files)).toEqual(["src/a/: x.ts, y.ts", "./: README.md", "D:\\code\\: z.cs", "/: c.ts"]);
  });

  it("puts the mark before a name and the note after it", () => {
    expect(renderGrouped([{ path: "src/x.ts", mark: "+", note: "#1f r9" }])).toEqual(["src/: +x.ts #1f r9"]);
  });
});
