import { toOneLine } from "../../core/clip-text.ts";
import { hashText } from "../../core/hash.ts";
import { renderStamp } from "../project-state/stamp.ts";
import { diffSummary } from "../receipt/diff-summary.ts";
import type { Fact } from "../receipt/fact.ts";
import { checkLanded, MAX_INJECTED_CHARACTERS, planRepair, type RepairedFact } from "../receipt/plan-repair.ts";

/** One session's restores, from compaction to compaction. Plain data, saved as JSON, and the same for command hooks and the in-process module. */
export interface RestoreState {
  /** The number of the compaction that the other fields are about, from 1; 0 before the first. */
  readonly compaction: number;
  /**
   * `idle`: no compaction. `asked`: about to happen. `told`: its summary is known, but it is not over. `done`: it happened, and what it
   * lost is to be put back. `settled`: nothing more will be tried.
   */
  readonly stage: "idle" | "asked" | "told" | "done" | "settled";
  readonly trigger: string;
  /** The request and time at which it was announced. What is put back is dated by them. */
  readonly request: number;
  readonly askedAtMs: number;
  /** The facts before it; emptied as soon as they cannot be needed again. */
  readonly facts: readonly Fact[];
  /** Text that the client keeps word for word in addition to the summary. */
  readonly kept: string;
  /** Hash of the summary that was judged; empty until one is known. */
  readonly summary: string;
  /** The summary is in a form that only its maker can read. What it lost is unknown, so everything that was not kept is said again. */
  readonly isSealed?: boolean;
  readonly held: number;
  readonly paraphrased: number;
  /** The most important first. */
  readonly lost: readonly LostItem[];
  /** What was handed to the client and not yet checked. */
  readonly given: { readonly event: string; readonly atMs: number; readonly lines: readonly string[] } | undefined;
  readonly tries: number;
}

export interface LostItem extends Omit<RepairedFact, "fact"> {
  /** `undefined` for something that is only named, such as an instruction file that the window no longer holds. */
  readonly fact: Fact | undefined;
  /** `left out`: there was no room for it. `missing`: given up. */
  readonly fate: "wanted" | "landed" | "left out" | "missing";
}

/** With fewer tries some fall-backs would never be used; more would only annoy a client that does not listen. */
export const MAX_TRIES = 3;

export const initialRestoreState: RestoreState = {
  compaction: 0,
  stage: "idle",
  trigger: "",
  request: 0,
  askedAtMs: 0,
  facts: [],
  kept: "",
  summary: "",
  held: 0,
  paraphrased: 0,
  lost: [],
  given: undefined,
  tries: 0,
};

export type RestoreEvent =
  /** It is about to happen. Clients say so up to four times for one compaction. */
  | {
      readonly kind: "asked";
      readonly trigger: string;
      readonly request: number;
      readonly atMs: number;
      readonly facts: readonly Fact[];
      readonly kept: string;
    }
  /** The summary as written. `isOver`: the compaction is finished; before that, another summary may replace it. */
  | {
      readonly kind: "summarised";
      readonly summary: string;
      /** It cannot be read, so only the kept text counts. */
      readonly isSealed?: boolean | undefined;
      readonly isOver: boolean;
      readonly atMs: number;
      readonly request: number;
      /** Used if the compaction was not announced: what is known about the session now. */
      readonly facts: readonly Fact[];
    }
  /** Lines for what else is no longer in the window, once that can be seen. */
  | { readonly kind: "missed"; readonly lines: readonly string[] }
  | { readonly kind: "offered"; readonly event: string; readonly atMs: number; readonly maxCharacters: number }
  /** What the client has recorded as sent since. `isOver`: a later answer proves that the rest will not come. */
  | { readonly kind: "looked"; readonly text: string; readonly isOver: boolean };

/** What is known about a compaction's losses, to be written whenever it changes. */
export interface RestoreReceipt extends Pick<RestoreState, "compaction" | "held" | "paraphrased"> {
  /** Each lost fact as one line, and whether the repair had room for it. */
  readonly lost: readonly { readonly line: string; readonly isInjected: boolean }[];
  readonly landing: "landed" | "missing" | "unknown";
}

