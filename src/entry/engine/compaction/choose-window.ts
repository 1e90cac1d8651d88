import { renderCount } from "../../../core/render-count.ts";
import { readRecording } from "../../../hosts/claude-code/disk/read-meter.ts";
import { renderTokens } from "../../../measure/render-load.ts";
import { mixWriteRate, rateModel } from "../../../models/economics/rates.ts";
import { renderUsd } from "../../../models/economics/render-usd.ts";
import { estimateTextTokens, tokenizerOf } from "../../../models/tokens.ts";
import {
  chooseResults,
  HOW_TO_CHOOSE,
  parseChoice,
  type ResultInWindow,
} from "../../../policy/advice/choose-results.ts";
import { markCalls } from "../../../policy/steps/kept.ts";
import type { ClientPort } from "../client-port.ts";
import type { Live } from "../live.ts";
import { type EngineMessage, parseRows } from "./compaction-event.ts";

/** More would leave too little of the window for the work. */
const MAX_KEPT_TOKENS = 20_000;
const LISTED = 5;

/** `/plimsoll forget WHAT` and `/plimsoll keep WHAT`: marks results in the window, and says what that comes to. Nothing is sent differently before a compaction. */
export async function chooseInWindow(
  $: ClientPort,
  live: Live,
  as: "kept" | "forgotten",
  words: string,
): Promise<string> {
  const rows = parseRows(await $.session.messages().catch(() => []));
  if (isWorking(rows)) return "the model is still working: choose once it has answered";
  const results = listWindowResults(live, rows);
  const choice = parseChoice(words);
  if (choice === undefined) return listLargest(results);
  const chosen = chooseResults(results, choice, live.nowMs());
  if (typeof chosen === "string") return chosen;
  if (chosen.length === 0) return `no result in the window matches ${words.trim()}\n${listLargest(results)}`;
  if (chosen.length === results.length && results.length > 1)
    return `${words.trim()} names every result in the window (${results.length}): choose fewer, or run /compact`;
  if (as === "kept" && countTokens(live, chosen, results) > MAX_KEPT_TOKENS)
    return `that is more than the ${renderTokens(MAX_KEPT_TOKENS)} tokens of results that can be kept whole: choose fewer, or lift some with /plimsoll lift`;
  live.policy = markCalls(
    live.policy,
    as,
    chosen.map(({ callId }) => callId),
  );
  return describeChosen(live, as, chosen);
}

/** A call is out that has no result yet. */
function isWorking(rows: readonly EngineMessage[]): boolean {
  const answered = new Set(rows.flatMap(({ results }) => results));
  return rows.some(({ calls }) => calls.some((callId) => !answered.has(callId)));
}

function listWindowResults(live: Live, rows: readonly EngineMessage[]): readonly ResultInWindow[] {
  const uses = new Map(rows.flatMap(({ toolUses }) => toolUses.map((use) => [use.callId, use] as const)));
  const subjects = new Map(live.watch.happened().trail.calls.map(({ callId, subject }) => [callId, subject]));
  const times = readTimes(live.transcript);
  const tokenizer = tokenizerOf(live.watch.health().model);
  return rows.flatMap(({ resultTexts }) =>
    resultTexts.map(({ callId, text }) => ({
      callId,
      tool: uses.get(callId)?.tool ?? "",
      subject: subjects.get(callId) ?? "",
      text,
      tokens: Math.round(estimateTextTokens(text, tokenizer)),
      atMs: times.get(callId),
    })),
  );
}

/** The client's rows have no times. */
function readTimes(transcript: string): ReadonlyMap<string, number> {
  try {
    return new Map(
      readRecording(transcript).events.flatMap((event) =>
        event.kind === "arrival" && event.block.kind === "toolResult" && event.atMs !== undefined
          ? [[event.block.callId, event.atMs] as const]
          : [],
      ),
    );
  } catch {
    return new Map();
  }
}

function listLargest(results: readonly ResultInWindow[]): string {
  const largest = [...results].sort((left, right) => right.tokens - left.tokens).slice(0, LISTED);
  return [
    `Choose by ${HOW_TO_CHOOSE}.${largest.length === 0 ? "" : " The largest results in the window:"}`,
    ...largest.map(({ tool, subject, tokens }) => `  ${renderTokens(tokens)} tokens  ${tool} ${subject}`),
  ].join("\n");
}

/** All that would be kept then. */
function countTokens({ policy }: Live, chosen: readonly ResultInWindow[], results: readonly ResultInWindow[]): number {
  const kept = new Set([...(policy.told.keptCalls ?? []), ...chosen.map(({ callId }) => callId)]);
  return results.reduce((sum, { callId, tokens }) => sum + (kept.has(callId) ? tokens : 0), 0);
}

function describeChosen(live: Live, as: "kept" | "forgotten", chosen: readonly ResultInWindow[]): string {
  const tokens = chosen.reduce((sum, one) => sum + one.tokens, 0);
  const size = `${renderCount(chosen.length, "result")}, ${renderTokens(tokens)} tokens`;
  const { perRequest, rewriting } = price(live, tokens);
  const names = chosen.slice(0, LISTED).map(({ callId, tool, subject }) => `  call:${callId}  ${tool} ${subject}`);
  const more = chosen.length > LISTED ? [`  and ${chosen.length - LISTED} more`] : [];
  const said =
    as === "kept"
      ? `Kept whole across compactions: ${size}. That costs ${perRequest} in every request, and ${rewriting} at each compaction. /plimsoll lift N ends it`
      : `Forgotten at the next compaction: ${size}, which saves ${perRequest} in every request after it. /compact does it now; until then, /plimsoll lift N takes it back, and after it recall fetches each original`;
  return [said, ...names, ...more].join("\n");
}

/** Of so many tokens: read in each request, and written to the cache once. */
function price({ watch, cacheLife }: Live, tokens: number) {
  const rates = rateModel(watch.health().model, watch.contextTokens());
  const usd = (units: number): string =>
    rates.usdPerUnit === undefined
      ? `${renderTokens(tokens * units)} input tokens`
      : renderUsd(tokens * units * rates.usdPerUnit);
  return { perRequest: usd(rates.read), rewriting: usd(mixWriteRate(rates, cacheLife.isHour ? 1 : 0)) };
}
