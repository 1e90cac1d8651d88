/** If red: what the client attached to a prompt is lost or counted with the wrong size. */
import { describe, expect, it } from "vitest";
import { answer, attachment, prompt, toFile, transcript } from "../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../core/json.ts";
import { countToolsAtStart, renderAttachment } from "./attachment-text.ts";

describe("renderAttachment", () => {
  it("takes what newer clients say they send, in the role they send it in", () => {
    const line = { rendered: [{ content: "<system-reminder>one" }, { content: "two" }], renderedRole: "system" };
    expect(renderAttachment(line, { type: "date" })).toEqual({ role: "system", text: "<system-reminder>one\ntwo" });
  });

  it("finds it inside the attachment too, and takes an unknown role for the user's", () => {
    const attachment = { type: "file", rendered: [{ content: "text" }], renderedRole: "narrator", content: "not this" };
    expect(renderAttachment({}, attachment)).toEqual({ role: "user", text: "text" });
  });

  it("passes over rendered parts that hold no text", () => {
    expect(renderAttachment({ rendered: ["loose", { content: 5 }] }, { type: "date" }).text.trim()).toBe("");
  });

  it.each<{ readonly attachment: JsonObject; readonly text: string }>([
    { attachment: { type: "deferred_tools_delta", addedNames: ["A", "B"], removedNames: ["C"] }, text: "A\nB" },
    {
      attachment: { type: "agent_listing_delta", addedLines: ["- a: does", "- b: does"] },
      text: "- a: does\n- b: does",
    },
    { attachment: { type: "mcp_instructions_delta", addedBlocks: ["# one", "# two"] }, text: "# one\n\n# two" },
    { attachment: { type: "hook_additional_context", content: ["keep", "this"] }, text: "keep\nthis" },
    { attachment: { type: "hook_success", content: "said", stdout: "printed" }, text: "said" },
    { attachment: { type: "skill_listing", content: "- review: reviews" }, text: "- review: reviews" },
    { attachment: { type: "nested_memory", content: { path: "/a/CLAUDE.md", content: "rules" } }, text: "rules" },
    { attachment: { type: "edited_text_file", filename: "a.ts", snippet: "1 x" }, text: "a.ts\n1 x" },
    { attachment: { type: "file", content: { type: "text", file: { filePath: "a.ts", content: "x" } } }, text: "x" },
    { attachment: { type: "compact_file_reference", filename: "a.ts" }, text: "a.ts" },
    { attachment: { type: "directory", filename: "src" }, text: "src" },
    { attachment: { type: "queued_command", prompt: "and the tests" }, text: "and the tests" },
    { attachment: { type: "task_reminder", content: [{ id: "1" }, { id: "2" }] }, text: '{"id":"1"}\n{"id":"2"}' },
    { attachment: { type: "todo_reminder", content: [] }, text: "" },
    { attachment: { type: "invoked_skills", skills: [{ content: "do" }, "loose"] }, text: "do\n" },
    { attachment: { type: "hook_system_message", content: "for the person's eyes" }, text: "" },
    { attachment: { type: "telepathy", content: "unknown" }, text: "" },
  ])("renders the telling field of $attachment.type", ({ attachment, text }) => {
    expect(renderAttachment({}, attachment)).toEqual({ role: "user", text });
  });

  it("keeps the words of a queued prompt that came with a picture", () => {
    const prompt = [
      { type: "text", text: "what is" },
      { type: "image", source: {} },
      { type: "text", text: "this?" },
    ];
    expect(renderAttachment({}, { type: "queued_command", prompt }).text).toBe("what is\nthis?");
  });

  it.each([
    "agent_listing_delta",
    "deferred_tools_delta",
    "mcp_instructions_delta",
    "nested_memory",
    "file",
    "queued_command",
    "task_reminder",
    "invoked_skills",
  ])("finds nothing in a %s of the wrong shape", (type) => {
    const strange = { type, content: 5, addedNames: "x", addedLines: {}, addedBlocks: null, prompt: 5, skills: "x" };
    expect(renderAttachment({ rendered: "x" }, strange).text).toBe("");
  });
});

const listing = (...addedNames: readonly string[]) => attachment({ type: "deferred_tools_delta", addedNames });

describe("countToolsAtStart", () => {
  it("counts each name once, up to the first answer", () => {
    const lines = transcript(
      listing("a", "b"),
      prompt('what is "deferred_tools_delta"?'),
      listing("b", "c"),
      answer("m1", ["Hm."]),
      listing("d"),
    );
    expect(countToolsAtStart(toFile(lines))).toBe(3);
  });

  it("knows nothing of a transcript that is torn, or names none", () => {
    expect(countToolsAtStart('{"attachment":{"type":"deferred_tools_delta"')).toBe(0);
    expect(countToolsAtStart("")).toBe(0);
  });
});
