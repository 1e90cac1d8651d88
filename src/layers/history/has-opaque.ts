import type { Message } from "../../core/message.ts";

/** Nothing that holds a block or a part nobody understands may leave. */
export function hasOpaque({ blocks }: Message): boolean {
  return blocks.some(
    (block) =>
      block.kind === "opaque" || (block.kind === "toolResult" && block.parts.some((part) => part.kind === "opaque")),
  );
}
