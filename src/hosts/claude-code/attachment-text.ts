import {
  isObject,
  type JsonObject,
  listField,
  objectField,
  parseObject,
  textField,
  textListField,
} from "../../core/json.ts";
import type { Role } from "../../core/message.ts";

interface RenderedAttachment {
  readonly role: Role;
  /** What the model is sent for it; empty for attachments that only inform the person. */
  readonly text: string;
}

/**
 * Newer clients record what they send (`rendered`). For others the main field of each kind is
 * taken: the client's framing around it is not recorded and shows up as unaccounted tokens.
 */
export function renderAttachment(line: JsonObject, attachment: JsonObject): RenderedAttachment {
  const rendered =
    listField(line, "rendered").length > 0 ? listField(line, "rendered") : listField(attachment, "rendered");
  if (rendered.length > 0) {
    const role = textField(line, "renderedRole") || textField(attachment, "renderedRole");
    const text = rendered.map((item) => (isObject(item) ? textField(item, "content") : "")).join("\n");
    return { role: role === "system" ? "system" : "user", text };
  }
  return { role: "user", text: renderTellingField(attachment) };
}

function renderTellingField(attachment: JsonObject): string {
  switch (attachment.type) {
    case "deferred_tools_delta":
      return textListField(attachment, "addedNames").join("\n");
    case "agent_listing_delta":
      return textListField(attachment, "addedLines").join("\n");
    case "mcp_instructions_delta":
      return textListField(attachment, "addedBlocks").join("\n\n");
    case "hook_additional_context":
      return textListField(attachment, "content").join("\n");
    case "skill_listing":
    case "hook_success":
      return textField(attachment, "content");
    case "nested_memory":
      return textField(objectField(attachment, "content") ?? {}, "content");
    case "edited_text_file":
      return `${textField(attachment, "filename")}\n${textField(attachment, "snippet")}`;
    case "file":
      return textField(objectField(objectField(attachment, "content") ?? {}, "file") ?? {}, "content");
    case "compact_file_reference":
    case "directory":
      return textField(attachment, "filename");
    case "queued_command":
      return renderPrompt(attachment);
    case "task_reminder":
    case "todo_reminder":
      return listField(attachment, "content")
        .map((item) => JSON.stringify(item))
        .join("\n");
    case "invoked_skills":
      return listField(attachment, "skills")
        .map((skill) => (isObject(skill) ? textField(skill, "content") : ""))
        .join("\n");
    default:
      return "";
  }
}

/** A prompt with a picture is a list of blocks. */
function renderPrompt(attachment: JsonObject): string {
  const texts = listField(attachment, "prompt").map((block) => (isObject(block) ? textField(block, "text") : ""));
  return textField(attachment, "prompt") || texts.filter((text) => text !== "").join("\n");
}

/**
 * How many tools a transcript names at its start: those whose schemas are found by
 * search. Schemas that were sent whole are in no transcript, so this is a lower bound.
 */
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
