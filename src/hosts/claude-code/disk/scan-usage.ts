import type { Compaction } from "../../../core/event.ts";
import type { Usage } from "../../../core/usage.ts";
import type { CachedRequest } from "../../../measure/cache-miss.ts";
import { followCache, type WatchedMiss } from "../../../measure/cache-watch.ts";
import { type LineContext, parseLine } from "../parse-line.ts";
import type { TranscriptEntry } from "../transcript-entry.ts";
import { type ByteFinder, createByteFinder } from "./byte-finder.ts";
import { readAppendedLines } from "./file-cursor.ts";
import { type AnswerBill, CONTENT, type LineBytes, readAnswer } from "./read-answer.ts";

/** What one request cost in tokens. */
export interface StepUsage {
  readonly stepId: string;
  readonly model: string;
  readonly atMs: number | undefined;
  readonly usage: Usage;
  readonly isSidechain: boolean;
  /** Where it is not, the answer had at least this much output. */
  readonly isOutputFinal: boolean;
}

export type RecordedCompaction = Pick<Compaction, "trigger" | "preTokens" | "durationMs">;

export interface UsageScan {
  /** One per answer, split lines joined, in the order they began. */
  readonly steps: readonly StepUsage[];
  readonly misses: readonly WatchedMiss[];
  readonly compactions: readonly RecordedCompaction[];
  readonly toolCalls: number;
  readonly sessionId: string;
  /** Lines that are not about usage were told by their bytes and not decoded, so they count as neither good nor malformed. */
  readonly lines: { readonly read: number; readonly notAboutUsage: number; readonly malformed: number };
}

/**
 * The accounts of a transcript without its contents: only answers and boundaries are looked at, and of answers only what
 * stands around their content, which is a twentieth of the bytes.
 */
export function scanUsage(path: string): UsageScan {
  const accounts = createAccounts();
  const context: LineContext = { identify: () => "", toolOf: () => "", isRepeated: () => false };
  const lines = { read: 0, notAboutUsage: 0, malformed: 0 };
  const contents = createByteFinder(CONTENT);
  const calls = createByteFinder(CALL);
  readAppendedLines(path, {
    onRefill: () => {
      contents.forget();
      calls.forget();
    },
    onBytes: (bytes, from, to) => {
      if (isBlank(bytes, from, to)) return;
      if (!isAboutUsage(bytes, from, to)) {
        lines.notAboutUsage++;
        return;
      }
      lines.read++;
      const line = { bytes, from, to };
      const bill = readAnswer(line, contents);
      if (bill) return accounts.enter(bill, countCalls(line, calls));
      const outcome = parseLine(bytes.toString("utf8", from, to), context);
      if (outcome.fate === "malformed") lines.malformed++;
      else if (outcome.fate !== "repeated") accounts.follow(outcome.entry);
    },
    onLine: () => undefined,
    onOverlongLine: () => {
      lines.read++;
      lines.malformed++;
    },
  });
  return { ...accounts.close(), lines };
}

/** Keeps one step per answer however many lines it is split into, and each line once however often it was written. */
function createAccounts() {
  const steps = new Map<string, StepUsage>();
  const compactions: RecordedCompaction[] = [];
  const windowStarts = new Set<string>();
  const told = new Set<string>();
  let toolCalls = 0;
  let sessionId = "";
  let isFreshWindow = false;

  const isRepeated = (uuid: string): boolean => uuid !== "" && told.size === told.add(uuid).size;

  const enter = (bill: AnswerBill, calls: number): void => {
    sessionId = bill.sessionId || sessionId;
    if (isRepeated(bill.uuid)) return;
    toolCalls += calls;
    if (isFreshWindow && !bill.isSidechain) windowStarts.add(bill.stepId);
    isFreshWindow &&= bill.isSidechain;
    steps.set(bill.stepId, joinSplitLines(steps.get(bill.stepId), bill));
  };

  const follow = (entry: TranscriptEntry): void => {
    sessionId = entry.sessionId || sessionId;
    const isSidechain = entry.isSidechain || entry.asides.length > 0;
    for (const event of entry.asides.length > 0 ? entry.asides : entry.events) {
      if (event.kind === "compaction" && !isRepeated(event.origin)) {
        compactions.push(event);
        isFreshWindow = true;
      }
      if (event.kind !== "output" || !event.usage) continue;
      const timestamp = event.atMs === undefined ? "" : new Date(event.atMs).toISOString();
      enter(
        { ...event, usage: event.usage, timestamp, uuid: entry.uuid, sessionId: entry.sessionId, isSidechain },
        event.blocks.filter(({ kind }) => kind === "toolCall").length,
      );
    }
  };

  const close = (): Omit<UsageScan, "lines"> => {
    const list = [...steps.values()];
    return { steps: list, misses: findMisses(list, windowStarts), compactions, toolCalls, sessionId };
  };
  return { enter, follow, close };
}

