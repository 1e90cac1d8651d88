import type { Accountable, ReplaceBlock, ReplaceSpan } from "./edit.ts";
import { type ContentHasher, hashBlocks, hashMessages } from "./hash.ts";
import type { Block, Message } from "./message.ts";

export interface BlockChange extends Accountable, Pick<ReplaceBlock, "content"> {
  /** Other blocks the new content refers to, such as the call of a result. */
  readonly restsOn?: readonly Block[];
}

/** An edit that replaces this block's content wherever the same content appears again. */
export function replaceBlock(block: Block, change: BlockChange, hash?: ContentHasher): ReplaceBlock {
  const { restsOn = [], ...rest } = change;
  return {
    ...rest,
    kind: "replaceBlock",
    block: block.id,
    replaces: hashBlocks([block, ...restsOn], hash),
    ...(restsOn.length === 0 ? {} : { restsOn: restsOn.map(({ id }) => id) }),
  };
}

/** An edit that replaces these consecutive messages; for an empty list it has no target. */
export function replaceSpan(
  span: readonly Message[],
  change: Accountable & Pick<ReplaceSpan, "messages">,
  hash?: ContentHasher,
): ReplaceSpan {
  const [first, last] = [span[0]?.id ?? "", span.at(-1)?.id ?? ""];
  return { ...change, kind: "replaceSpan", first, last, replaces: hashMessages(span, hash) };
}
