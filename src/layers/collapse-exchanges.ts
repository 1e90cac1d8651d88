import { applyEdits } from "../core/apply-edits.ts";
import type { Edit, ReplaceSpan } from "../core/edit.ts";
import { hashText } from "../core/hash.ts";
import { unknownOccasion, type View } from "../core/layer.ts";
import type { Message } from "../core/message.ts";
import { replaceSpan } from "../core/propose-edit.ts";
import { listOriginals } from "./history/list-originals.ts";
import type { Hash, StoringLayer } from "./history/originals.ts";
import { type CallVocabulary, plainVocabulary } from "./history/vocabulary.ts";
import { type CollapseVerdict, countForLine, decideCollapse, MOST_IN_VAIN } from "./ledger/decide-collapse.ts";
import type { LedgerStyle } from "./ledger/describe-call.ts";
import { renderHiddenRules } from "./ledger/hidden-rules.ts";
import { isLedger, isStanding, renderChunk, STANDING_PREFIX } from "./ledger/render-chunk.ts";
import { countCollapsed, hasTask, THIN, type ThinLevel, thinSegment } from "./ledger/thin-segment.ts";
import { type History, type OldExchange, weighHistory } from "./ledger/weigh-history.ts";
import {
  type CollapseSettings,
  DEFAULT_POLICY,
  POLICY_SETTINGS,
  type PolicyName,
  parseNumbers,
} from "./options/policy-settings.ts";

export interface CollapseExchangesOptions extends Partial<CollapseSettings>, Pick<LedgerStyle, "known"> {
  /** Source of the remaining settings; `balanced` by default. */
  readonly policy?: PolicyName;
  /** Collapses everything old at once, for when the window is full or the API refused. */
  readonly now?: boolean;
  /** Runs on every request by default, because a session's cost is history carried from step to step. `false` lets the line decide. */
  readonly eager?: boolean;
  readonly vocabulary?: CallVocabulary;
  /** How much goes when the line decides: everything old, or the oldest first and only as far as needed. */
  readonly depth?: "all" | "needed";
  /** The session's folder: paths below it are written relative to it. */
  readonly root?: string;
  /** Text that the entry point adds next to the ledger after each collapse, such as the open work; it replaces the previous one. */
  readonly standing?: (() => string) | undefined;
  /** `false`: the entry point says itself which of the person's rules hold. By default they follow the ledger, as far as it does not show them. */
  readonly rules?: boolean | undefined;
  readonly sha256?: Hash | undefined;
}

export interface Weighed {
  readonly history: History;
  readonly verdict: CollapseVerdict;
  /** The view is above its line, and a collapse would free something. */
  readonly isOverLine: boolean;
}

export interface CollapseExchanges extends StoringLayer {
  weigh(view: View): Weighed;
  /**
   * A view above its line and far above the ledger, weighed and collapsed in half the time, because what the ledger has no room for is
   * not worded. `undefined` if it is not so heavy, if there is room, or if something is put next to the ledger.
   */
  collapseHeavy(view: View): (Weighed & { readonly edits: readonly Edit[] }) | undefined;
  /** Collapses everything old whatever the price, for callers that choose the moment themselves. */
  collapse(view: View, history: History): readonly Edit[];
}

const NAME = "collapseExchanges";
/** What the model fetched back is what it works with: where only the oldest go, it stays for so many exchanges. */
const RECALLED = 6;
/** History this many times the size of the ledger is described briefly from the start, because the ledger would drop the details again. */
const BRIEF_ABOVE = 8;
/** Wording what was skipped would make no line longer by more than this: with it, a brief view takes nothing that one at length would not. */
const MOST_UNWORDED = 600;
/** A line of 112 recorded sessions is longer by so many characters on average: enough to choose how many of the oldest go. */
const USUALLY_UNWORDED = 23;

/**
 * Layer 5: old exchanges become a ledger at read time; the host's history stays as it is. The person's words stay word for word, a call
 * with its result is one line, and one handle fetches the originals behind a segment of lines.
 */
