import { hashText } from "./hash.ts";

/** A block is identified by its tool call id if it has one, otherwise by its content. */
export type Identity =
  | { readonly kind: "toolCall" | "toolResult"; readonly callId: string }
  | { readonly kind: "text" | "thinking" | "image" | "opaque" | "message"; readonly content: string };

/**
 * Gives a block of a growing conversation the same id in every request and at every entry point. Histories grow at the end, so blocks with
 * equal content are numbered by order of appearance.
 * Create one per walk over the conversation and feed it all blocks in order. To continue a walk later, keep `timesSeen`, which is updated
 * in place, and undo removed blocks with `forgetBlockId`.
 */
export function createBlockIds(timesSeen: Map<string, number> = new Map()): (identity: Identity) => string {
  return (identity) => {
    const name = "callId" in identity ? identity.callId : hashText(identity.content);
    const key = `${identity.kind}:${name}`;
    const seen = timesSeen.get(key) ?? 0;
    timesSeen.set(key, seen + 1);
    // The count comes before the name because a call id may itself end in ":1".
    return seen === 0 ? key : `${identity.kind}#${seen}:${name}`;
  };
}

/** Undoes one block. Forget the newest first, or all of them. */
export function forgetBlockId(timesSeen: Map<string, number>, id: string): void {
  const name = id.indexOf(":");
  const count = id.indexOf("#");
  const key = count >= 0 && count < name ? id.slice(0, count) + id.slice(name) : id;
  timesSeen.set(key, (timesSeen.get(key) ?? 1) - 1);
}
