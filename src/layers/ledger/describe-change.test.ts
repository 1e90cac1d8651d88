import { describe, expect, test } from "vitest";
import { describeChange } from "./describe-change.ts";

describe("a change in a phrase", () => {
  test.each([
    [
      "what it declares before anything else",
      { old_string: "a();", new_string: "b();\nfunction seal() {}" },
      "function seal() {}",
    ],
    [
      "its first line that says something",
      { old_string: "", new_string: "import x;\n// why\n\n{\nseal(2);" },
      "seal(2);",
    ],
    ["what was only taken out", { old_string: "keep();\nleak();", new_string: "keep();" }, "without leak();"],
    ["the heading of a document", { content: "\n# Hull\ntext" }, "# Hull"],
    ["the first of several", { edits: [{ old_string: "a", new_string: "tar()" }, { new_string: "oil()" }] }, "tar()"],
    ["nothing where nothing is told", { old_string: "x", new_string: "x" }, ""],
    ["nothing of a call that it does not know", { mode: 3 }, ""],
  ])("tells %s", (_, input, phrase) => {
    expect(describeChange(input, "/a.ts")).toBe(phrase);
  });

  test("is one short line, whatever was written", () => {
    expect(describeChange({ content: `x ${"y".repeat(9999)}` }, "a").length).toBeLessThanOrEqual(90);
  });
});
