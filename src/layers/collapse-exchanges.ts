import type { Edit } from "../core/edit.ts";
import type { View } from "../core/layer.ts";
import { unknownOccasion } from "../core/occasion.ts";
import { listOriginals } from "./history/list-originals.ts";
import type { Hash, StoringLayer } from "./history/originals.ts";
import { type CallVocabulary, plainVocabulary } from "./history/vocabulary.ts";
import { type CollapseVerdict, decideCollapse, MOST_IN_VAIN } from "./ledger/decide-collapse.ts";
import { type LedgerStyle, lengthsOf } from "./ledger/describe-call.ts";
import { planCollapse } from "./ledger/plan-collapse.ts";
import { type History, weighHistory } from "./ledger/weigh-history.ts";
import { type CollapseSettings, DEFAULT_POLICY, POLICY_SETTINGS, type PolicyName } from "./options/policy-settings.ts";
import { requireNumber } from "./options/require-number.ts";

export interface CollapseExchangesOptions extends Partial<CollapseSettings> {
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

/** What is known before it is decided. */
export interface Weighed {
  readonly history: History;
  /** What the price says. */
  readonly verdict: CollapseVerdict;
  /** The view is above its line, and a collapse would free something. */
  readonly isOverLine: boolean;
}

export interface CollapseExchanges extends StoringLayer {
  weigh(view: View): Weighed;
  /** All that is old, whatever the price says: for whoever decides the moment. */
  collapse(view: View, history: History): readonly Edit[];
}

const NAME = "collapseExchanges";

/**
 * Layer 5: old exchanges become a ledger at read time; the host's history stays as it is. The person's words stay word for word, a
 * call with its result is one line, and one handle fetches whatever a stretch of lines stands for.
 */
export function createCollapseExchanges(options: CollapseExchangesOptions = {}): CollapseExchanges {
  const settings = parseOptions(options);
  const { root, vocabulary = plainVocabulary, sha256: hash } = options;
  const style: LedgerStyle = { vocabulary, root, ...lengthsOf(settings) };
  const weigh = ({ messages, tokens, targetTokens, countTokens, occasion = unknownOccasion }: View): Weighed => {
    const tail = { ...settings, roomTokens: targetTokens };
    const history = weighHistory(messages, countTokens, { style, tail });
    const verdict = decideCollapse(history, occasion, settings);
    return { history, verdict, isOverLine: tokens > targetTokens && verdict.gainTokens >= settings.leastTokens };
  };
  const { thinAfterExchanges } = settings;
  const collapse = ({ messages, countTokens }: View, history: History): readonly Edit[] =>
    planCollapse(messages, history, {
      by: NAME,
      hash,
      thinAfterExchanges,
      lengths: style,
      countTokens,
      standing: options.standing,
    });
  return {
    name: NAME,
    cost: 5,
    eager: options.eager ?? true,
    weigh,
    collapse,
    plan: (view) => {
      const { history, verdict, isOverLine } = weigh(view);
      return verdict.isDue || isOverLine || options.now === true ? collapse(view, history) : [];
    },
    originals: (edits, messages) => listOriginals(edits, messages, hash),
  };
}

function parseOptions(options: CollapseExchangesOptions): CollapseSettings {
  const named = POLICY_SETTINGS[options.policy ?? DEFAULT_POLICY];
  if (named === undefined)
    throw new TypeError(
      `policy must be one of ${Object.keys(POLICY_SETTINGS).join(", ")}, not ${String(options.policy)}`,
    );
  const standard: Required<CollapseSettings> = { mostInVain: MOST_IN_VAIN, ...named };
  const require = (name: keyof CollapseSettings, least: number): number =>
    requireNumber(name, options[name] ?? standard[name], { least, fix: "leave the option out for its default" });
  return {
    keepExchanges: require("keepExchanges", 1),
    maxTailTokens: require("maxTailTokens", 0),
    patience: require("patience", 0),
    leastTokens: require("leastTokens", 0),
    mostInVain: require("mostInVain", 0),
    wordsCharacters: require("wordsCharacters", 0),
    oldWordsCharacters: require("oldWordsCharacters", 0),
    answerCharacters: require("answerCharacters", 0),
    briefCharacters: require("briefCharacters", 0),
    planCharacters: require("planCharacters", 0),
    thinAfterExchanges: require("thinAfterExchanges", 1),
  };
}
