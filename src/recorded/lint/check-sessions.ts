import type { Arrival } from "../../core/event.ts";
import { renderResultText } from "../../core/message.ts";
import { renderCount } from "../../core/render-count.ts";
import { DEFAULT_LIMITS } from "../../fold/thresholds.ts";
import { type CachedRequest, type CacheMiss, followCache, sumMissedUsd } from "../../measure/cache-miss.ts";
import { predictTokens, seedCalibration } from "../../measure/calibration.ts";
import { weighArrival } from "../../measure/load.ts";
import type { Recording, Step } from "../../measure/recording.ts";
import { renderLowerUsd } from "../../models/economics/render-usd.ts";
import { priceCarried } from "../../models/economics/spend.ts";
import { tokenizerOf } from "../../models/tokens.ts";
import type { Vocabulary } from "../../session/action.ts";
import { findRepeatedInjections, mergeRepeated } from "../audit/find-repeated-injections.ts";
import { findFirstRequest } from "../audit/startup-context.ts";
import { type Evidence, type Finding, warn } from "./finding.ts";

/** Below this share of the characters, large results are exceptions. */
const LARGE_SHARE = 0.25;
/** One result of this size is a twentieth or more of a window of 200,000 tokens. */
const HUGE_CHARACTERS = 100_000;
const DROP_SHARE = 0.2;
const DROP_TOKENS = 5000;
/** Tokens times requests that a repetition may cost before it is reported. */
const REPEATED_TOKEN_REQUESTS = 10_000;
/** Instructions that the first request carried by itself. */
const FIRST_INSTRUCTION_CHARACTERS = 40_000;

/** What recorded sessions show; every finding names one of them. */
export function checkSessions(sessions: readonly LintedSession[]): readonly Finding[] {
  return [
    ...checkTruncation(sessions),
    ...sessions.flatMap((session) => [
      ...checkDrops(session),
      ...checkSummaries(session),
      ...checkPrefix(session),
      ...checkFirst(session),
    ]),
    ...checkRepeated(sessions),
    ...findWholeReads(sessions),
  ];
}

const inSession = (session: string): Evidence => ({ kind: "session", session });

interface SeenResult {
  readonly session: string;
  readonly tool: string;
  readonly characters: number;
}

