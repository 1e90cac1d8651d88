import type { Message, Role } from "../../core/message.ts";
import type { Format, Identify, ParsedMessage, WireMessage } from "../conversation.ts";
import { isRecord } from "../is-json.ts";
import { parseOpaqueMessage } from "../opaque.ts";
import { type DecideAuthor, parseItem, roleOf } from "./parse-item.ts";
import { createItemRenderer } from "./render-item.ts";

/** Items that stand together as one message: everything that one side says before the other does. */
export interface ItemGroup {
  readonly message: WireMessage;
  readonly count: number;
}

/**
 * The `input` of a Responses request is a flat row of items. What the model says in one answer (reasoning, words, calls) is one
 * message of ours, and so is what comes back to it, so that whatever is bound together stays or goes together.
 */
export function groupItems(items: readonly object[]): readonly ItemGroup[] {
  const groups: { role: Role; items: object[] }[] = [];
  let open: Role | undefined;
  for (const item of items) {
    const known = isRecord(item) ? roleOf(item) : undefined;
    const role = known ?? "system";
    const last = groups.at(-1);
    if (last && open === role && role !== "system") last.items.push(item);
    else groups.push({ role, items: [item] });
    open = known;
  }
  return groups.map(({ role, items: own }) => ({ message: { role, content: own }, count: own.length }));
}

/** Reads and writes groups of items. */
export function createResponsesFormat({ decideAuthor }: { readonly decideAuthor: DecideAuthor }): Format {
  const { owners, renderBlock, joinParts } = createItemRenderer();
  return {
    parseMessage(raw: unknown, identify: Identify): ParsedMessage {
      const role = isRecord(raw) ? asRole(raw.role) : undefined;
      if (!isRecord(raw) || !role || !Array.isArray(raw.content)) return parseOpaqueMessage(raw, identify);
      const blocks = raw.content.flatMap((item: unknown) => {
        const parsed = parseItem(item, decideAuthor, identify);
        if (isRecord(item))
          for (const part of parsed) if (isRecord(part.raw) && part.raw !== item) owners.set(part.raw, item);
        return parsed;
      });
      return { role, blocks };
    },
    renderBlock,
    renderMessage: (message: Message, parts: readonly object[]): WireMessage => ({
      role: message.role,
      content: joinParts(message.role, parts),
    }),
  };
}

function asRole(role: unknown): Role | undefined {
  return role === "user" || role === "assistant" || role === "system" ? role : undefined;
}
