import type { Message } from "../core/message.ts";
import { type Hash, listOriginals, nameOriginal, renderOriginal, type StoringLayer } from "./history/originals.ts";
import { type ChunkOptions, planChunks } from "./ledger/plan-chunks.ts";
import { requireNumber } from "./options/require-number.ts";

export interface CollapseTurnsOptions {
  /** Nothing happens while the history weighs less. */
  readonly triggerTokens?: number;
  /** Nor unless so many tokens go: seldom and thoroughly costs less than a little and often. */
  readonly leastTokens?: number;
  /** The end that stays word for word: so many tokens, and never the last exchanges. */
  readonly keepTokens?: number;
  readonly keepExchanges?: number;
  /** For a moment that costs nothing, as when the cache is cold or the API refused: all that is old, at once. */
  readonly now?: boolean;
  /**
   * Asked on every request, which is the default: its trigger is far below the line, because what a session costs is history
   * carried from step to step. `false` for whoever wants the line to decide.
   */
  readonly eager?: boolean;
  /** A native hash where the door has one. */
  readonly sha256?: Hash;
}

export interface CollapseTurns extends StoringLayer {
  /** What a handle in a line stands for, out of the conversation as the host has it. */
  expand(handle: string, history: readonly Message[]): string | undefined;
}

const NAME = "collapseTurns";
/** Study at the end of replay.md: 0.70 of the price of native compaction. */
const TRIGGER_TOKENS = 60_000;
const LEAST_TOKENS = 30_000;
const KEEP_TOKENS = 10_000;
const KEEP_EXCHANGES = 4;

/**
 * Layer 5: old turns become a ledger at read time; the host's history stays as it is. Words stay word for word, a call with
 * its result is one line with a handle. A line once written never changes, so the cached prefix stands.
 */
export function createCollapseTurns(options: CollapseTurnsOptions = {}): CollapseTurns {
  const settings = parseOptions(options);
  return {
    name: NAME,
    cost: 5,
    eager: options.eager ?? true,
    plan: (view) => planChunks(view, settings),
    originals: (edits, messages) => listOriginals(edits, messages, options.sha256),
    expand: (handle, history) => {
      for (const block of history.flatMap(({ blocks }) => blocks)) {
        const text = block.kind === "toolCall" || block.kind === "toolResult" ? renderOriginal(block) : undefined;
        if (text !== undefined && nameOriginal(text, options.sha256) === handle) return text;
      }
      return undefined;
    },
  };
}

function parseOptions(options: CollapseTurnsOptions): ChunkOptions {
  const require = (name: keyof CollapseTurnsOptions, value: number, least: number): number =>
    requireNumber(name, value, { least, fix: "leave the option out for its default" });
  return {
    triggerTokens: require("triggerTokens", options.triggerTokens ?? TRIGGER_TOKENS, 0),
    leastTokens: require("leastTokens", options.leastTokens ?? LEAST_TOKENS, 0),
    keepTokens: require("keepTokens", options.keepTokens ?? KEEP_TOKENS, 0),
    keepExchanges: require("keepExchanges", options.keepExchanges ?? KEEP_EXCHANGES, 1),
    now: options.now ?? false,
    by: NAME,
    hash: options.sha256,
  };
}
