/** If red: a folded result reaches the client in a shape that it refuses, or without its error output. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { isObject, type Json, listField, textField } from "../../core/json.ts";
import { findPersisted, parsePersisted, parseToolOutput } from "./tool-output.ts";

const FIXTURES = path.resolve(import.meta.dirname, "../../../test/fixtures/claude-code");
const bash = { stdout: "out", stderr: "", interrupted: false, isImage: false };

describe("parseToolOutput", () => {
  it("[R60] puts a text back in the shape of each tool, and leaves every other field alone", () => {
    const cases: readonly (readonly [string, Json, string, Json])[] = [
      ["Bash", bash, "out", { ...bash, stdout: "NEW" }],
      [
        "Read",
        { type: "text", file: { filePath: "/a", content: "one", numLines: 1, startLine: 1, totalLines: 1 } },
        "one",
        { type: "text", file: { filePath: "/a", content: "NEW", numLines: 1, startLine: 1, totalLines: 1 } },
      ],
      [
        "Grep",
        { mode: "content", numFiles: 0, filenames: [], content: "a:1:x", numLines: 1 },
        "a:1:x",
        { mode: "content", numFiles: 0, filenames: [], content: "NEW", numLines: 1 },
      ],
      [
        "Grep",
        { mode: "files_with_matches", filenames: ["a", "b"], numFiles: 2 },
        "a\nb",
        { mode: "files_with_matches", filenames: ["NEW"], numFiles: 2 },
      ],
      [
        "Glob",
        { filenames: ["a", "b"], durationMs: 1, numFiles: 2, truncated: false },
        "a\nb",
        { filenames: ["NEW"], durationMs: 1, numFiles: 2, truncated: false },
      ],
      [
        "WebFetch",
        { bytes: 9, code: 200, codeText: "OK", result: "page", durationMs: 1, url: "https://e.x" },
        "page",
        { bytes: 9, code: 200, codeText: "OK", result: "NEW", durationMs: 1, url: "https://e.x" },
      ],
      [
        "WebSearch",
        { query: "q", results: [{ content: [{ title: "T", url: "u" }] }, "words"], durationSeconds: 1 },
        '{"content":[{"title":"T","url":"u"}]}\n\nwords',
        { query: "q", results: ["NEW"], durationSeconds: 1 },
      ],
      [
        "Task",
        { status: "completed", content: [{ type: "text", text: "report" }], totalTokens: 5 },
        "report",
        { status: "completed", content: [{ type: "text", text: "NEW" }], totalTokens: 5 },
      ],
      [
        "TaskOutput",
        { retrieval_status: "success", task: { task_id: "b1", output: "log", exitCode: 0 } },
        "log",
        { retrieval_status: "success", task: { task_id: "b1", output: "NEW", exitCode: 0 } },
      ],
      [
        "mcp__s__t",
        [
          { type: "text", text: "a" },
          { type: "image", data: "" },
          { type: "text", text: "b" },
        ],
        "a\nb",
        [
          { type: "text", text: "NEW" },
          { type: "image", data: "" },
        ],
      ],
      ["mcp__s__t", "plain", "plain", "NEW"],
    ];
    for (const [tool, response, text, replaced] of cases) {
      const output = parseToolOutput(tool, response);
      expect([tool, output?.text]).toEqual([tool, text]);
      expect([tool, output?.replace("NEW")]).toEqual([tool, replaced]);
    }
  });

  it("leaves a few lines of stderr next to the output, and takes a flood of it along", () => {
    expect(parseToolOutput("Bash", { ...bash, stderr: "warning: x" })?.replace("NEW")).toEqual({
      ...bash,
      stdout: "NEW",
      stderr: "warning: x",
    });
    const flooded = parseToolOutput("Bash", { ...bash, stderr: "e".repeat(3000) });
    expect(flooded?.text).toBe(`out\n${"e".repeat(3000)}`);
    expect(flooded?.replace("NEW")).toEqual({ ...bash, stdout: "NEW", stderr: "" });
  });

  it("names the file of an output that the client cut, and drops it from the answer", () => {
    const cut = { ...bash, persistedOutputPath: "/p/x.txt", persistedOutputSize: 40_000 };
    const output = parseToolOutput("Bash", cut);
    expect(output?.persistedPath).toBe("/p/x.txt");
    expect(output?.replace("NEW")).toEqual({ ...bash, stdout: "NEW" });
  });

  it.each<readonly [string, Json | undefined]>([
    ["Bash", { ...bash, isImage: true }],
    ["Bash", { ...bash, interrupted: true }],
    ["Bash", "Error: failed"],
    ["Read", { type: "image", file: { base64: "", type: "image/png" } }],
    ["Write", { type: "create", filePath: "/a", content: "x" }],
    ["Edit", { filePath: "/a", oldString: "x", newString: "y" }],
    ["TaskOutput", { retrieval_status: "success", task: { output: "x", result: "x" } }],
    ["SomethingNew", { stdout: "x" }],
    ["constructor", { stdout: "x" }],
    ["mcp__s__t", [{ type: "image", data: "" }]],
    ["mcp__s__t", undefined],
    ["Glob", { filenames: [] }],
  ])("leaves %s with %j alone", (tool, response) => {
    expect(parseToolOutput(tool, response)).toBeUndefined();
  });

  it("gives every recorded result back as it was when its own text is put back", () => {
    let seen = 0;
    for (const { tool, response } of listRecorded()) {
      const output = parseToolOutput(tool, response);
      // Lists of names, search results and several blocks of text become one text, which is not what they were.
      if (output === undefined || output.persistedPath !== "" || /^(?:Glob|Grep|WebSearch|Agent)$/.test(tool)) continue;
      seen++;
      expect(output.replace(output.text)).toEqual(response);
    }
    expect(seen).toBeGreaterThan(30);
  });
});

function listRecorded(): readonly { readonly tool: string; readonly response: Json }[] {
  const files = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"));
  return files.flatMap((name) => {
    const tools = new Map<string, string>();
    return readFileSync(path.join(FIXTURES, name), "utf8")
      .split("\n")
      .flatMap((text) => {
        const line = parse(text);
        const content = isObject(line) && isObject(line.message) ? listField(line.message, "content") : [];
        return content.filter(isObject).flatMap((block) => {
          if (block.type === "tool_use") tools.set(textField(block, "id"), textField(block, "name"));
          const tool = tools.get(textField(block, "tool_use_id"));
          const response = isObject(line) ? line.toolUseResult : undefined;
          return block.type === "tool_result" && tool !== undefined && response !== undefined
            ? [{ tool, response }]
            : [];
        });
      });
  });
}

/** Some fixtures end in the middle of a line, as a killed client leaves them. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const BLOCKS = [
  { type: "text", text: 'said "a"\nand b' },
  { type: "text", text: "end" },
];

it("finds where the client put an output, and only where the client says so", () => {
  const shown = "<persisted-output>\nOutput too large (9KB). Full output saved to: /p/x y.json\n\nPreview";
  expect(findPersisted(shown)).toBe("/p/x y.json");
  expect(findPersisted(`see ${shown}`)).toBeUndefined();
});

it("takes the words out of the blocks of an answer", () => {
  expect(parsePersisted("/p/toolu_1.json", JSON.stringify(BLOCKS, null, 2))).toBe('said "a"\nand b\nend');
});

it("leaves what a command printed as it is, also where it looks like blocks", () => {
  expect(parsePersisted("/p/toolu_1.txt", JSON.stringify(BLOCKS))).toBe(JSON.stringify(BLOCKS));
});

it.each([["[]"], ["{}"], ['[{"type":"text"'], [JSON.stringify([...BLOCKS, { type: "image" }])]])(
  "takes nothing from %s",
  (file) => {
    expect(parsePersisted("/p/toolu_1.json", file)).toBeUndefined();
  },
);
