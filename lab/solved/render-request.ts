import type { ApiRequest } from "../../test/api/api-request.ts";
import { blocksOf, type ContentBlock, isRecord } from "../../test/api/messages-body.ts";

/** What the client says of itself in every window, whoever compacts: no arm is better or worse for it. */
const OWN_REMINDERS =
  /<system-reminder>\n(?:# Environment|You are powered by|The following deferred tools|Available agent types|# MCP Server Instructions|The following skills are available|<total_tokens>|The task tools haven't|As you answer the user's questions)[\s\S]*?<\/system-reminder>\s*/g;

/** A request's messages as one text, in their order, without the client's reminders about itself. */
export function renderRequest({ body }: ApiRequest): string {
  return body.messages
    .map(({ role, content }, index) => {
      const blocks = blocksOf(content).map(renderBlock).join("\n\n");
      return `=== message ${index + 1}, ${role} ===\n\n${blocks}`;
    })
    .join("\n\n")
    .replaceAll(OWN_REMINDERS, "");
}

function renderBlock(block: ContentBlock): string {
  if (block.type === "tool_use") return `[call ${String(block.name)} ${JSON.stringify(block.input)}]`;
  if (block.type === "tool_result") return `[result${block.is_error ? ", failed" : ""}]\n${renderParts(block.content)}`;
  return typeof block.text === "string" ? block.text : `[${block.type}]`;
}

function renderParts(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter(isRecord)
    .map((part) => (typeof part.text === "string" ? part.text : `[${String(part.type)}]`))
    .join("\n");
}
