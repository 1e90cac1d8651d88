/** If red: a folded output cannot be cited or fetched back by what its marker says. */
import { describe, expect, it } from "vitest";
import { foldOutput } from "./fold-output.ts";
import { findHandles, findOwnHandle, nameHandle, renderMarker } from "./marker.ts";

const PATH = ".plimsoll/artifacts/artifact-2026-01-02T03-04-05-678Z-Bash.md";

describe("renderMarker", () => {
  it("[R60] has one layout, to the character", () => {
    const marker = {
      tool: "Bash",
      lines: 150,
      characters: 8110,
      label: "test output",
      preview: "Tests: 2 failed",
      path: PATH,
    };
    expect(renderMarker({ ...marker, handle: "plimsoll:1a2b3c4d5e6f" })).toBe(
      `[FOLDED: Bash output — 150 lines, 8110 chars]
Preview (test output):
Tests: 2 failed
Full output: .plimsoll/artifacts/artifact-2026-01-02T03-04-05-678Z-Bash.md (plimsoll:1a2b3c4d5e6f)
Use Read to access the full artifact if needed.`,
    );
  });

  it("[R60] shows the first ten lines in the classic style", () => {
    const text = Array.from({ length: 500 }, (_, index) => `row ${index + 1}`).join("\n");
    const { text: folded, handle } = foldOutput(text, { tool: "Grep" }, { path: PATH, style: "classic" });
    expect(folded).toBe(
      `[FOLDED: Grep output — 500 lines, 3891 chars]
Preview (first 10 lines):
row 1
row 2
row 3
row 4
row 5
row 6
row 7
row 8
row 9
row 10
...
Full output: ${PATH} (${handle})
Use Read to access the full artifact if needed.`,
    );
  });

  it("[R61] names the path and the handle, so that a summary can cite them", () => {
    const { text, handle } = foldOutput("words and more\n".repeat(900), { tool: "Bash" }, { path: PATH });
    const summary = `We ran the tests (${text.split("\n").at(-2)}).`;
    expect(summary).toContain(PATH);
    expect(findHandles(summary)).toEqual([handle]);
  });

  it("quotes the handle alone where there is no file", () => {
    expect(
      renderMarker({
        tool: "x",
        lines: 1,
        characters: 2,
        label: "plain",
        preview: "",
        handle: "plimsoll:000000000000",
      }),
    ).toBe("[FOLDED: x output — 1 lines, 2 chars]\nFull output: plimsoll:000000000000");
  });

  it("keeps a tool's name on one short line, whatever a host calls it", () => {
    const tool = `Task" >\n<parameter name="description]${"x".repeat(500)}`;
    const [first = ""] = renderMarker({ tool, lines: 1, characters: 2, label: "plain", preview: "" }).split("\n");
    expect(first).toMatch(/^\[FOLDED: Task" > <parameter .{1,60}… output — 1 lines, 2 chars\]$/);
  });
});

it("names content by twelve digits of its hash", () => {
  expect(nameHandle("0123456789abcdef".repeat(4))).toBe("plimsoll:0123456789ab");
});

describe("the way back", () => {
  const marker = {
    tool: "Bash",
    lines: 1,
    characters: 9,
    label: "plain",
    preview: "x",
    handle: "plimsoll:1a2b3c4d5e6f",
  };

  it("names the tool that takes the handle where there is one, and only with a handle", () => {
    expect(renderMarker({ ...marker, recallTool: "mcp__x__recall" })).toMatch(
      /Full output: plimsoll:1a2b3c4d5e6f\nTo read a part of it, use mcp__x__recall$/,
    );
    expect(renderMarker({ ...marker, path: "a.md", readTool: "exec_command" })).toContain(
      "\nUse exec_command to access",
    );
    expect(renderMarker(marker)).not.toContain("a part of it");
    expect(renderMarker({ ...marker, handle: undefined, recallTool: "mcp__x__recall" })).not.toContain("recall");
  });

  it("is found by a fold's own handle, whatever its preview quotes", () => {
    const folded = renderMarker({ ...marker, preview: "see plimsoll:ffffffffffff" });
    expect(findOwnHandle(folded)).toBe("plimsoll:1a2b3c4d5e6f");
    expect(findOwnHandle("plimsoll:1a2b3c4d5e6f")).toBeUndefined();
  });
});
