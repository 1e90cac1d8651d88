import { type Block, renderResultText } from "../../core/message.ts";

/** What a conversation quotes: fed its blocks in order, old and new. */
export interface QuotedHandles {
  feed(block: Block): void;
  list(): readonly string[];
}

const HANDLE = /\bplimsoll:[0-9a-f]{12,64}\b/g;
/** Digits that a call may have asked for, however it spelled the handle. */
const DIGITS = /[0-9a-f]{12,}/g;

/**
 * The handles that a conversation was shown: by a person, by the client, in a result. What the model itself writes is no evidence, and
 * neither is an answer that repeats what its call had asked for: otherwise asking twice would open any handle.
 */
export function createQuotedHandles(): QuotedHandles {
  const quoted = new Set<string>();
  const asked = new Map<string, readonly string[]>();
  const add = (text: string, except: readonly string[] = []): void => {
    for (const handle of text.match(HANDLE) ?? [])
      if (!except.some((digits) => digits.includes(handle.slice("plimsoll:".length)))) quoted.add(handle);
  };
  return {
    feed(block) {
      if (block.kind === "toolCall")
        asked.set(block.callId, JSON.stringify(block.input).toLowerCase().match(DIGITS) ?? []);
      if (block.kind === "toolResult") add(renderResultText(block), asked.get(block.callId));
      if (block.kind === "text" && block.author !== "model") add(block.text);
    },
    list: () => [...quoted],
  };
}
