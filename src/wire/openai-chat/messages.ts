import type { Author, Role } from "../../core/message.ts";
import { type Format, isRecord } from "../conversation.ts";
import { draftCall } from "../draft.ts";
import { parseCallArguments } from "../openai-responses/items.ts";
import { createToolCallsFormat } from "../tool-calls-format.ts";

const ROLES: ReadonlyMap<unknown, Role | "tool"> = new Map<unknown, Role | "tool">(
  Object.entries({
    user: "user",
    assistant: "assistant",
    system: "system",
    developer: "system",
    tool: "tool",
  } as const),
);

/** The `messages` of the Chat Completions API, of OpenAI and compatible providers. */
export function createChatFormat(decideAuthor: (text: string) => Author): Format {
  return createToolCallsFormat({
    decideAuthor,
    roleOf: ({ role }) => ROLES.get(role),
    isError: () => false,
    draftCall: ({ id, function: called }) =>
      isRecord(called) ? draftCall(id, called.name, parseCallArguments(called.arguments)) : undefined,
    renderCall: ({ callId, tool, input }, entry) => ({
      ...entry,
      id: callId,
      type: "function",
      function: { name: tool, arguments: JSON.stringify(input) },
    }),
    make(role, fields, source) {
      const { content } = fields;
      const said = typeof content === "string" || Array.isArray(content) ? content : "";
      return { role, ...source, ...fields, content: said };
    },
  });
}
