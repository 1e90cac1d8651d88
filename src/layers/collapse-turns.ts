import { unknownOccasion } from "../core/occasion.ts";
import { listOriginals } from "./history/list-originals.ts";
import type { Hash, StoringLayer } from "./history/originals.ts";
import { type CallVocabulary, plainVocabulary } from "./history/vocabulary.ts";
import { decideCollapse } from "./ledger/decide-collapse.ts";
import type { LedgerStyle } from "./ledger/describe-call.ts";
import { planCollapse } from "./ledger/plan-collapse.ts";
import { weighHistory } from "./ledger/weigh-history.ts";
import { DEFAULT_POLICY, POLICY_SETTINGS, type PolicyName, type PolicySettings } from "./options/policy-settings.ts";
import { requireNumber } from "./options/require-number.ts";

export interface CollapseTurnsOptions extends Partial<Omit<PolicySettings, "fold">> {
  /** Where the rest of the settings come from; `balanced` unless told. */
  readonly policy?: PolicyName;
  /** For a moment when it must be, as when the window is full or the API refused: all that is old, at once. */
  readonly now?: boolean;
  /**
   * Asked on every request, which is the default: what a session costs is history carried from step to step. `false` for
   * whoever wants the line to decide.
   */
  readonly eager?: boolean;
  readonly vocabulary?: CallVocabulary;
  /** Where the session runs: paths below it are written without it. */
  readonly root?: string;
  /** What the door has to say beside the ledger after each collapse, such as the work that is open. */
  readonly standing?: () => string;
  /** A native hash where the door has one. */
  readonly sha256?: Hash;
}

const NAME = "collapseTurns";

/**
 * Layer 5: old turns become a ledger at read time; the host's history stays as it is. The person's words stay word for word, a
 * call with its result is one line, and one handle fetches whatever a stretch of lines stands for.
 */
export function createCollapseTurns(options: CollapseTurnsOptions = {}): StoringLayer {
  const settings = parseOptions(options);
  const { root, vocabulary = plainVocabulary, sha256: hash } = options;
  const style: LedgerStyle = { vocabulary, root, wordsCharacters: settings.wordsCharacters };
  return {
    name: NAME,
    cost: 5,
    eager: options.eager ?? true,
    plan: ({ messages, tokens, targetTokens, countTokens, occasion = unknownOccasion }) => {
      const history = weighHistory(messages, countTokens, { style, tail: settings });
      const { isDue, gainTokens } = decideCollapse(history, occasion, settings);
      const mustGo = options.now === true || (tokens > targetTokens && gainTokens >= settings.leastTokens);
      if (!isDue && !mustGo) return [];
      const { thinAfterExchanges } = settings;
      return planCollapse(messages, history, {
        by: NAME,
        hash,
        thinAfterExchanges,
        countTokens,
        standing: options.standing,
      });
    },
    originals: (edits, messages) => listOriginals(edits, messages, hash),
  };
}

function parseOptions(options: CollapseTurnsOptions): Omit<PolicySettings, "fold"> {
  const named = POLICY_SETTINGS[options.policy ?? DEFAULT_POLICY];
  if (named === undefined)
    throw new TypeError(
      `policy must be one of ${Object.keys(POLICY_SETTINGS).join(", ")}, not ${String(options.policy)}`,
    );
  const require = (name: keyof Omit<PolicySettings, "fold">, least: number): number =>
    requireNumber(name, options[name] ?? named[name], { least, fix: "leave the option out for its default" });
  return {
    keepExchanges: require("keepExchanges", 1),
    maxTailTokens: require("maxTailTokens", 0),
    patience: require("patience", 0),
    leastTokens: require("leastTokens", 0),
    leastColdTokens: require("leastColdTokens", 0),
    wordsCharacters: require("wordsCharacters", 0),
    thinAfterExchanges: require("thinAfterExchanges", 1),
  };
}
