import type { Edit } from "../../core/edit.ts";
import type { Message, ToolCallBlock, ToolResultBlock } from "../../core/message.ts";
import { replaceBlock } from "../../core/propose-edit.ts";
import { NOTHING_TO_DO, type Occasion, type Policy } from "../policy.ts";
import { withBackstop } from "./native.ts";

interface PairedResult {
  readonly call: ToolCallBlock | undefined;
  readonly result: ToolResultBlock;
  readonly tokens: number;
  readonly isCleared: boolean;
}

const CLEARED = "[Old tool result content cleared]";

/** All results of a view with their calls, oldest first. */
function listResults({ messages, countTokens }: Occasion): readonly PairedResult[] {
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

/** A message of one block, the same object each time, so that it is weighed once. */
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

/** A policy that clears some of the results that are still whole; none of them keeps a way back. */
function createClearing(
  name: string,
  about: string,
  choose: (results: readonly PairedResult[], occasion: Occasion) => readonly PairedResult[],
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

const MASK_KEEP = 10;

export const maskObservations: Policy = createClearing(
  "mask_10",
  "observation masking: all results but the last 10 are cleared at every request",
  (results) => results.slice(0, -MASK_KEEP),
);

/** Newest first: so many tokens are protected, and what lies behind goes if there is enough of it. */
function pruneBehind(
  results: readonly PairedResult[],
  limits: { readonly protectTokens: number; readonly minimumTokens: number },
): readonly PairedResult[] {
  let seen = 0;
  const behind: PairedResult[] = [];
  for (const result of [...results].reverse()) {
    if (result.isCleared) break;
    seen += result.tokens;
    if (seen > limits.protectTokens) behind.push(result);
  }
  const total = behind.reduce((sum, { tokens }) => sum + tokens, 0);
  return total > limits.minimumTokens ? behind : [];
}

const OPENCODE = { protectTokens: 40_000, minimumTokens: 20_000 };

export const opencodePrune: Policy = createClearing(
  "opencode_prune",
  "opencode's prune: the last 40,000 tokens of results are protected; what is older goes once it is 20,000",
  (results) => pruneBehind(results, OPENCODE),
);

const GEMINI = { protectTokens: 50_000, minimumTokens: 30_000 };

export const geminiMask: Policy = createClearing(
  "gemini_mask",
  "Gemini CLI's masking: the last 50,000 tokens of results are protected; what is older goes once it is 30,000",
  (results) => pruneBehind(results, GEMINI),
);

const PURGE_AFTER_RESULTS = 4;

/** Repeated calls keep their newest result; failed ones lose theirs after a few more results. */
export const dedupePurge: Policy = createClearing(
  "dedupe_purge",
  "dedupe and purge errors, as DCP does: of equal calls the newest result stays; a failed call's goes after 4 more results",
  (results) => {
    const newest = new Map<string, number>();
    for (const [index, { call }] of results.entries()) if (call) newest.set(nameCall(call), index);
    return results.filter(({ call, result }, index) => {
      const isRepeated = call !== undefined && newest.get(nameCall(call)) !== index;
      return isRepeated || (result.isError && results.length - index > PURGE_AFTER_RESULTS);
    });
  },
);

function nameCall(call: ToolCallBlock): string {
  return `${call.tool} ${JSON.stringify(call.input)}`;
}