export function createCollapseExchanges(options: CollapseExchangesOptions = {}): CollapseExchanges {
  const settings = parseOptions(options);
  const { root, vocabulary = plainVocabulary, sha256: hash, known } = options;
  const style: LedgerStyle = { vocabulary, root, known, ...settings };
  const isNeeded = options.depth === "needed";
  const unwordedCharacters = isNeeded ? USUALLY_UNWORDED : MOST_UNWORDED;
  const brief: LedgerStyle = { ...style, isBrief: true, unwordedCharacters };
  const weigh = (view: View, as = style): Weighed => weighView(view, { settings, style: as, isNeeded });
  const collapse = ({ messages, countTokens }: View, history: History): readonly ReplaceSpan[] =>
    planCollapse(messages, history, {
      ...settings,
      by: NAME,
      hash,
      countTokens,
      standing: options.standing,
      rules: options.rules,
    });
  const collapseHeavy: CollapseExchanges["collapseHeavy"] = (view) => {
    const isHeavy = view.tokens > Math.max(view.targetTokens, BRIEF_ABOVE * settings.maxLedgerTokens);
    if (!isHeavy || options.standing) return undefined;
    const weighed = weigh(view, brief);
    if (!weighed.isOverLine) return undefined;
    const edits = collapse(view, weighed.history);
    // Describing them at length, which makes none lighter, would give the same lines.
    return edits.length > 0 && edits.every(isShortened) ? { ...weighed, edits } : undefined;
  };
  return {
    name: NAME,
    cost: 5,
    eager: options.eager ?? true,
    weigh,
    collapse,
    collapseHeavy,
    plan: (view) => {
      const heavy = collapseHeavy(view);
      if (heavy) return heavy.edits;
      const { history, verdict, isOverLine } = weigh(view);
      return verdict.isDue || isOverLine || options.now === true ? collapse(view, history) : [];
    },
    originals: (edits, messages) => listOriginals(edits, messages, hash),
  };
}

/** Whether every segment of the ledger had to be shortened. */
function isShortened({ messages }: ReplaceSpan): boolean {
  return messages.filter(isLedger).every(({ id }) => id.endsWith(THIN));
}

function parseOptions(options: CollapseExchangesOptions): CollapseSettings {
  const { policy = DEFAULT_POLICY } = options;
  if (!Object.hasOwn(POLICY_SETTINGS, policy))
    throw new TypeError(`policy must be one of ${Object.keys(POLICY_SETTINGS).join(", ")}, not ${String(policy)}`);
  const least = { keepExchanges: 1, thinAfterExchanges: 1 };
  const defaults: Required<CollapseSettings> = { mostInVain: MOST_IN_VAIN, keepTokens: 0, ...POLICY_SETTINGS[policy] };
  return parseNumbers(defaults, options, { least, fix: "leave the option out to use its default" });
}

function weighView(
  { messages, tokens, targetTokens, countTokens, occasion = unknownOccasion }: View,
  {
    settings,
    style,
    isNeeded,
  }: { readonly settings: CollapseSettings; readonly style: LedgerStyle; readonly isNeeded: boolean },
): Weighed {
  const tail = { ...settings, roomTokens: targetTokens, recalledExchanges: isNeeded ? RECALLED : 0 };
  const history = weighHistory(messages, countTokens, { style, tail });
  const verdict = decideCollapse(history, occasion, settings);
  const isOverLine = tokens > targetTokens && verdict.gainTokens >= settings.leastTokens;
  if (!isOverLine || verdict.isDue || !isNeeded) return { history, verdict, isOverLine };
  const exchanges = history.old.length + history.tailExchanges;
  const many = countForLine(history, { tokens, targetTokens, exchanges }, occasion);
  return { history: takeOldest(history, many), verdict, isOverLine };
}

/** The others belong to the end that stays. */
function takeOldest(history: History, many: number): History {
  const staying = history.old.slice(many);
  const tokens = staying.reduce((sum, { gainTokens, keptTokens }) => sum + gainTokens + keptTokens, 0);
  return {
    ...history,
    old: history.old.slice(0, many),
    tailTokens: history.tailTokens + tokens,
    tailExchanges: history.tailExchanges + staying.length,
  };
}

export interface CollapsePlan
  extends Pick<CollapseSettings, "oldWordsCharacters" | "thinAfterExchanges" | "maxLedgerTokens">,
    Pick<CollapseExchangesOptions, "standing" | "rules">,
    Pick<View, "countTokens"> {
  readonly by: string;
  readonly hash: Hash | undefined;
}

/** Turns old exchanges into ledger segments, split only by messages that must stay as they are; older segments are thinned. */
export function planCollapse(
  messages: readonly Message[],
  history: History,
  plan: CollapsePlan,
): readonly ReplaceSpan[] {
  const weigh = (list: readonly Message[]): number => list.reduce((sum, message) => sum + plan.countTokens(message), 0);
  const edits: ReplaceSpan[] = [];
  let savedTokens = 0;
  for (const run of splitRuns(history.old)) {
    const span = run.flatMap((exchange) => exchange.messages);
    const pieces = run.flatMap((exchange) => exchange.pieces);
    const edit = renderChunk(span, pieces, { ...plan, exchanges: run.length });
    const saved = edit ? weigh(span) - weigh(edit.messages) : 0;
    if (!edit || saved <= 0) continue;
    edits.push(edit);
    savedTokens += saved;
  }
  if (edits.length === 0) return [];
  const thinned = planThinning(messages, { history, edits }, plan);
  const replaced = { messages: [], by: plan.by, reason: "replaced by a newer record below", handles: [] };
  const dropped = messages.filter(isStanding).map((message) => replaceSpan([message], replaced, plan.hash));
  const given = plan.standing?.() ?? "";
  const rules =
    plan.rules === false ? "" : renderHiddenRules(messages, applyEdits(messages, [...dropped, ...thinned]).messages);
  const text = [given, rules].filter((part) => part !== "").join("\n\n");
  const known = weigh(messages.filter(isStanding));
  return [...dropped, ...addStanding(thinned, { text, savedTokens: savedTokens + known }, plan)];
}

