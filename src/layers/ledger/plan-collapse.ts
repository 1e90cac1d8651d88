import type { ReplaceSpan } from "../../core/edit.ts";
import { hashText } from "../../core/hash.ts";
import type { Message } from "../../core/message.ts";
import { replaceSpan } from "../../core/propose-edit.ts";
import type { Hash } from "../history/originals.ts";
import { isLedger, isStanding, renderChunk, STANDING_PREFIX } from "./render-chunk.ts";
import { countCollapsed, hasTask, type OldLengths, thinStretch } from "./thin-stretch.ts";
import type { History, OldExchange } from "./weigh-history.ts";

export interface CollapsePlan {
  readonly by: string;
  readonly hash: Hash | undefined;
  /** Stretches lose their lines of mere looking once so many exchanges stand behind them; once twice as many do, half of what is left. */
  readonly thinAfterExchanges: number;
  readonly lengths: OldLengths;
  readonly countTokens: (message: Message) => number;
  /** What the door has to say beside the ledger, such as the work that is open; it takes the place of what it said last. */
  readonly standing?: (() => string) | undefined;
}

/** The old exchanges as stretches of ledger, broken only by what must stay as it is; older stretches grow thin. */
export function planCollapse(
  messages: readonly Message[],
  history: History,
  plan: CollapsePlan,
): readonly ReplaceSpan[] {
  const edits: ReplaceSpan[] = [];
  let savedTokens = 0;
  for (const run of splitRuns(history.old)) {
    const span = run.flatMap((exchange) => exchange.messages);
    const pieces = run.flatMap((exchange) => exchange.pieces);
    const edit = renderChunk({ span, exchanges: run.length, pieces }, plan);
    const saved = edit ? weigh(span, plan) - weigh(edit.messages, plan) : 0;
    if (!edit || saved <= 0) continue;
    edits.push(edit);
    savedTokens += saved;
  }
  if (edits.length === 0) return [];
  return [
    ...planThinning(messages, { history, edits }, plan),
    ...dropStanding(messages, plan),
    ...addStanding(edits, savedTokens, plan),
  ];
}

function dropStanding(messages: readonly Message[], { by, hash }: CollapsePlan): readonly ReplaceSpan[] {
  const change = { messages: [], by, reason: "said anew below", handles: [] };
  return messages.filter(isStanding).map((message) => replaceSpan([message], change, hash));
}

/** Behind the newest stretch, where it is read last before the conversation goes on; not where it takes all that was saved. */
function addStanding(
  edits: readonly ReplaceSpan[],
  savedTokens: number,
  { standing, countTokens }: CollapsePlan,
): readonly ReplaceSpan[] {
  const text = standing?.() ?? "";
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

/** How far back a stretch is very old, in times of what is old. */
const VERY_OLD = 2;

/** The ledger is written anew with every collapse anyway, so this costs nothing then. */
function planThinning(
  messages: readonly Message[],
  { history, edits: fresh }: { readonly history: History; readonly edits: readonly ReplaceSpan[] },
  plan: CollapsePlan,
): readonly ReplaceSpan[] {
  const edits: ReplaceSpan[] = [];
  let behind = history.old.length + history.tailExchanges;
  let isReplaced = fresh.some((edit) => edit.messages.some((message) => isLedger(message) && hasTask(message)));
  for (const message of [...messages].reverse()) {
    if (!isLedger(message) || isStanding(message)) continue;
    const age = behind / plan.thinAfterExchanges;
    behind += countCollapsed(message);
    const thinning = { ...plan.lengths, isReplaced, isVeryOld: age >= VERY_OLD };
    isReplaced ||= hasTask(message);
    if (age < 1) continue;
    const thin = thinStretch(message, thinning);
    if (plan.countTokens(thin) >= plan.countTokens(message)) continue;
    const reason =
      "an old stretch of ledger keeps what was said, changed, decided and failed in brief, and names the rest";
    edits.push(replaceSpan([message], { messages: [thin], by: plan.by, reason, handles: [] }, plan.hash));
  }
  return edits;
}

function weigh(messages: readonly Message[], { countTokens }: CollapsePlan): number {
  return messages.reduce((sum, message) => sum + countTokens(message), 0);
}
