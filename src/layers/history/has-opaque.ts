import type { Message } from "../../core/message.ts";

/** A block that nobody understands keeps its message where it is. A result may go with its exchange, whatever its parts are: a handle fetches it. */
export function hasOpaque({ blocks }: Message): boolean {
  return blocks.some(({ kind }) => kind === "opaque");
}
