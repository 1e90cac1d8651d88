import { clipText } from "../core/clip-text.ts";
import { redactSecrets } from "./redact-secrets.ts";
import type { Sheet } from "./sheet.ts";

/** A piece that a preview may show. Kinds propose; `composeExcerpts` takes the weightiest that fit. */
export interface Excerpt {
  /** Index of the line it stands for; `HEAD` and `TAIL` for remarks about the whole. */
  readonly line: number;
  readonly text: string;
  /** 100: without it the preview is useless. 50: worth its room. 10: fills what is left. */
  readonly weight: number;
  /** Where it is cut off; `DEFAULT_CUT` by default. */
  readonly cut?: number;
  /** Stands behind it, wherever it is cut. */
  readonly remark?: string;
  /** Its own words name the place: no line number before it. */
  readonly isUnlabelled?: boolean;
}

export const HEAD = -1;
export const TAIL: number = Number.MAX_SAFE_INTEGER;
const DEFAULT_CUT = 160;
/** Looked at beyond what is shown, since what follows may tell that it is a secret. */
const MARGIN = 400;
const MAX_WEIGHT = 110;
/** Below this nothing worth showing fits any more. */
const LEAST_ROOM = 16;
/** How many pieces in a row may be too large before the search ends: the rest would cost time and add little. */
const MAX_MISSES = 24;

/** What excerpts are taken of: without numbers none has a label, with a cut of its own none is longer. */
export interface Excerpted extends Pick<Sheet, "numbers"> {
  readonly cut?: number;
}

/** The weightiest excerpts that fit `room` characters, in the order of the text, secrets struck out. */
export function composeExcerpts(excerpts: readonly Excerpt[], sheet: Excerpted, room: number): string {
  const chosen: { readonly line: number; readonly text: string }[] = [];
  const taken = new Set<number>();
  let left = room;
  let misses = 0;
  const rank = ({ weight }: Excerpt): number => Math.max(0, Math.min(MAX_WEIGHT, Math.round(weight)));
  for (const excerpt of orderByRank(excerpts, rank)) {
    if (left < LEAST_ROOM || misses > MAX_MISSES) break;
    const isRemark = excerpt.line === HEAD || excerpt.line === TAIL;
    if (!isRemark && taken.has(excerpt.line)) continue;
    const text = renderExcerpt(excerpt, sheet, left - 1);
    if (text === "") {
      misses++;
      continue;
    }
    if (!isRemark) taken.add(excerpt.line);
    chosen.push({ line: excerpt.line, text });
    left -= text.length + 1;
  }
  return chosen
    .sort((one, other) => one.line - other.line)
    .map(({ text }) => text)
    .join("\n");
}

/** Highest first, equals as they came. By buckets: there may be thousands, few ranks are different, and few items are looked at. */
export function* orderByRank<Item>(items: Iterable<Item>, rankOf: (item: Item) => number): Generator<Item> {
  const buckets: Item[][] = [];
  for (const item of items) {
    const rank = rankOf(item);
    const bucket = buckets[rank];
    if (bucket) bucket.push(item);
    else buckets[rank] = [item];
  }
  for (let rank = buckets.length - 1; rank >= 0; rank--) yield* buckets[rank] ?? [];
}

/** Struck out before it is cut, so that no half of a secret is left at the edge. */
function renderExcerpt(excerpt: Excerpt, sheet: Excerpted, room: number): string {
  const { line, text, remark = "" } = excerpt;
  const cut = Math.min(sheet.cut ?? Number.POSITIVE_INFINITY, excerpt.cut ?? sheet.cut ?? DEFAULT_CUT);
  // Enough of it that whatever is shown has been looked at in its surroundings.
  const looked = text.length > cut + MARGIN ? text.slice(0, cut + MARGIN) : text;
  const safe = squeezeIndent(redactSecrets(looked).trimEnd());
  if (safe.trim() === "") return "";
  const number = excerpt.isUnlabelled ? 0 : (sheet.numbers[line] ?? 0);
  const label = number > 0 ? `${number}: ` : "";
  // What would lose more than half of itself at the end of the room is left to something smaller.
  const most = Math.min(cut, safe.length);
  const left = room - label.length - remark.length;
  if (most > left && left < most / 2) return "";
  return label + clipText(safe, Math.min(cut, left)) + remark;
}

/** Indentation tells what belongs to what; two spaces a step are enough for that. */
function squeezeIndent(text: string): string {
  const body = text.trimStart();
  const indent = text.slice(0, text.length - body.length);
  if (indent === "") return body;
  const width = indent.includes("\t") ? indent.length * 2 : indent.length / 2;
  return " ".repeat(Math.min(6, Math.ceil(width))) + body;
}
