import { clipText, toOneLine } from "../core/clip-text.ts";
import type { Compaction, Output } from "../core/event.ts";
import type { Usage } from "../core/usage.ts";
import { type CachedRequest, type CacheMiss, followCache } from "../measure/cache-miss.ts";
import type { CachingRequest } from "../models/economics/cache-state.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";

export interface StepUsage extends CachingRequest {
  readonly stepId: string;
  readonly isSidechain: boolean;
  /** If false, the answer had at least this much output. */
  readonly isOutputFinal: boolean;
}

export type BilledCompaction = Pick<Compaction, "trigger" | "preTokens" | "durationMs" | "atMs">;

export interface Accounts {
  /** One per answer, split lines joined, in the order they began. */
  readonly steps: readonly StepUsage[];
  readonly misses: readonly CacheMiss[];
  readonly compactions: readonly BilledCompaction[];
  readonly toolCalls: number;
  readonly sessionId: string;
  /** Its title, else the person's first words; empty if there are none. */
  readonly title: string;
  /** Where the client was started; empty if not recorded. */
  readonly folder: string;
}

export interface UsageScan extends Accounts {
  /** Lines that are not about usage may be recognised by their bytes and not decoded: they count as neither good nor malformed. */
  readonly lines: { readonly read: number; readonly notAboutUsage: number; readonly malformed: number };
}

export interface AnswerBill
  extends Pick<Output, "stepId" | "model" | "isOutputFinal" | "atMs">,
    Pick<TranscriptEntry, "uuid" | "sessionId" | "cwd" | "isSidechain"> {
  readonly usage: Usage;
}

interface AccountKeeper {
  /** For readers that do not decode the answers. */
  enter(bill: AnswerBill, calls: number): void;
  follow(entry: TranscriptEntry): void;
  wantsPrompt(): boolean;
  close(): Accounts;
}

/** Keeps one step per answer however many lines it is split into, and counts each line once however often it was written. */
export function createAccounts(): AccountKeeper {
  const steps = new Map<string, StepUsage>();
  const compactions: BilledCompaction[] = [];
  const windowStarts = new Set<string>();
  const seen = new Set<string>();
  const titles = createTitleTracker();
  let toolCalls = 0;
  let sessionId = "";
  let folder = "";
  let isFreshWindow = false;

  const isRepeated = (uuid: string): boolean => uuid !== "" && seen.size === seen.add(uuid).size;

  const enter = (bill: AnswerBill, calls: number): void => {
    sessionId = bill.sessionId || sessionId;
    folder ||= bill.cwd;
    if (isRepeated(bill.uuid)) return;
    toolCalls += calls;
    if (isFreshWindow && !bill.isSidechain) windowStarts.add(bill.stepId);
    isFreshWindow &&= bill.isSidechain;
    steps.set(bill.stepId, joinSplitLines(steps.get(bill.stepId), bill));
  };

  const follow = (entry: TranscriptEntry): void => {
    sessionId = entry.sessionId || sessionId;
    folder ||= entry.cwd;
    titles.feed(entry);
    const isSidechain = entry.isSidechain || entry.asides.length > 0;
    for (const event of entry.asides.length > 0 ? entry.asides : entry.events) {
      if (event.kind === "compaction" && !isRepeated(event.origin)) {
        const { trigger, preTokens, durationMs, atMs } = event;
        compactions.push({ trigger, preTokens, durationMs, atMs });
        isFreshWindow = true;
      }
      if (event.kind !== "output" || !event.usage) continue;
      const calls = event.blocks.filter(({ kind }) => kind === "toolCall").length;
      const { uuid, cwd } = entry;
      enter({ ...event, usage: event.usage, uuid, sessionId: entry.sessionId, cwd, isSidechain }, calls);
    }
  };

  const close = (): Accounts => {
    const list = [...steps.values()];
    const misses = findMisses(list, windowStarts);
    return { steps: list, misses, compactions: [...compactions], toolCalls, sessionId, title: titles.title(), folder };
  };
  return { enter, follow, wantsPrompt: titles.isOpen, close };
}

/** All lines of an answer have the same counts except for the output, of which the largest is final. */
function joinSplitLines(known: StepUsage | undefined, bill: AnswerBill): StepUsage {
  const { stepId, model, usage, isSidechain } = bill;
  const outputTokens = Math.max(known?.usage.outputTokens ?? 0, usage.outputTokens);
  const isOutputFinal = bill.isOutputFinal || known?.isOutputFinal === true;
  const { atMs } = known ?? bill;
  return { stepId, model, atMs, usage: { ...usage, outputTokens }, isSidechain, isOutputFinal };
}

function findMisses(steps: readonly StepUsage[], windowStarts: ReadonlySet<string>): readonly CacheMiss[] {
  const misses: CacheMiss[] = [];
  let cached: CachedRequest | undefined;
  for (const step of steps) {
    if (step.isSidechain) continue;
    const followed = followCache(cached, { ...step, followsCompaction: windowStarts.has(step.stepId) });
    cached = followed.cached;
    if (followed.miss) misses.push(followed.miss);
  }
  return misses;
}

const MOST_CHARACTERS = 90;
/** A file that begins in the middle of a session may have no prompt: the search ends after so many user records. */
const LOOKED_AT = 8;

/** A session's name: its newest title, else the person's first words, else the first command that they typed; empty if there are none. */
function createTitleTracker() {
  let reported = "";
  let words = "";
  let command = "";
  let looked = 0;
  const isOpen = (): boolean => words === "" && looked < LOOKED_AT;
  return {
    feed(entry: TranscriptEntry): void {
      reported = entry.title || reported;
      if (entry.type !== "user" || !isOpen()) return;
      looked++;
      const said = findWords(entry.events);
      // A command without arguments says less than the next prompt.
      if (said.startsWith("/") && !said.includes(" ")) command ||= said;
      else words = said;
    },
    isOpen,
    title: (): string => clipText(toOneLine(reported), MOST_CHARACTERS) || words || command,
  };
}

function findWords(events: TranscriptEntry["events"]): string {
  for (const event of events) {
    if (event.kind !== "arrival" || event.source !== "prompt" || event.block.kind !== "text") continue;
    const { author, text } = event.block;
    const plain = text.replace(WRAPPED, "");
    const words = toOneLine(nameCommand(text) ?? (author === "person" || plain !== text ? plain : ""));
    // The client put texts that begin with a bracket there in the person's name.
    if (words !== "" && !words.startsWith("<")) return clipText(words, MOST_CHARACTERS);
  }
  return "";
}

/** What a program around the client puts before the person's words. */
const WRAPPED = /^\s*(?:<(system[_-]instructions?)>[\s\S]*?<\/\1>\s*)+/;
/** Commands of the client itself, which are about no work. */
const HOUSEKEEPING =
  /^\/(?:clear|compact|config|context|cost|exit|help|ide|login|logout|mcp|model|plugin|resume|status|theme)\b/;

/** A slash command with its arguments; `undefined` for every other text. */
function nameCommand(text: string): string | undefined {
  const [, name = ""] = /<command-name>\s*\/?([^<]{1,100}?)\s*<\/command-name>/.exec(text.slice(0, 1000)) ?? [];
  if (name === "" || !/^\s*<command-/.test(text)) return undefined;
  const [, words = ""] = /<command-args>([\s\S]*?)<\/command-args>/.exec(text) ?? [];
  const command = `/${name} ${words}`.trim();
  return HOUSEKEEPING.test(command) ? "" : command;
}
