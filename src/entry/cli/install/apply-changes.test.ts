/** If red: a person agrees to other lines than those that change, or loses what another program has just written. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { createFakeTerminal } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { applyChanges, renderDiff } from "./apply-changes.ts";

const temporary = createTemporaryFolder();

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

it("changes no file where one has become another since the person was asked", () => {
  const [first, second] = ["first.json", "second.json"].map((name) => path.join(temporary.folder, name));
  if (first === undefined || second === undefined) throw new Error("two files");
  writeFileSync(first, "{}");
  writeFileSync(second, '{"theirs": 1}');
  const changes = [first, second].map((file) => ({ path: file, before: "{}", after: '{"ours": 1}' }));
  expect(() => applyChanges(changes, createFakeTerminal())).toThrow(
    `another program has just changed ${second}, so Plimsoll changed nothing: run this again`,
  );
  expect([first, second].map((file) => readFileSync(file, "utf8"))).toEqual(["{}", '{"theirs": 1}']);
  expect(readdirSync(temporary.folder)).toHaveLength(2);
});
