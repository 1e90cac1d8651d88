import { clipText } from "../core/clip-text.ts";
import { redactSecrets } from "./redact-secrets.ts";
import type { Sheet } from "./sheet.ts";

/** A piece that a preview may show. Kinds propose them; `composeExcerpts` takes the weightiest that fit. */
export interface Excerpt {
  /** Index of its line; `HEAD` and `TAIL` for remarks about the whole. */
  readonly line: number;
  readonly text: string;
  /** 100: the preview is useless without it. 50: worth its room. 10: fills what is left. */
  readonly weight: number;
  readonly cut?: number;
  /** Appended after the text, wherever that is cut. */
  readonly remark?: string;
  /** The text itself names the place, so no line number is put before it. */
  readonly isUnlabelled?: boolean;
}

export const HEAD = -1;
export const TAIL: number = Number.MAX_SAFE_INTEGER;
const DEFAULT_CUT = 160;
/** Characters checked beyond what is shown, since they may reveal that it is a secret. */
const MARGIN = 400;
const MAX_WEIGHT = 110;
/** With less room than this nothing worth showing fits. */
const LEAST_ROOM = 16;
/** How many pieces in a row may be too large before the search ends: the rest would cost time and add little. */
const MAX_MISSES = 24;

/** The source of excerpts: without `numbers` none gets a label, with its own cut none is longer. */
export interface Excerpted extends Pick<Sheet, "numbers"> {
  readonly cut?: number;
}

/** The weightiest excerpts that fit `room` characters, in text order, with secrets redacted. */
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

/** Highest first, equals in given order. Uses buckets: there may be thousands of items with few distinct ranks, and few are read. */
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

/** Redacts before cutting, so that no half of a secret is left at the edge. */
function renderExcerpt(excerpt: Excerpt, sheet: Excerpted, room: number): string {
  const { line, text, remark = "" } = excerpt;
  const cut = Math.min(sheet.cut ?? Number.POSITIVE_INFINITY, excerpt.cut ?? sheet.cut ?? DEFAULT_CUT);
  // Takes enough that everything shown was checked with its surroundings.
  const looked = text.length > cut + MARGIN ? text.slice(0, cut + MARGIN) : text;
  const safe = squeezeIndent(redactSecrets(looked).trimEnd());
  if (safe.trim() === "") return "";
  const number = excerpt.isUnlabelled ? 0 : (sheet.numbers[line] ?? 0);
  const label = number > 0 ? `${number}: ` : "";
  // A piece that would lose more than half of itself for lack of room gives way to a smaller one.
  const most = Math.min(cut, safe.length);
  const left = room - label.length - remark.length;
  if (most > left && left < most / 2) return "";
  return label + clipText(safe, Math.min(cut, left)) + remark;
}

/** Indentation shows structure; two spaces per level are enough. */
function squeezeIndent(text: string): string {
  const body = text.trimStart();
  const indent = text.slice(0, text.length - body.length);
  if (indent === "") return body;
  const width = indent.includes("\t") ? indent.length * 2 : indent.length / 2;
  return " ".repeat(Math.min(6, Math.ceil(width))) + body;
}
