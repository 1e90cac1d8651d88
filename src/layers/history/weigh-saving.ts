import type { View } from "../../core/layer.ts";
import type { Block, Message } from "../../core/message.ts";

/** What a block weighs in its message; a layer may save nothing by a shorter text, and then leaves it alone. */
function weighBlock({ countTokens }: View, message: Message, block: Block): number {
  return countTokens({ ...message, blocks: [block] });
}

/** Tokens that go when `after` stands in the place of `before`; zero and less where nothing is won. */
export function weighSaving(
  view: View,
  message: Message,
  change: { readonly before: Block; readonly after: Block },
): number {
  return weighBlock(view, message, change.before) - weighBlock(view, message, change.after);
}
