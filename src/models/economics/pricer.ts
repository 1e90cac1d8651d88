import type { Edit } from "../../core/edit.ts";
import type { EditMoment, Pricer } from "../../core/edit-verdict.ts";
import type { View } from "../../core/layer.ts";
import type { Message } from "../../core/message.ts";
import { requireAtLeast } from "../../core/require-option.ts";
import { findModel } from "../find-model.ts";
import { type CacheState, countWarmTokens } from "./cache-state.ts";
import { LOOK_BACK_BLOCKS } from "./cached-prefix.ts";
import { type DecideOptions, decideEdits } from "./decide-edits.ts";
import type { SizedEdit } from "./price-edit.ts";
import type { RemovedContent } from "./recovery.ts";
import { type CountTokens, countCommonTokens, locateLastBlocks, sizeEdits } from "./size-edits.ts";
import { countWaited, keyOfEdit, nobodyWaits, type Waiting } from "./waiting.ts";

export interface PricerOptions {
  readonly cache: CacheState;
  readonly nowMs: number;
  readonly model: string;
  readonly moment: EditMoment;
  /** System prompt, tools, instructions: what the cache counts and the view does not. */
  readonly baseTokens: number;
  readonly expectedRequests?: number | undefined;
  /** For where nothing is expected. */
  readonly waiting?: Waiting;
  readonly clearAtLeastTokens?: number;
  readonly marginShare?: number;
  /** The last message that was sent, where it is known: surer than the cache's token count, which was never ours. */
  readonly lastSentMessage?: string;
  /** `client`: the end of the request is marked. `atEdit`: the caller marks the place of the first edit too. */
  readonly breakpoints?: "client" | "atEdit";
  /** What an edit removes; by its shape unless told. */
  readonly classify?: (edit: Edit) => RemovedContent;
}

/** The price of edits against the cache as it stands now. Made anew for every request. */
export function createPricer(options: PricerOptions): Pricer {
  requireAtLeast(0, "baseTokens", options.baseTokens);
  const { baseTokens, classify = classifyByShape, waiting = nobodyWaits } = options;
  const memory = new WeakMap<Message, number>();
  return (edits, view, { isEager, replayed }) => {
    const countTokens = remember(memory, view.countTokens);
    const { prefix, sentTokens } = locateCache(options, view, { replayed, countTokens });
    const proposals = sizeEdits(view.messages, edits, countTokens).map((size, index): SizedEdit => {
      const edit = edits[index];
      const positionTokens = baseTokens + size.positionTokens;
      // What an eager layer changes at birth is its own judgement of what is needed: it is not charged for fetching again.
      const isTrusted = isEager && positionTokens >= prefix.warmTokens;
      return {
        positionTokens,
        savedTokens: size.savedTokens,
        ...(edit ? { content: classify(edit), waitedRequests: countWaited(waiting, keyOfEdit(edit)) } : {}),
        ...(isTrusted ? { recoveryShare: 0 } : {}),
      };
    });
    const contextTokens = baseTokens + view.tokens;
    return decideEdits(proposals, toDecideOptions(options, { prefix, sentTokens, contextTokens }));
  };
}

type Place = Pick<DecideOptions, "prefix"> & { readonly sentTokens: number };

function toDecideOptions(options: PricerOptions, now: Place & { readonly contextTokens: number }): DecideOptions {
  const { moment, model, cache, expectedRequests, clearAtLeastTokens, marginShare } = options;
  return {
    ...now,
    model,
    moment,
    share1h: cache.share1h,
    expectedRequests,
    ...(clearAtLeastTokens === undefined ? {} : { clearAtLeastTokens }),
    ...(marginShare === undefined ? {} : { marginShare }),
  };
}

function locateCache(
  options: PricerOptions,
  view: View,
  known: { readonly replayed: readonly Message[]; readonly countTokens: CountTokens },
): Place {
  const { cache, nowMs, model, baseTokens, breakpoints = "client" } = options;
  const { replayed, countTokens } = known;
  const warm = countWarmTokens(cache, nowMs, model);
  const isWhole = warm > 0 && warm === cache.cachedTokens;
  const sentTokens = (isWhole ? locateSent(options, replayed, countTokens) : undefined) ?? warm;
  const common = baseTokens + countCommonTokens(replayed, view.messages, countTokens);
  const prefix = {
    warmTokens: Math.min(sentTokens, common),
    baseTokens,
    reachFromTokens:
      breakpoints === "atEdit" ? 0 : baseTokens + locateLastBlocks(view.messages, LOOK_BACK_BLOCKS, countTokens),
    minimumTokens: findModel(model).minCacheTokens,
  };
  return { prefix, sentTokens };
}

/** The end of the last message that was sent, in tokens; `undefined` where it is not known or no longer there. */
function locateSent(
  { lastSentMessage, baseTokens }: PricerOptions,
  messages: readonly Message[],
  countTokens: CountTokens,
): number | undefined {
  if (lastSentMessage === undefined) return undefined;
  let tokens = baseTokens;
  for (const message of messages) {
    tokens += countTokens(message);
    if (message.id === lastSentMessage) return tokens;
  }
  return undefined;
}

/** An edit without handles took nothing out that is not still in view. */
function classifyByShape(edit: Edit): RemovedContent {
  if (edit.handles.length === 0) return "duplicate";
  return edit.kind === "replaceSpan" ? "exchanges" : "result";
}

function remember(memory: WeakMap<Message, number>, countTokens: CountTokens): CountTokens {
  return (message) => {
    let tokens = memory.get(message);
    if (tokens === undefined) {
      tokens = countTokens(message);
      memory.set(message, tokens);
    }
    return tokens;
  };
}
