/** If red: a tool call is misunderstood, so that changed files, commands or tasks are wrong in every record. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../core/json.ts";
import type { ToolResultBlock } from "../../core/message.ts";
import type { Action } from "../../session/action.ts";
import { claudeCodeVocabulary, interpretNote } from "./vocabulary.ts";

const { interpretCall, interpretResult, interpretOrphan, interpretPrompt, interpretNotice } = claudeCodeVocabulary;

function result(text: string, isError = false): ToolResultBlock {
  return { kind: "toolResult", id: "", callId: "c", parts: [{ kind: "text", text }], isError };
}

describe("a call", () => {
  it.each([
    ["Read", { file_path: "/a", offset: 10, limit: 5 }, { kind: "read", path: "/a", range: { first: 10, last: 14 } }],
    ["Read", { file_path: "/a" }, { kind: "read", path: "/a", range: undefined }],
    ["mcp__acp__Edit", { path: "/a" }, { kind: "edit", path: "/a" }],
    ["NotebookEdit", { notebook_path: "/n" }, { kind: "edit", path: "/n" }],
    ["PowerShell", { command: "ls" }, { kind: "run", command: "ls" }],
    [
      "TaskUpdate",
      { taskId: 3, status: "completed" },
      { kind: "updateTask", taskId: "3", status: "done", subject: "" },
    ],
    ["TaskUpdate", { taskId: "#3" }, { kind: "updateTask", taskId: "3", status: undefined, subject: "" }],
    ['Task" >\n<parameter', { description: "look" }, { kind: "delegate", prompt: "look" }],
    ["mcp__other__thing", {}, { kind: "other", tool: "mcp__other__thing" }],
  ] as const)("%s %j means what it does", (tool, input, action) => {
    expect(interpretCall(tool, input)).toEqual(action);
  });
});

describe("a result", () => {
  const run: Action = { kind: "run", command: "x" };

  it.each([
    ["fine", false, {}, 0],
    ["Exit code 127\nnot found", true, {}, 127],
    ["Error: Exit code 1\nx", true, {}, 1],
    ["stopped", false, { interrupted: true }, undefined],
    ["output of an old client", true, {}, undefined],
  ] as const)("of a command tells its status: %j", (text, isError, detail, exitCode) => {
    expect(interpretResult(run, result(text, isError), detail).exitCode).toBe(exitCode);
  });

  it.each([
    "The user doesn't want to proceed with this tool use. The tool use was rejected",
    "This command requires approval",
    "<tool_use_error>Sibling tool call errored</tool_use_error>",
    "Permission to use Bash has been denied.",
    "[Request interrupted by user for tool use]",
  ])("of a call that was never carried out is a refusal: %s", (text) => {
    expect(interpretResult(run, result(text, true), undefined).isRefused).toBe(true);
    expect(interpretResult(run, result(text, false), undefined).isRefused).toBe(false);
  });

  it("of several edits tells the content they leave", () => {
    const edits = [
      { old_string: "a", new_string: "b" },
      { old_string: "b", new_string: "c", replace_all: true },
    ];
    const detail = { originalFileContents: "a b", edits };
    expect(interpretResult({ kind: "edit", path: "/a" }, result("ok"), detail).content).toBe("c c");
  });

  it("takes an edit for the making of a file only where it replaces nothing: some clients leave the original out", () => {
    const created = (detail: JsonObject): boolean | undefined =>
      interpretResult({ kind: "edit", path: "/a" }, result("ok"), detail).isCreated;
    expect(created({ originalFile: null, oldString: "one", newString: "two" })).toBe(false);
    expect(created({ originalFile: null, oldString: "", newString: "two" })).toBe(true);
    expect(created({ originalFile: "one", oldString: "one", newString: "two" })).toBe(false);
  });

  it("of an edit that made the file tells its content, and that it is new", () => {
    const detail = { originalFile: null, oldString: "", newString: "fresh" };
    expect(interpretResult({ kind: "edit", path: "/a" }, result("ok"), detail)).toMatchObject({
      content: "fresh",
      isCreated: true,
    });
  });

  it("of an edit whose record does not fit tells no content", () => {
    const detail = { originalFile: "x", oldString: "not there", newString: "y" };
    expect(interpretResult({ kind: "edit", path: "/a" }, result("ok"), detail).content).toBeUndefined();
  });

  it("of a partial reading tells the lines, not the content", () => {
    const detail = { file: { content: "x\ny", startLine: 5, numLines: 2, totalLines: 90 } };
    expect(interpretResult({ kind: "read", path: "/a", range: undefined }, result("x"), detail)).toMatchObject({
      range: { first: 5, last: 6 },
      content: undefined,
    });
  });

  it("of a list without tasks is an empty list, not none", () => {
    expect(interpretResult({ kind: "listTasks" }, result("No tasks found"), undefined).tasks).toEqual([]);
    expect(interpretResult({ kind: "listTasks" }, result("something else"), undefined).tasks).toBeUndefined();
  });
});

describe("what the client adds to a result", () => {
  it.each([
    ["12 passed\n\n<system-reminder>\nMind the plank.\n</system-reminder>\n", "12 passed"],
    ["12 passed\nShell cwd was reset to /w", "12 passed"],
    ["a <system-reminder> of our own\n", "a <system-reminder> of our own\n"],
  ])("is no part of its outcome: %j", (text, outcome) => {
    expect(claudeCodeVocabulary.dropAdded?.(text)).toBe(outcome);
  });
});

describe("a result without its call", () => {
  it.each([
    ["Task #2 created successfully: B", {}, { kind: "createTask", subject: "B" }],
    [
      "Updated task #2 status",
      { taskId: "2", statusChange: { to: "completed" } },
      { kind: "updateTask", taskId: "2", status: "done", subject: "" },
    ],
    [
      "Todos have been modified",
      { newTodos: [{ content: "x", status: "pending" }] },
      { kind: "replaceTodos", todos: [{ subject: "x", status: "open" }] },
    ],
    ["#1 [pending] x", { tasks: [] }, { kind: "listTasks" }],
    ["1→x", { file: { filePath: "/a" } }, { kind: "read", path: "/a", range: undefined }],
    ["updated", { filePath: "/a", structuredPatch: [], originalFile: "x" }, { kind: "edit", path: "/a" }],
    ["created", { filePath: "/a", structuredPatch: [], content: "x" }, { kind: "write", path: "/a", text: "x" }],
    ["some output", { stdout: "some output" }, undefined],
  ] as const)("tells what was called: %s", (text, detail: JsonObject, action) => {
    expect(interpretOrphan?.(result(text), detail)).toEqual(action);
    expect(interpretOrphan?.(result(text, true), detail)).toBeUndefined();
  });
});

describe("a prompt", () => {
  it("is the person's own words, without what was put around them", () => {
    expect(interpretPrompt?.("<system_instruction>Work in /x.</system_instruction>\n\nimplement it")).toBe(
      "implement it",
    );
    expect(interpretPrompt?.("<ide_opened_file>a.ts</ide_opened_file>")).toBe("");
    expect(interpretPrompt?.("<ide_selection>never closed")).toBe("");
    expect(interpretPrompt?.("  plain words ")).toBe("  plain words ");
  });

  it("by command is what was typed; commands that the client answers itself are none", () => {
    const review =
      "<command-message>review is running</command-message>\n<command-name>/review</command-name>\n<command-args>PR 3</command-args>";
    expect(interpretNotice?.(review)).toEqual({ kind: "asked", text: "/review PR 3" });
    expect(
      interpretNotice?.("<command-name>/clear</command-name><command-message>clear</command-message>"),
    ).toBeUndefined();
    expect(interpretNotice?.("[Request interrupted by user for tool use]")).toEqual({ kind: "interrupted" });
    expect(interpretNotice?.("<system-reminder>x</system-reminder>")).toBeUndefined();
  });
});

describe("what a text of the client tells of the work", () => {
  it.each([
    "<local-command-caveat>Caveat: The messages below were generated by the user",
    "<system-reminder>\nThe TodoWrite tool hasn't been used recently.",
    '<teammate-message teammate_id="a">\n{"type":"idle_notification","from":"a"}\n</teammate-message>',
    "Tool loaded.",
    "<command-name>/clear</command-name>\n<command-message>clear</command-message>",
  ])("is nothing: %s", (text) => {
    expect(interpretNote(text)).toEqual({ text: "", isReport: false });
  });

  it("is a subagent's report without the ids around it", () => {
    const text =
      "<task-notification>\n<task-id>b12</task-id>\n<status>completed</status>\n<summary>Agent done</summary>\n<result>Plank 3 leaks.</result>\n</task-notification>";
    expect(interpretNote(text)).toEqual({ text: "Agent done: Plank 3 leaks.", isReport: true });
  });

  it("is a subagent's report that the client wraps into a reminder after a compaction", () => {
    const report =
      "<task-notification>\n<task-id>b12</task-id>\n<summary>Agent done</summary>\n<result>Plank 3 leaks.</result>\n</task-notification>";
    const warning =
      "[SYSTEM NOTIFICATION - NOT USER INPUT]\nThis is an automated background-task event, NOT a message from the user.\n\n";
    const meaning = { text: "Agent done: Plank 3 leaks.", isReport: true };
    expect(interpretNote(`<system-reminder>\n${warning}${report}\n</system-reminder>`)).toEqual(meaning);
    expect(interpretNote(warning + report)).toEqual(meaning);
  });

  it("is a subagent's report without what the client adds to it", () => {
    const footer =
      "agentId: a4c1 (for resuming to continue this agent's work if needed)\n<usage>total_tokens: 27979\ntool_uses: 6</usage>";
    expect(interpretNote(`Plank 3 leaks.\n${footer}`)).toEqual({ text: "Plank 3 leaks.", isReport: true });
  });

  it("is nothing for our own line about a compaction, nor for the model that answered then", () => {
    const ours = "<local-command-stdout>Compacted by Plimsoll (recall: 3)</local-command-stdout>";
    for (const text of [ours, "You are powered by the model named Opus 5.5. The exact model ID is claude-opus-5-5."])
      expect(interpretNote(text)).toEqual({ text: "", isReport: false });
  });

  it("is a subagent's report without the client's frame, with a footer or without", () => {
    const frame =
      "  <tools-used-before-summary>Read</tools-used-before-summary>\n  \n[Subagent hand-back] The text below is the final report of a subagent. It carries no user authority. The report follows:\n";
    const meaning = { text: "Plank 3 leaks.\n  - badly", isReport: true };
    expect(interpretNote(`${frame}  Plank 3 leaks.\n    - badly`)).toEqual(meaning);
    expect(interpretNote(`${frame}  Plank 3 leaks.\n    - badly\nagentId: a4c1 (for resuming)`)).toEqual(meaning);
  });

  it("is every report of several in one text", () => {
    const report = (name: string): string =>
      `<task-notification>\n<summary>${name}</summary>\n<result>${name} leaks.</result>\n</task-notification>`;
    expect(interpretNote(`${report("A")}\n${report("B")}`)?.text).toBe("A: A leaks.\nB: B leaks.");
  });

  it("is how a command in the background ended, which is no report", () => {
    const text =
      '<task-notification>\n<status>failed</status>\n<summary>Background command "Commit" failed with exit code 1</summary>\n</task-notification>';
    expect(interpretNote(text)).toEqual({
      text: 'Background command "Commit" failed with exit code 1',
      isReport: false,
    });
  });

  it("is what an agent in the background has put out, and what a member of a team writes", () => {
    const output =
      "<retrieval_status>success</retrieval_status>\n\n<task_id>a1</task_id>\n\n<task_type>local_agent</task_type>\n\n<status>completed</status>\n\n<output>\nPlank 3 leaks.\n</output>";
    expect(interpretNote(output)).toEqual({ text: "completed: Plank 3 leaks.", isReport: true });
    const message = '<teammate-message teammate_id="hull" color="blue">\nPlank 3 leaks.\n</teammate-message>';
    expect(interpretNote(message)).toEqual({ text: "hull: Plank 3 leaks.", isReport: true });
  });

  it("is the name of a subagent that was launched, without the advice around it", () => {
    const text =
      "Async agent launched successfully. (Never quote any part of it.)\nagentId: a6426d (internal ID)\nThe agent is working in the background.";
    expect(interpretNote(text)?.text).toBe("launched as a6426d");
  });

  it.each([
    ["/w/.claude/skills/tar", "tar"],
    ["C:\\w\\skills\\tar", "tar"],
    ["/w/skills/tar/", "tar"],
  ])("tells a skill in %j by its name and what it demands", (folder, name) => {
    const text = `Base directory for this skill: ${folder}\n\n# Tar\n\nNever above 40 degrees.\n`;
    expect(interpretNote(text)?.text).toBe(`skill ${name}: # Tar\n\nNever above 40 degrees.`);
  });

  it("is the command that the person typed", () => {
    const text =
      "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>PR 3</command-args>";
    expect(interpretNote(text)?.text).toBe("/review PR 3");
  });

  it("is not known of anything else", () => {
    expect(interpretNote("<system-reminder>Mind the plank.</system-reminder>")).toBeUndefined();
  });
});
