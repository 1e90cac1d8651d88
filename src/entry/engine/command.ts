import { quietly } from "../../core/quietly.ts";
import { renderCount } from "../../core/render-count.ts";
import { readRecording } from "../../hosts/claude-code/disk/read-meter.ts";
import { renderReturn } from "../../measure/quote-return.ts";
import { renderTokens } from "../../measure/render-load.ts";
import { renderGauge } from "../../measure/status-line.ts";
import { mixWriteRate, rateModel } from "../../models/economics/rates.ts";
import { renderUsd } from "../../models/economics/render-usd.ts";
import { estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import type { OwnAction } from "../../policy/actions/own-action.ts";
import { chooseResults, HOW_TO_CHOOSE, parseChoice, type ResultInWindow } from "../../policy/advice/choose-results.ts";
import type { Early } from "../../policy/settings/settings.ts";
import { hearMark, markCalls } from "../../policy/steps/kept.ts";
import { findContinuation, renderOpenWork } from "../../survive/record/continuation.ts";
import type { ClientPort } from "./client-port.ts";
import { chooseAfterBreak, quoteOwnBreak } from "./come-back.ts";
import { describeAgents } from "./compaction/agent-window.ts";
import { type EngineMessage, parseRows } from "./compaction/compaction-event.ts";
import { announce } from "./compaction/settle-compaction.ts";
import { raise } from "./line.ts";
import type { Live } from "./live.ts";
import { reportNow } from "./say.ts";
import { readHealth } from "./status.ts";

const HELP = `/plimsoll            shows how full the window is, the open work, and what was folded
/plimsoll health     reports the window's level, a recommendation, and what a compaction keeps
/plimsoll why        lists the last compactions with their size, reason and savings
/plimsoll open       shows the next step and all open work
/plimsoll keep TEXT  keeps a text whole across compactions; /plimsoll lift N ends that, and without a text it lists them
/plimsoll keep WHAT  keeps results of the window whole: file:PATH, tool:NAME, search:WORDS or last:30m
/plimsoll forget WHAT takes such results out of the window at the next compaction; recall fetches them back
/plimsoll break ...  after a break above an hour: ask, compact (always compacts first), or continue
/plimsoll off        starts no more compactions in this session; /plimsoll on restores your settings
/compact             compacts at once and without a model
Settings: ~/.claude/plimsoll.json, or .plimsoll/settings.json in a project. Set "early" to "price", "ask", "remind" or "off", and "line" to a
number of tokens. For everything else, run \`plimsoll --help\` in a shell.`;

const SHOWN_COMPACTIONS = 5;

export async function runSlashCommand($: ClientPort, live: Live, args: string): Promise<string> {
  switch (/\S+/.exec(args)?.[0] ?? "status") {
    case "status":
      return renderOverview(live);
    case "health":
      return reportNow(live);
    case "why":
      return renderWhy(live);
    case "open":
      return renderOpenWork(live.watch.happened());
    case "forget":
      return chooseInWindow($, live, "forgotten", wordsOf(args));
    case "keep":
      return parseChoice(wordsOf(args)) === undefined
        ? markKept(live, args)
        : chooseInWindow($, live, "kept", wordsOf(args));
    case "lift":
      return markKept(live, args);
    case "break":
      return chooseAfterBreak(live, /\S+\s+(\S+)/.exec(args)?.[1] ?? "");
    case "off":
      live.steering.isOn = false;
      raise($, live);
      return `Plimsoll starts no more compactions in this session. After /plimsoll on, Plimsoll ${renderMode(live)}`;
    case "on":
      live.steering.isOn = true;
      return `Plimsoll ${renderMode(live)}`;
    default:
      return HELP;
  }
}

function wordsOf(args: string): string {
  return args.trim().replace(/^\S+/, "");
}

/** What the person marks stays whole in every later window, until they lift it. */
function markKept(live: Live, args: string): string {
  const heard = hearMark(live.policy, `plimsoll ${args}`);
  if (heard === undefined) return "Write /plimsoll lift with the number of a mark, or /plimsoll lift all";
  live.policy = heard.state;
  return heard.text;
}

function renderOverview(live: Live): string {
  const health = readHealth(live);
  const { open } = findContinuation(live.watch.happened());
  const subjects = open.slice(0, 3).map(({ subject }) => subject);
  const quote = quoteOwnBreak(live);
  return [
    renderGauge(health),
    health.note,
    quote === undefined ? "" : renderReturn(quote),
    renderTotals(live.totals),
    describeAgents(live),
    open.length === 0 ? "no open work is known" : `open work (${open.length}): ${subjects.join(" · ")}`,
    `compaction: ${live.settings.compaction}, ${live.steering.isOn ? renderMode(live) : "started only by you or the client (/plimsoll off)"}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function renderTotals({ folds, savedTokens, compactions }: Live["totals"]): string {
  const saved = savedTokens === 0 ? "" : `, about ${renderTokens(savedTokens)} tokens less in every request`;
  return `${renderCount(folds, "result")} folded${saved}; ${renderCount(compactions, "compaction")} by Plimsoll`;
}

const MODES: Readonly<Record<Early, string>> = {
  price: "compacts early when that pays off",
  ask: "compacts early when that pays off and you say yes",
  remind: "compacts early only when you run /compact, and reminds you when that would pay off",
  off: "never compacts early",
};

function renderMode({ settings }: Live): string {
  const line = settings.lineTokens === null ? "" : `, and at your line of ${settings.lineTokens} tokens`;
  return `${MODES[settings.compaction === "native" ? "off" : settings.early]}${line}`;
}

function describeCompaction(live: Live, action: Extract<OwnAction, { kind: "compacted" }>): string {
  const { agentId, tokensBefore, tokensAfter, why } = action;
  if (agentId === undefined) return announce(live, action);
  return `subagent ${agentId}: ${renderTokens(tokensBefore)} → about ${renderTokens(tokensAfter)} tokens: ${why}`;
}

function renderWhy(live: Live): string {
  const actions = live.journal.last("compacted", SHOWN_COMPACTIONS);
  const later = "just now  compacted; the window's new size will be known after the next request";
  const waiting = live.life.pending === undefined ? [] : [later];
  if (actions.length + waiting.length === 0) return "no compaction in this session yet";
  return [
    ...actions.map(
      (action) => `${new Date(action.atMs).toTimeString().slice(0, 5)}  ${describeCompaction(live, action)}`,
    ),
    ...waiting,
    `Press ctrl+o to see the record that replaced the old messages. The whole conversation is in ${live.transcript}`,
  ].join("\n");
}

/** More would leave too little of the window for the work. */
const MAX_KEPT_TOKENS = 20_000;
const LISTED = 5;

/** `/plimsoll forget WHAT` and `/plimsoll keep WHAT`: marks results in the window, and says what that comes to. Nothing is sent differently before a compaction. */
async function chooseInWindow($: ClientPort, live: Live, as: "kept" | "forgotten", words: string): Promise<string> {
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
  const events = quietly(() => readRecording(transcript).events, []);
  return new Map(
    events.flatMap((event) =>
      event.kind === "arrival" && event.block.kind === "toolResult" && event.atMs !== undefined
        ? [[event.block.callId, event.atMs] as const]
        : [],
    ),
  );
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