export interface RestoreStep {
  readonly state: RestoreState;
  /** Text for the model at the offered event; empty for none. */
  readonly injection: string;
  readonly receipt: RestoreReceipt | undefined;
}

/** Advances by one event, in any order. What landed is never sent again, all of one compaction stays within the client's limit, and after three tries it ends. */
export function stepRestore(state: RestoreState, event: RestoreEvent): RestoreStep {
  switch (event.kind) {
    case "asked":
      return quiet(ask(state, event));
    case "summarised":
      return summarise(state, event);
    case "missed":
      return quiet(miss(state, event.lines));
    case "offered":
      return offer(state, event);
    case "looked":
      return look(state, event);
  }
}

/** Whether anything is left to do. Cheap, because an entry point asks at every tool call. */
export function isRestoring({ stage, lost, given, tries }: RestoreState): boolean {
  if (stage === "asked" || stage === "told") return true;
  return stage === "done" && (given !== undefined || (tries < MAX_TRIES && lost.some(isWanted)));
}

function quiet(state: RestoreState): RestoreStep {
  return { state, injection: "", receipt: undefined };
}

type Event<Kind extends RestoreEvent["kind"]> = Extract<RestoreEvent, { kind: Kind }>;

/** Until a compaction has ended, further announcements are about the same one and only update what there was before it. */
function ask(state: RestoreState, { trigger, request, atMs, facts, kept }: Event<"asked">): RestoreState {
  const isFurther = state.stage === "asked" || state.stage === "told";
  const base = isFurther ? state : { ...initialRestoreState, compaction: state.compaction + 1 };
  return { ...base, stage: "asked", trigger, request, askedAtMs: atMs, facts, kept };
}

function summarise(
  before: RestoreState,
  { summary, isSealed = false, isOver, request, atMs, facts }: Event<"summarised">,
): RestoreStep {
  const hash = hashText(summary);
  const isKnown = before.stage === "told" && before.summary === hash;
  // A module may have answered, or a hook may have been late: then use what is known now.
  const isAsked = before.stage === "asked" || before.stage === "told";
  if (!isAsked && (!isOver || before.summary === hash)) return quiet(before);
  const base = isAsked ? before : ask(before, { kind: "asked", trigger: "unknown", request, atMs, facts, kept: "" });
  const judged = isKnown ? base : { ...base, ...judge(summary, base), summary: hash, ...(isSealed && { isSealed }) };
  if (!isOver) return quiet({ ...judged, stage: "told" });
  return close({ ...judged, stage: "done", facts: [], kept: "" });
}

/** The lines that put back what a summary lost, each fact once. What landed before another summary replaced the first keeps its state. */
function judge(
  summary: string,
  { facts, kept, lost: before }: RestoreState,
): Pick<RestoreState, "held" | "paraphrased" | "lost"> {
  const diff = diffSummary(stripAnalysis(summary), facts, kept);
  // Room is checked when it is sent; here every line counts.
  const { repaired } = planRepair(diff, Number.MAX_SAFE_INTEGER);
  const landed = before.filter(({ fate }) => fate === "landed");
  const lines = new Set(landed.map(({ line }) => line));
  const lost = repaired.map((item): LostItem => ({ ...item, fate: lines.has(item.line) ? "landed" : "wanted" }));
  const others = landed.filter(({ line }) => !lost.some((item) => item.line === line));
  return { held: diff.held.length, paraphrased: diff.paraphrased.length, lost: [...lost, ...others] };
}

/** The client discards the writer's notes, so what only they contain is lost. */
function stripAnalysis(summary: string): string {
  const stripped = summary.replace(/<analysis>[\s\S]*?<\/analysis>/g, "");
  return /<summary>([\s\S]*?)<\/summary>/.exec(stripped)?.[1] ?? stripped;
}

function close(state: RestoreState): RestoreStep {
  const isFinished = state.given === undefined && (state.tries >= MAX_TRIES || !state.lost.some(isWanted));
  if (state.stage !== "done" || !isFinished) return { state, injection: "", receipt: describe(state) };
  const lost = state.lost.map((item): LostItem => (isWanted(item) ? { ...item, fate: "missing" } : item));
  const settled: RestoreState = { ...state, lost, stage: "settled" };
  return { state: settled, injection: "", receipt: describe(settled) };
}

