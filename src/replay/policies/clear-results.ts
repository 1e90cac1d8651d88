import type { Edit } from "../../core/edit.ts";
import type { Message, ToolCallBlock, ToolResultBlock } from "../../core/message.ts";
import { replaceBlock } from "../../core/propose-edit.ts";
import { NOTHING_TO_DO, type Policy, type StepView } from "../policy.ts";
import { withBackstop } from "./native.ts";

export interface PairedResult {
  readonly call: ToolCallBlock | undefined;
  readonly result: ToolResultBlock;
  readonly tokens: number;
  readonly isCleared: boolean;
}

const CLEARED = "[Old tool result content cleared]";

function listResults({ messages, countTokens }: StepView): readonly PairedResult[] {
  const calls = new Map<string, ToolCallBlock>();
  const results: PairedResult[] = [];
  for (const message of messages) {
    for (const block of message.blocks) {
      if (block.kind === "toolCall") calls.set(block.callId, block);
      if (block.kind !== "toolResult") continue;
      const [part] = block.parts;
      const isCleared = block.parts.length === 1 && part?.kind === "text" && part.text === CLEARED;
      const tokens = countTokens(isolate(message, block));
      results.push({ call: calls.get(block.callId), result: block, tokens, isCleared });
    }
  }
  return results;
}

const alone = new WeakMap<ToolResultBlock, Message>();

/** A message of one block, always the same object, so that it is weighed once. */
function isolate(message: Message, block: ToolResultBlock): Message {
  if (message.blocks.length === 1) return message;
  let single = alone.get(block);
  if (!single) {
    single = { ...message, blocks: [block] };
    alone.set(block, single);
  }
  return single;
}

function clear({ result }: PairedResult, by: string): Edit {
  return replaceBlock(result, { content: { text: CLEARED }, by, reason: "old", handles: [] });
}

/** A policy that clears some of the complete results; they cannot be fetched back. */
export function createClearing(
  name: string,
  about: string,
  choose: (results: readonly PairedResult[], occasion: StepView) => readonly PairedResult[],
): Policy {
  return withBackstop({
    name,
    about,
    create: () => ({
      plan(occasion) {
        const chosen = choose(listResults(occasion), occasion).filter(({ isCleared }) => !isCleared);
        return chosen.length === 0 ? NOTHING_TO_DO : { edits: chosen.map((result) => clear(result, name)) };
      },
    }),
  });
}

const CONTEXT_EDITING = { triggerTokens: 100_000, keep: 3 };

export const clearToolUses: Policy = createClearing(
  "clear_tool_uses",
  "the API's context editing as documented: above 100,000 input tokens all results but the last 3 are cleared",
  (results, { tokens, baseTokens }) =>
    tokens + baseTokens <= CONTEXT_EDITING.triggerTokens ? [] : results.slice(0, -CONTEXT_EDITING.keep),
);
