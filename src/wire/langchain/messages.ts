import type { Role } from "../../core/message.ts";
import { type Format, isRecord } from "../conversation.ts";
import { draftCall } from "../draft.ts";
import { createToolCallsFormat } from "../openai-chat/messages.ts";

const ROLES: ReadonlyMap<unknown, Role | "tool"> = new Map<unknown, Role | "tool">(
  Object.entries({ human: "user", ai: "assistant", system: "system", tool: "tool" } as const),
);

/**
 * LangChain's message objects. Nothing is imported from it: a changed message is made by
 * the class of its source, and a layer's message by the conversation's class for its role.
 */
export function createLangchainFormat(): Format {
  const classes = new Map<Role | "tool", object>();
  const roleOf = (raw: object): Role | "tool" | undefined => {
    const role = "type" in raw ? ROLES.get(raw.type) : undefined;
    if (role !== undefined && !classes.has(role)) classes.set(role, raw.constructor);
    return role;
  };
  return createToolCallsFormat({
    decideAuthor: () => "person",
    roleOf,
    isError: ({ status }) => status === "error",
    draftCall: ({ id, name, args }) => draftCall(id, name, args),
    renderCall: ({ callId, tool, input }, entry) => ({ ...entry, id: callId, name: tool, args: input }),
    make(role, fields, source) {
      const own = Object.entries(source ?? {}).filter(([name]) => !name.startsWith("lc_"));
      const made = construct(source?.constructor ?? classes.get(role), { ...Object.fromEntries(own), ...fields });
      const { content } = fields;
      // Every chat model also accepts a list of `{ role, content }`.
      return isMessage(made) ? made : { role, content: typeof content === "string" ? content : [] };
    },
  });
}

function construct(made: unknown, fields: object): unknown {
  return typeof made === "function" && made !== Object ? Reflect.construct(made, [fields]) : undefined;
}

function isMessage(value: unknown): value is object {
  return (
    isRecord(value) && ROLES.has(value.type) && (typeof value.content === "string" || Array.isArray(value.content))
  );
}
