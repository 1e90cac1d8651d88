import type { View } from "../../core/layer.ts";
import type { Block, Message } from "../../core/message.ts";

/** Tokens that go when `after` stands in the place of `before`; zero and less where nothing is won, and a layer leaves it alone. */
export function weighSaving(
  { countTokens }: View,
  message: Message,
  { before, after }: { readonly before: Block; readonly after: Block },
): number {
  return countTokens({ ...message, blocks: [before] }) - countTokens({ ...message, blocks: [after] });
}
