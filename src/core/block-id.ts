import { hashText } from "./hash.ts";

/** What a block is recognised by: a tool call's own id where there is one, otherwise its content. */
export type Identity =
  | { readonly kind: "toolCall" | "toolResult"; readonly callId: string }
  | { readonly kind: "text" | "thinking" | "image" | "opaque" | "message"; readonly content: string };

/**
 * Names blocks so that the same block of a growing conversation gets the same id in every request, at every door.
 * Histories grow at the end, so equal contents are told apart by their order of appearance.
 * Create one per conversation walk and feed it the blocks from the first to the last; `given` are the ids of a beginning
 * that was walked before.
 */
export function createBlockIds(given: Iterable<string> = []): (identity: Identity) => string {
  const timesSeen = new Map<string, number>();
  for (const id of given) {
    const key = stripCount(id);
    timesSeen.set(key, (timesSeen.get(key) ?? 0) + 1);
  }
  return (identity) => {
    const name = "callId" in identity ? identity.callId : hashText(identity.content);
    const key = `${identity.kind}:${name}`;
    const seen = timesSeen.get(key) ?? 0;
    timesSeen.set(key, seen + 1);
    // The count stands before the name: a call id may itself end in ":1".
    return seen === 0 ? key : `${identity.kind}#${seen}:${name}`;
  };
}

function stripCount(id: string): string {
  const name = id.indexOf(":");
  const count = id.indexOf("#");
  return count >= 0 && count < name ? id.slice(0, count) + id.slice(name) : id;
}
