import {
  isObject,
  type Json,
  type JsonObject,
  listField,
  objectField,
  parseObject,
  textField,
  textListField,
} from "../../core/json.ts";
import type { Role } from "../../core/message.ts";

/** Newer clients record what they send. For others the framing around the main field is not recorded, and shows up as unaccounted tokens. */
export function renderAttachment(
  line: JsonObject,
  attachment: JsonObject,
): { readonly role: Role; readonly text: string } {
  const rendered =
    listField(line, "rendered").length > 0 ? listField(line, "rendered") : listField(attachment, "rendered");
  if (rendered.length > 0) {
    const role = textField(line, "renderedRole") || textField(attachment, "renderedRole");
    return { role: role === "system" ? "system" : "user", text: joinFields(rendered, "content") };
  }
  const type = textField(attachment, "type");
  return { role: "user", text: (Object.hasOwn(RENDERERS, type) && RENDERERS[type]?.(attachment)) || "" };
}

/** The main field of each kind that the model is sent; the others only inform the person. */
const RENDERERS: Readonly<Record<string, (attachment: JsonObject) => string>> = {
  deferred_tools_delta: (attachment) => textListField(attachment, "addedNames").join("\n"),
  agent_listing_delta: (attachment) => textListField(attachment, "addedLines").join("\n"),
  mcp_instructions_delta: (attachment) => textListField(attachment, "addedBlocks").join("\n\n"),
  hook_additional_context: (attachment) => textListField(attachment, "content").join("\n"),
  skill_listing: (attachment) => textField(attachment, "content"),
  hook_success: (attachment) => textField(attachment, "content"),
  nested_memory: ({ content }) => (isObject(content) ? textField(content, "content") : ""),
  edited_text_file: (attachment) => `${textField(attachment, "filename")}\n${textField(attachment, "snippet")}`,
  file: (attachment) => textField(objectField(objectField(attachment, "content") ?? {}, "file") ?? {}, "content"),
  compact_file_reference: (attachment) => textField(attachment, "filename"),
  directory: (attachment) => textField(attachment, "filename"),
  queued_command: renderPrompt,
  task_reminder: renderList,
  todo_reminder: renderList,
  invoked_skills: (attachment) => joinFields(listField(attachment, "skills"), "content"),
};

function renderList(attachment: JsonObject): string {
  const items = listField(attachment, "content").map((item) => JSON.stringify(item));
  return items.join("\n");
}

function joinFields(items: readonly Json[], key: string): string {
  return items.map((item) => (isObject(item) ? textField(item, key) : "")).join("\n");
}

/** A prompt with a picture is a list of blocks. */
function renderPrompt(attachment: JsonObject): string {
  const texts = listField(attachment, "prompt").map((block) => (isObject(block) ? textField(block, "text") : ""));
  return textField(attachment, "prompt") || texts.filter((text) => text !== "").join("\n");
}

/** How many tools are found by search. Schemas that were sent whole are in no transcript, so this is a lower bound. */
export function countToolsAtStart(text: string): number {
  const names = new Set<string>();
  for (const line of text.split("\n")) {
    if (line.includes('"type":"assistant"')) break;
    if (!line.includes('"deferred_tools_delta"')) continue;
    const attachment = objectField(parseObject(line), "attachment") ?? {};
    if (textField(attachment, "type") === "deferred_tools_delta")
      for (const name of textListField(attachment, "addedNames")) names.add(name);
  }
  return names.size;
}
