import type { Accountable, BlockContent, ReplaceBlock, ReplaceSpan } from "./edit.ts";
import { type ContentHasher, hashBlocks, hashMessages } from "./hash.ts";
import type { Block, Message } from "./message.ts";

export interface BlockChange extends Accountable {
  readonly content: BlockContent;
  /** Other blocks the new content refers to, such as the call of a result. */
  readonly restsOn?: readonly Block[];
}

export interface SpanChange extends Accountable {
  readonly messages: readonly Message[];
}

/** An edit that replaces this block's content wherever the same content appears again. */
export function replaceBlock(block: Block, change: BlockChange, hash?: ContentHasher): ReplaceBlock {
  const { restsOn = [], content, by, reason, handles } = change;
  return {
    kind: "replaceBlock",
    block: block.id,
    replaces: hashBlocks([block, ...restsOn], hash),
    ...(restsOn.length === 0 ? {} : { restsOn: restsOn.map(({ id }) => id) }),
    content,
    by,
    reason,
    handles,
  };
}

/** An edit that replaces these consecutive messages; for an empty list it has no target. */
export function replaceSpan(span: readonly Message[], change: SpanChange, hash?: ContentHasher): ReplaceSpan {
  const { messages, by, reason, handles } = change;
  return {
    kind: "replaceSpan",
    first: span[0]?.id ?? "",
    last: span.at(-1)?.id ?? "",
    replaces: hashMessages(span, hash),
    messages,
    by,
    reason,
    handles,
  };
}