/** Put after the newest segment, where it is read last before the conversation goes on; left out if it would use up the whole saving. */
function addStanding(
  edits: readonly ReplaceSpan[],
  { text, savedTokens }: { readonly text: string; readonly savedTokens: number },
  { countTokens }: CollapsePlan,
): readonly ReplaceSpan[] {
  const last = edits.at(-1);
  if (text === "" || !last) return edits;
  const id = `${STANDING_PREFIX}${hashText(`${last.first} ${text}`)}`;
  const said: Message = { id, role: "user", blocks: [{ kind: "text", id: `${id}:0`, text, author: "host" }] };
  if (countTokens(said) >= savedTokens) return edits;
  return [...edits.slice(0, -1), { ...last, messages: [...last.messages, said] }];
}

function splitRuns(old: readonly OldExchange[]): readonly (readonly OldExchange[])[] {
  const runs: OldExchange[][] = [[]];
  for (const exchange of old) {
    if (exchange.isFixed) runs.push([]);
    else runs.at(-1)?.push(exchange);
  }
  return runs.filter((run) => run.length > 0);
}

/** A segment is very old at this multiple of the age at which it is old. */
const VERY_OLD = 2;
/** Further levels, if thinning by age was not enough. */
const FURTHER: readonly ThinLevel[] = [2, 3, 4];

interface LedgerSegment {
  readonly message: Message;
  thin: Message;
  readonly isReplaced: boolean;
}

/** Shortens old segments as far as their age and the ledger's room require, then new ones. A collapse rewrites the ledger anyway, so this costs nothing. */
function planThinning(
  messages: readonly Message[],
  { history, edits: fresh }: { readonly history: History; readonly edits: readonly ReplaceSpan[] },
  plan: CollapsePlan,
): readonly ReplaceSpan[] {
  const { by, hash, countTokens } = plan;
  const shorten = (segment: LedgerSegment, level: ThinLevel): number => {
    const thin = thinSegment(segment.thin, { ...plan, isReplaced: segment.isReplaced, level });
    const saved = countTokens(segment.thin) - countTokens(thin);
    if (saved > 0) segment.thin = thin;
    return Math.max(0, saved);
  };
  const added = fresh
    .flatMap((edit) => edit.messages.filter(isLedger))
    .map((message): LedgerSegment => ({ message, thin: message, isReplaced: false }));
  const older: LedgerSegment[] = [];
  let behind = history.old.length + history.tailExchanges;
  let isReplaced = added.some(({ message }) => hasTask(message));
  for (const message of messages.filter((each) => isLedger(each) && !isStanding(each)).reverse()) {
    const age = behind / plan.thinAfterExchanges;
    behind += countCollapsed(message);
    const segment = { message, thin: message, isReplaced };
    isReplaced ||= hasTask(message);
    if (age >= 1) shorten(segment, age >= VERY_OLD ? 2 : 1);
    older.unshift(segment);
  }
  const all = [...older, ...added];
  let excessTokens = all.reduce((sum, { thin }) => sum + countTokens(thin), -plan.maxLedgerTokens);
  for (const [segments, levels] of [
    [all, [1]],
    [older, FURTHER],
    [added, FURTHER],
  ] as const)
    for (const level of levels)
      for (const segment of segments) if (excessTokens > 0) excessTokens -= shorten(segment, level);
  const reason =
    "an old part of the ledger keeps short lines on what was said, changed, decided or failed, and lists the rest";
  const shortened = new Map(added.map(({ message, thin }) => [message, thin]));
  return [
    ...older
      .filter(({ message, thin }) => message !== thin)
      .map(({ message, thin }) => replaceSpan([message], { messages: [thin], by, reason, handles: [] }, hash)),
    ...fresh.map((edit) => {
      const next = edit.messages.map((message) => shortened.get(message) ?? message);
      return next.every((message, at) => message === edit.messages[at]) ? edit : { ...edit, messages: next };
    }),
  ];
}