/** Named only once, and only if there was a compaction. */
function miss(state: RestoreState, lines: readonly string[]): RestoreState {
  const known = new Set(state.lost.map(({ line }) => line));
  const added = lines
    .filter((line) => !known.has(line))
    .map((line): LostItem => ({ fact: undefined, line, fate: "wanted" }));
  const isPossible = state.stage !== "idle" && state.stage !== "asked" && state.tries < MAX_TRIES;
  if (added.length === 0 || !isPossible) return state;
  return { ...state, stage: state.stage === "settled" ? "done" : state.stage, lost: [...state.lost, ...added] };
}

function offer(state: RestoreState, { event, atMs, maxCharacters }: Event<"offered">): RestoreStep {
  const isReady = (state.stage === "told" || state.stage === "done") && state.given === undefined;
  if (!isReady || state.tries >= MAX_TRIES) return quiet(state);
  const header = renderHeader(state, atMs);
  const landed = state.lost.filter(({ fate, line }) => fate === "landed" && line !== "");
  const used = landed.reduce((sum, { line }) => sum + line.length + 1, landed.length > 0 ? header.length : 0);
  let room = Math.min(maxCharacters, MAX_INJECTED_CHARACTERS - used) - header.length;
  const lines: string[] = [];
  const lost = state.lost.map((item): LostItem => {
    if (!isWanted(item) || item.line === "") return item;
    if (item.line.length + 1 > room) return { ...item, fate: "left out" };
    room -= item.line.length + 1;
    lines.push(item.line);
    return item;
  });
  if (lines.length === 0) return quiet(state);
  return {
    state: { ...state, lost, given: { event, atMs, lines }, tries: state.tries + 1 },
    injection: [header, ...lines].join("\n"),
    receipt: undefined,
  };
}

/** Says when the restored facts date from, and that later requests may have changed them. */
function renderHeader({ request, askedAtMs, compaction, isSealed }: RestoreState, nowMs: number): string {
  const date = renderStamp(askedAtMs > 0 ? askedAtMs : nowMs);
  const why = isSealed
    ? "Plimsoll cannot read the compaction's summary, so it cannot tell which of these facts the summary kept."
    : "The summary above left this out or got it wrong.";
  return `[restored from this session's record of ${date} UTC, request ${request}, before compaction ${compaction}: historical; later messages take precedence. ${why}]`;
}

function look(state: RestoreState, { text, isOver }: Event<"looked">): RestoreStep {
  const { given } = state;
  if (given === undefined) return quiet(state);
  const isGiven = new Set(given.lines);
  const isSeen = (item: LostItem): boolean => {
    if (!isWanted(item) || (item.line !== "" && !isGiven.has(item.line))) return false;
    // `checkLanded` looks for the line; the fact only matters if other lines state it.
    if (item.fact === undefined) return toOneLine(text).includes(toOneLine(item.line));
    return checkLanded({ repaired: [{ fact: item.fact, line: item.line }] }, text).status === "landed";
  };
  const lost = state.lost.map((item): LostItem => (isSeen(item) ? { ...item, fate: "landed" } : item));
  const isWhole = lost.every((item) => !isGiven.has(item.line) || item.fate === "landed");
  if (!isWhole && !isOver) return quiet(state);
  // A fact stated only by other lines has landed if they have; it is never sent by itself.
  const settled = isWhole
    ? lost.map((item): LostItem => (item.line === "" ? { ...item, fate: "landed" } : item))
    : lost;
  return close({ ...state, lost: settled, given: undefined });
}

function isWanted({ fate }: LostItem): boolean {
  return fate === "wanted";
}

/** The current receipt; none for a summary that cannot be read. */
function describe({ compaction, held, paraphrased, lost, stage, isSealed }: RestoreState): RestoreReceipt | undefined {
  if (isSealed) return undefined;
  const isMissing = lost.some(({ fate }) => fate === "missing");
  return {
    compaction,
    held,
    paraphrased,
    lost: lost.map(({ fact, line, fate }) => ({
      line: line === "" ? `- ${(fact?.text ?? "").replace(/\s+/g, " ")}` : line,
      isInjected: fate !== "left out",
    })),
    landing: stage !== "settled" ? "unknown" : isMissing ? "missing" : "landed",
  };
}
