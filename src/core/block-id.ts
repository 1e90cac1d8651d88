import { hashText } from "./hash.ts";

/** What a block is recognised by: a tool call's own id where there is one, otherwise its content. */
export type Identity =
  | { readonly kind: "toolCall" | "toolResult"; readonly callId: string }
  | { readonly kind: "text" | "thinking" | "image" | "opaque" | "message"; readonly content: string };

/**
 * Names blocks so that the same block of a growing conversation gets the same id in every request, at every door.
 * Histories grow at the end, so equal contents are told apart by their order of appearance.
 * Create one per conversation walk and feed it the blocks from the first to the last. Whoever walks on later keeps
 * `timesSeen`, which is counted on in place, and takes back with `forgetBlockId` what is no longer there.
 */
export function createBlockIds(timesSeen: Map<string, number> = new Map()): (identity: Identity) => string {
  return (identity) => {
    const name = "callId" in identity ? identity.callId : hashText(identity.content);
    const key = `${identity.kind}:${name}`;
    const seen = timesSeen.get(key) ?? 0;
    timesSeen.set(key, seen + 1);
    // The count stands before the name: a call id may itself end in ":1".
    return seen === 0 ? key : `${identity.kind}#${seen}:${name}`;
  };
}

/** As if the block had never been seen. Only the newest may be forgotten, newest first or all of them. */
export function forgetBlockId(timesSeen: Map<string, number>, id: string): void {
  const name = id.indexOf(":");
  const count = id.indexOf("#");
  const key = count >= 0 && count < name ? id.slice(0, count) + id.slice(name) : id;
  timesSeen.set(key, (timesSeen.get(key) ?? 1) - 1);
}
