import { clipLine } from "../../core/clip-text.ts";
import type { PolicyState } from "../policy-state.ts";

const MAX_KEPT = 20;
/** All marked texts together: what a client takes from one hook is not much more. */
const MAX_CHARACTERS = 8_000;
const WIDTH = 120;

type Marked = Pick<PolicyState["told"], "kept" | "keptCalls" | "forgottenCalls">;

/** For a window that a compaction has emptied: every mark whole, and how it ends. Empty if nothing is marked. */
export function renderKept({ kept = [] }: Marked): string {
  if (kept.length === 0) return "";
  const marks = kept.map((text, index) => `${index + 1}. ${text.replaceAll("\n", "\n   ")}`);
  return ["The user marked this to be kept whole until they lift it (plimsoll lift N):", ...marks].join("\n");
}

function listKept({ kept = [], keptCalls = [], forgottenCalls = [] }: Marked): string {
  const marks = [
    ...kept.map((text) => clipLine(text, WIDTH)),
    ...keptCalls.map((callId) => `the result of call:${callId}`),
    ...forgottenCalls.map((callId) => `forgotten: the result of call:${callId}`),
  ];
  if (marks.length === 0) return "nothing is marked to be kept";
  return ["kept whole across compactions:", ...marks.map((mark, index) => `${index + 1}. ${mark}`)].join("\n");
}

const KEEP = /^\s*\/?plimsoll[: ]+keep\b:?\s*([\s\S]*)$/i;
const LIFT = /^\s*\/?plimsoll[: ]+lift\b:?\s*(all|\d{1,3})?\s*$/i;

/** What a prompt to Plimsoll marks or lifts, and what the user is shown; `undefined` for any other prompt. */
export function hearMark(
  state: PolicyState,
  prompt: string,
): { readonly state: PolicyState; readonly text: string } | undefined {
  const { kept = [] } = state.told;
  const text = KEEP.exec(prompt)?.[1]?.trim();
  if (text !== undefined) {
    const all = text === "" ? kept : [...kept.filter((mark) => mark !== text), text];
    const characters = all.reduce((sum, mark) => sum + mark.length, 0);
    const room = `only ${MAX_KEPT} texts and ${MAX_CHARACTERS} characters can be kept whole: lift one first, or keep a result (/plimsoll keep file:PATH)`;
    return all.length > MAX_KEPT || characters > MAX_CHARACTERS ? { state, text: room } : change(state, { kept: all });
  }
  const lift = LIFT.exec(prompt);
  if (lift === null) return undefined;
  const number = Number(lift[1] ?? "all");
  return change(state, Number.isNaN(number) ? NOTHING_MARKED : withoutMark(state.told, number - 1));
}

const NOTHING_MARKED: Marked = { kept: [], keptCalls: [], forgottenCalls: [] };

/** Numbered as they are listed. */
function withoutMark({ kept = [], keptCalls = [], forgottenCalls = [] }: Marked, at: number): Marked {
  const calls = at - kept.length;
  const others = calls - keptCalls.length;
  return { kept: drop(kept, at), keptCalls: drop(keptCalls, calls), forgottenCalls: drop(forgottenCalls, others) };
}

function drop(list: readonly string[], at: number): readonly string[] {
  return list.filter((_, index) => index !== at);
}

function change(state: PolicyState, marked: Marked): { readonly state: PolicyState; readonly text: string } {
  const injected = { ...state.told, ...marked };
  return { state: { ...state, told: injected }, text: listKept(injected) };
}

/** Marks results by their calls; the last word on a result counts. */
export function markCalls(state: PolicyState, as: "kept" | "forgotten", callIds: readonly string[]): PolicyState {
  const { keptCalls = [], forgottenCalls = [] } = state.told;
  const others = (list: readonly string[]): readonly string[] => list.filter((id) => !callIds.includes(id));
  const [kept, forgotten] = [others(keptCalls), others(forgottenCalls)];
  return change(state, {
    keptCalls: as === "kept" ? [...kept, ...callIds] : kept,
    forgottenCalls: as === "forgotten" ? [...forgotten, ...callIds] : forgotten,
  }).state;
}
