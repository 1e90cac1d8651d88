import { clipLine } from "../../core/clip-text.ts";
import type { PolicyState } from "../policy-state.ts";

const MAX_KEPT = 20;
const MAX_CHARACTERS = 4000;
const WIDTH = 120;

type Marked = Pick<PolicyState["told"], "kept">;

/** For a window that a compaction has emptied: every mark whole, and how it ends. Empty if nothing is marked. */
export function renderKept({ kept = [] }: Marked): string {
  if (kept.length === 0) return "";
  const marks = kept.map((text, index) => `${index + 1}. ${text.replaceAll("\n", "\n   ")}`);
  return ["The user marked this to be kept whole until they lift it (plimsoll lift N):", ...marks].join("\n");
}

function listKept({ kept = [] }: Marked): string {
  if (kept.length === 0) return "nothing is marked to be kept";
  return [
    "kept whole across compactions:",
    ...kept.map((text, index) => `${index + 1}. ${clipLine(text, WIDTH)}`),
  ].join("\n");
}

const KEEP = /^\s*\/?plimsoll[: ]+keep\b:?\s*([\s\S]*)$/i;
const LIFT = /^\s*\/?plimsoll[: ]+lift\b:?\s*(all|\d{1,3})?\s*$/i;

/** What a prompt to Plimsoll marks or lifts, and what the user is shown; `undefined` for any other prompt. */
export function hearMark(
  state: PolicyState,
  prompt: string,
): { readonly state: PolicyState; readonly text: string } | undefined {
  const kept = readMarks(state.told.kept ?? [], prompt);
  if (kept === undefined) return undefined;
  const told = { ...state.told, kept };
  return { state: { ...state, told }, text: listKept(told) };
}

function readMarks(kept: readonly string[], prompt: string): readonly string[] | undefined {
  const text = KEEP.exec(prompt)?.[1]?.trim().slice(0, MAX_CHARACTERS);
  if (text !== undefined) return text === "" ? kept : [...kept.filter((mark) => mark !== text), text].slice(-MAX_KEPT);
  const lift = LIFT.exec(prompt);
  if (lift === null) return undefined;
  const number = Number(lift[1] ?? "all");
  return Number.isNaN(number) ? [] : kept.filter((_, index) => index !== number - 1);
}