const CALL = Buffer.from('{"type":"tool_use",');

/** Inside a JSON string the needle's quotes would be escaped, so what is found is a block. */
function countCalls({ bytes, from, to }: LineBytes, finder: ByteFinder): number {
  let calls = 0;
  for (let at = finder.find(bytes, from); at >= 0 && at < to; at = finder.find(bytes, at + CALL.length)) calls++;
  return calls;
}

/** Same counts on every line of an answer, but for the output: there the largest is the final one. */
function joinSplitLines(
  known: StepUsage | undefined,
  { stepId, model, usage, isSidechain, isOutputFinal, timestamp }: AnswerBill,
): StepUsage {
  const outputTokens = Math.max(known?.usage.outputTokens ?? 0, usage.outputTokens);
  const atMs = known ? known.atMs : parseTime(timestamp);
  const isFinal = isOutputFinal || known?.isOutputFinal === true;
  return { stepId, model, atMs, usage: { ...usage, outputTokens }, isSidechain, isOutputFinal: isFinal };
}

function parseTime(timestamp: string): number | undefined {
  const atMs = Date.parse(timestamp);
  return Number.isNaN(atMs) ? undefined : atMs;
}

function findMisses(steps: readonly StepUsage[], windowStarts: ReadonlySet<string>): readonly WatchedMiss[] {
  const misses: WatchedMiss[] = [];
  let cached: CachedRequest | undefined;
  for (const step of steps) {
    if (step.isSidechain) continue;
    const followed = followCache(cached, { ...step, followsCompaction: windowStarts.has(step.stepId) });
    cached = followed.cached;
    if (followed.miss) misses.push(followed.miss);
  }
  return misses;
}

/** A line's type, or the role of the message before its content, mostly stands in its first few hundred bytes. */
const HEAD_BYTES = 512;
/** Before it may stand the folder and the branch: a path has up to 4,096 bytes, and JSON doubles some of them. */
const LONGEST_HEAD_BYTES = 16_384;

/** Told by its bytes: inside a JSON string the quotes of these needles would be escaped. */
function isAboutUsage(bytes: Buffer, from: number, to: number): boolean {
  const head = bytes.toString("latin1", from, Math.min(to, from + HEAD_BYTES));
  const verdict = looksAboutUsage(head);
  if (verdict !== undefined || head.length < HEAD_BYTES) return verdict ?? false;
  return looksAboutUsage(bytes.toString("latin1", from, Math.min(to, from + LONGEST_HEAD_BYTES))) ?? false;
}

/** Lines that begin with their type are the client's own notes. */
const NOTE = /^\{"type":"(?!assistant|system|progress)/;
const SIGN = /"(?:type|role)":"(?:(assistant)|user|(?:hook|bash|mcp)_progress)"|("subtype":"compact_boundary")/;

/** The first sign decides: it stands before the content, in which anything may be said. */
function looksAboutUsage(head: string): boolean | undefined {
  if (NOTE.test(head)) return false;
  const sign = SIGN.exec(head);
  return sign ? sign[1] !== undefined || sign[2] !== undefined : undefined;
}

function isBlank(bytes: Buffer, from: number, to: number): boolean {
  return to - from < 3 && bytes.toString("latin1", from, to).trim() === "";
}
