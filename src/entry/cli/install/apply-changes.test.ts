/** If red: a person who is asked to agree sees other lines than the ones that will change. */
import { expect, it } from "vitest";
import { renderDiff } from "./apply-changes.ts";

it("shows every line that changes, with three around it", () => {
  const before = ["{", "1", "2", "3", "4", "5", "6", "7", "8", "}"].join("\n");
  const after = before.replace("1\n", "1\nnew\n").replace("\n8", "");
  expect(renderDiff("/s.json", before, after).split("\n")).toEqual([
    "--- /s.json",
    "+++ /s.json",
    ...["  {", "  1", "+ new", "  2", "  3", "  4", "  5", "  6", "  7", "- 8", "  }"],
  ]);
});

it("leaves out what lies far from a change", () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const shown = renderDiff("/s.json", lines.join("\n"), [...lines, "new"].join("\n"));
  expect(shown).toContain("  ...\n  line 17\n  line 18\n  line 19\n+ new");
  expect(shown).not.toContain("line 16");
});

it("tells a file that comes or goes", () => {
  expect(renderDiff("/s.json", undefined, "{}\n")).toBe("--- (no file)\n+++ /s.json\n+ {}");
  expect(renderDiff("/s.json", "{}\n", undefined)).toBe("--- /s.json\n+++ (no file)\n- {}");
});