/** Results that the client or a layer cut, folded or stored elsewhere say so at their beginning. */
const SHORTENED = /^\s*(?:\[FOLDED: |\[CLEARED: |<persisted-output>)/;

function listResults(session: string, arrivals: readonly Arrival[]): readonly SeenResult[] {
  return arrivals.flatMap(({ block, label }) => {
    if (block.kind !== "toolResult") return [];
    const text = renderResultText(block);
    return SHORTENED.test(text) ? [] : [{ session, tool: label, characters: text.length }];
  });
}

const isLarge = ({ characters }: SeenResult): boolean => characters > DEFAULT_LIMITS.characters;
const sumCharacters = (results: readonly SeenResult[]): number =>
  results.reduce((sum, { characters }) => sum + characters, 0);

function checkTruncation(sessions: readonly LintedSession[]): readonly Finding[] {
  const results = sessions.flatMap(({ id, recording }) =>
    recording.steps.flatMap(({ arrivals }) => listResults(id, arrivals)),
  );
  const large = results.filter(isLarge);
  const share = sumCharacters(large) / Math.max(1, sumCharacters(results));
  const [largest] = [...large].sort((left, right) => right.characters - left.characters);
  if (!largest || (share < LARGE_SHARE && largest.characters < HUGE_CHARACTERS)) return [];
  const what = `${large.length} of ${results.length} tool results are over ${DEFAULT_LIMITS.characters} characters and entered the window whole; they make up ${Math.round(share * 100)} % of all characters, and the largest result has ${largest.characters} (${largest.tool})`;
  const fix = "fold large results (plimsoll install), or request less (head, a range of lines, a narrower search)";
  const severity = largest.characters >= HUGE_CHARACTERS ? "error" : "warning";
  return [{ ...warn("no-truncation", inSession(largest.session), what, fix), severity }];
}

/** Within one window a conversation only grows. If it shrinks, something was dropped, and what it was is not recorded. */
function checkDrops({ id, recording }: LintedSession): readonly Finding[] {
  const cleared = new Set(recording.microcompactions.map(({ beforeStep }) => beforeStep));
  const drops = recording.steps.flatMap((step, index) => {
    const before = recording.steps[index - 1];
    if (!before?.usage || !step.usage || before.window !== step.window || before.model !== step.model) return [];
    const lost = before.contextTokens - step.contextTokens;
    const isDrop = lost >= DROP_TOKENS && lost >= before.contextTokens * DROP_SHARE && !cleared.has(index);
    return isDrop ? [{ index, lost }] : [];
  });
  const [first] = drops;
  if (!first) return [];
  const what = `request ${first.index + 1} had ${first.lost} fewer tokens than the request before it, but no compaction or clearing is recorded (requests like this: ${drops.length})`;
  const fix = "the program that shortens the history should mark what it removed";
  return [warn("fixed-size-trimming", inSession(id), what, fix)];
}

function checkSummaries({ id, recording }: LintedSession): readonly Finding[] {
  return recording.windows.flatMap(({ compaction, firstStep }, index) => {
    if (compaction?.trigger === "unknown" && compaction.preTokens === undefined) {
      const what = `the summary before request ${firstStep + 1} has no boundary marker`;
      const fix = "update the agent: newer versions mark where a summary begins";
      return [warn("no-boundary-marker", inSession(id), what, fix)];
    }
    return compaction?.trigger === "auto" ? checkCheaper({ id, recording }, index - 1, compaction.preTokens) : [];
  });
}

/** Whether folding or clearing could have postponed the summary of a window, and was not tried. */
function checkCheaper(
  { id, recording }: Pick<LintedSession, "id" | "recording">,
  window: number,
  preTokens: number | undefined,
): readonly Finding[] {
  const arrivals = recording.steps.flatMap((step) => (step.window === window ? step.arrivals : []));
  const results = listResults(id, arrivals);
  const large = results.filter(isLarge);
  const isShortened = arrivals.some(
    ({ block }) => block.kind === "toolResult" && SHORTENED.test(renderResultText(block)),
  );
  const share = sumCharacters(large) / Math.max(1, sumCharacters(results));
  if (isShortened || recording.microcompactions.length > 0 || share < LARGE_SHARE) return [];
  const what = `an automatic compaction${preTokens === undefined ? "" : ` at ${preTokens} tokens`} ran before anything was folded or cleared, while ${large.length} results over ${DEFAULT_LIMITS.characters} characters took ${sumCharacters(large)} characters`;
  const fix = "use the cheapest step first: fold results, clear stale results, and summarise only the rest";
  return [warn("single-pass-summary", inSession(id), what, fix)];
}

/** Cache misses that reach into the part before the conversation, so that part had changed. */
function checkPrefix({ id, recording }: LintedSession): readonly Finding[] {
  const base = findFirstRequest(recording)?.baseTokens;
  if (base === undefined) return [];
  let cached: CachedRequest | undefined;
  const misses: CacheMiss[] = [];
  for (const [index, step] of recording.steps.entries()) {
    if (!step.usage) continue;
    const followsCompaction = recording.steps[index - 1]?.window !== step.window;
    const followed = followCache(cached, { ...step, stepId: step.id, usage: step.usage, followsCompaction });
    cached = followed.cached;
    if (followed.miss?.cause !== "editedPrefix" || step.usage.cacheReadTokens >= base) continue;
    misses.push(followed.miss);
  }
  if (misses.length === 0) return [];
  const tokens = misses.reduce((sum, { missedTokens }) => sum + missedTokens, 0);
  const { usd, isAtLeast } = sumMissedUsd(misses);
  const what = `${renderCount(misses.length, "request")} had to write ${tokens} cached tokens again because something in the first ${Math.round(base)} tokens had changed, at a cost of ${renderLowerUsd(usd, isAtLeast)}`;
  const fix =
    "put what changes (date, branch, tool lists, server lists) after the static part, and do not change the static part during a session";
  return [warn("no-dynamic-boundary", inSession(id), what, fix)];
}

function checkFirst({ id, recording }: LintedSession): readonly Finding[] {
  const memories = (recording.steps[0]?.arrivals ?? []).filter(({ label }) => label === "nested_memory");
  const characters = memories.reduce((sum, { block }) => sum + (block.kind === "text" ? block.text.length : 0), 0);
  if (characters < FIRST_INSTRUCTION_CHARACTERS) return [];
  const what = `the first request already included ${memories.length} nested instruction files with ${characters} characters`;
  const fix = "limit these files to the paths that they apply to";
  return [warn("unconditional-loading", inSession(id), what, fix)];
}

function checkRepeated(sessions: readonly LintedSession[]): readonly Finding[] {
  const found = sessions.map(({ id, recording }) => ({ id, repeated: findRepeatedInjections(recording) }));
  return mergeRepeated(found.map(({ repeated }) => repeated))
    .filter(({ label, tokens, requests }) => /^hook/.test(label) && tokens * requests >= REPEATED_TOKEN_REQUESTS)
    .map(({ label, start, repeats, tokens, requests, usd, isAtLeast }) => {
      const holder = found.find(({ repeated }) => repeated.some((one) => one.start === start && one.label === label));
      const what = `${label} added "${start.slice(0, 40)}" ${repeats} times to a window that already contained it: ${Math.round(tokens)} tokens x ${requests} requests, ${renderLowerUsd(usd, isAtLeast)}`;
      const fix = "inject the text only when it changes or after a compaction, not with every prompt";
      return warn("repeated-injection", inSession(holder?.id ?? ""), what, fix);
    });
}

interface LintedSession {
  readonly id: string;
  readonly recording: Recording;
  readonly interpretCall: Vocabulary["interpretCall"];
}

/** A smaller file is read whole faster than it is searched. */
const LEAST_LINES = 200;
/** At most this share of the lines was used later, so the file should have been searched, not read. */
const MOST_USED = 0.1;
/** A word on a larger share of the lines does not show what was used. */
const MOST_LINES_OF_A_WORD = 0.02;
const WORD = /[A-Za-z_][A-Za-z0-9_]{5,}/g;

/** Files read whole, never changed, and with almost no line whose words the session used later. */
function findWholeReads(sessions: readonly LintedSession[]): readonly Finding[] {
  const reads = sessions.flatMap(listWholeReads).sort((left, right) => right.tokens - left.tokens);
  const [largest] = reads;
  if (!largest) return [];
  const sum = (field: "tokens" | "requests" | "usd"): number => reads.reduce((total, read) => total + read[field], 0);
  const price = renderLowerUsd(sum("usd"), !reads.every(({ isPriced }) => isPriced));
  const what = `the agent read ${renderCount(reads.length, "file")} whole, changed nothing there, and later used at most a tenth of each file's lines. The content took ${Math.round(sum("tokens"))} tokens and was sent in ${sum("requests")} requests, which cost ${price}. The largest file is ${largest.path} with ${largest.lines} lines`;
  const fix = "search first (Grep), then read only the lines found (Read with offset and limit)";
  return [warn("whole-file-reads", inSession(largest.session), what, fix)];
}

function listWholeReads({ id, recording: { steps }, interpretCall }: LintedSession) {
  const actions = steps.map((step) =>
    step.outputs.flatMap((block) =>
      block.kind === "toolCall" ? [{ callId: block.callId, ...interpretCall(block.tool, block.input) }] : [],
    ),
  );
  const lastUse = new Map<string, number>();
  for (const [index, step] of steps.entries())
    for (const [word] of renderSaid(step).matchAll(WORD)) lastUse.set(word, index);
  return steps.flatMap((step, index) =>
    step.arrivals.flatMap((arrival) => {
      const { block } = arrival;
      if (block.kind !== "toolResult" || block.isError) return [];
      const call = actions[index - 1]?.find(({ callId }) => callId === block.callId);
      if (call?.kind !== "read" || call.range !== undefined) return [];
      const isChanged = actions
        .slice(index)
        .flat()
        .some((later) => (later.kind === "edit" || later.kind === "write") && later.path === call.path);
      const lines = renderResultText(block).split("\n");
      if (isChanged || lines.length < LEAST_LINES || measureUse(lines, lastUse, index) > MOST_USED) return [];
      const tokenizer = tokenizerOf(step.model);
      const tokens = predictTokens(weighArrival(arrival, tokenizer), seedCalibration(tokenizer));
      const carriers = steps.slice(index).filter(({ window, usage }) => window === step.window && usage);
      const carried = priceCarried(tokens, carriers);
      return [{ session: id, path: call.path, lines: lines.length, tokens, requests: carriers.length, ...carried }];
    }),
  );
}

function renderSaid({ outputs }: Step): string {
  return outputs
    .map((block) => (block.kind === "text" ? block.text : block.kind === "toolCall" ? JSON.stringify(block.input) : ""))
    .join("\n");
}

/** The share of lines with a rare word that was used from this request on. */
function measureUse(lines: readonly string[], lastUse: ReadonlyMap<string, number>, index: number): number {
  const words = lines.map((line) => new Set(line.match(WORD)));
  const counts = new Map<string, number>();
  for (const set of words) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1);
  const isOwn = (word: string): boolean => (counts.get(word) ?? 0) <= Math.max(2, lines.length * MOST_LINES_OF_A_WORD);
  const used = words.filter((set) => [...set].some((word) => isOwn(word) && (lastUse.get(word) ?? -1) >= index));
  return used.length / lines.length;
}
