import { renderCount } from "../core/render-count.ts";
import type { Health } from "./health.ts";
import { renderFewDigits } from "./render-load.ts";

export interface Status
  extends Pick<Health, "level" | "usedTokens" | "compactionPointTokens" | "toolCalls" | "requestsToLine"> {
  /** How long the prompt cache still holds what was sent; 0 when it is cold. */
  readonly cacheLeftMs: number | undefined;
  readonly costUsd: number | undefined;
  readonly foldedTokens: number;
  readonly limits: readonly StatusLimit[];
  readonly todayUsd?: number | undefined;
  readonly budget?: { readonly name: string; readonly usedPercent: number } | undefined;
  readonly model?: string;
  /** The checked-out branch; empty if there is none. */
  readonly branch?: string;
}

export const STATUS_SEGMENTS = [
  "load",
  "limits",
  "left",
  "requests",
  "cache",
  "cost",
  "today",
  "budget",
  "model",
  "branch",
  "folded",
] as const;
export type StatusSegment = (typeof STATUS_SEGMENTS)[number];
export const DEFAULT_SEGMENTS: readonly StatusSegment[] = [
  "load",
  "limits",
  "budget",
  "left",
  "requests",
  "cache",
  "cost",
  "folded",
];

export interface StatusLimit {
  readonly name: string;
  readonly percent: number;
  /** Until its period resets; `undefined` if the client does not say. */
  readonly resetsInMs: number | undefined;
  /** Until it runs out at the current pace, if that comes first. */
  readonly endsInMs: number | undefined;
}

export const STATUS_COLUMNS = 80;

/** A piece of the line, in full and shorter; the first pieces are dropped last. */
interface Piece {
  readonly full: string;
  readonly short: string;
}

/** Two parts, because only the head is painted in the colour of the level. Never wider than `columns`. */
export function renderStatusLine(
  status: Status,
  columns: number = STATUS_COLUMNS,
  segments: readonly StatusSegment[] = DEFAULT_SEGMENTS,
): { readonly head: string; readonly rest: string } {
  const all = listPieces(status, segments === DEFAULT_SEGMENTS);
  const [head = same(""), ...pieces] = segments.flatMap((segment) => all[segment]);
  const [first = "", ...others] = fitPieces([head, ...pieces], Math.min(columns, STATUS_COLUMNS));
  return { head: first, rest: others.map((text) => ` · ${text}`).join("") };
}

/** A lower limit or budget is shown only to people who asked for it. */
const WORTH_A_WORD_PERCENT = 70;

/** `isDefault`: the person has chosen no layout, so limits and budgets are shown only if nearly used up. */
function listPieces(status: Status, isDefault: boolean): Readonly<Record<StatusSegment, readonly Piece[]>> {
  const { requestsToLine, cacheLeftMs, costUsd, todayUsd, budget, foldedTokens, model, branch } = status;
  const isShown = (percent: number): boolean => !isDefault || percent >= WORTH_A_WORD_PERCENT;
  const isSpent = costUsd !== undefined && costUsd >= 0.005;
  return {
    ...weighPieces(status),
    limits: status.limits.filter(({ percent }) => isShown(percent)).map(renderLimit),
    requests:
      requestsToLine === undefined || status.usedTokens === undefined
        ? []
        : [{ full: `≈ ${renderCount(requestsToLine, "request")}`, short: `≈ ${requestsToLine} req` }],
    cache: cacheLeftMs === undefined ? [] : [renderCache(cacheLeftMs)],
    cost: isSpent ? [same(`$${costUsd.toFixed(2)}`)] : [],
    today: todayUsd === undefined ? [] : [same(`$${todayUsd.toFixed(2)} today`)],
    budget: budget && isShown(budget.usedPercent) ? [renderBudgetPiece(budget)] : [],
    model: model ? [same(model)] : [],
    branch: branch ? [same(branch)] : [],
    folded: foldedTokens > 0 ? [same(`folded ${renderFewDigits(foldedTokens)}`)] : [],
  };
}

function weighPieces({ level, usedTokens, compactionPointTokens, toolCalls }: Status) {
  if (usedTokens === undefined)
    return { load: [same(`▲ ${level} ${toolCalls} tool calls`)], left: [same("size not known yet")] };
  const percent = Math.round((usedTokens / compactionPointTokens) * 100);
  const left = renderFewDigits(Math.max(0, compactionPointTokens - usedTokens));
  return {
    load: [{ full: `▲ ${level} ${percent} % of load line`, short: `▲ ${level} ${percent} % of line` }],
    left: [{ full: `${left} to compact`, short: `${left} left` }],
  };
}

function renderBudgetPiece({ name, usedPercent }: NonNullable<Status["budget"]>): Piece {
  const percent = `${Math.floor(usedPercent)} %`;
  return { full: `budget ${name} ${percent}`, short: `budget ${percent}` };
}

function same(text: string): Piece {
  return { full: text, short: text };
}

function renderLimit({ name, percent, resetsInMs, endsInMs }: StatusLimit): Piece {
  const short = `${name} limit ${Math.round(percent)} %`;
  if (endsInMs !== undefined) return { full: `${short}, full in ${renderHours(endsInMs)}`, short };
  return resetsInMs === undefined ? same(short) : { full: `${short}, resets in ${renderHours(resetsInMs)}`, short };
}

/** `1:20` hours and minutes, `3 d` from two days on. */
function renderHours(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  return minutes >= 2880
    ? `${Math.round(minutes / 1440)} d`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}

function renderCache(leftMs: number): Piece {
  if (leftMs <= 0) return same("cache cold");
  const seconds = Math.ceil(leftMs / 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return { full: `cache warm ${clock}`, short: `cache ${clock}` };
}

/** Shortens pieces from the end, then drops them from the end; the head is cut only if it is alone. */
function fitPieces(pieces: readonly Piece[], columns: number): readonly string[] {
  for (let shortened = 0; shortened <= pieces.length; shortened++) {
    const texts = pieces.map(({ full, short }, index) => (index >= pieces.length - shortened ? short : full));
    if (measure(texts) <= columns) return texts;
  }
  const texts = pieces.map(({ short }) => short);
  while (texts.length > 1 && measure(texts) > columns) texts.pop();
  return [(texts[0] ?? "").slice(0, columns), ...texts.slice(1)];
}

function measure(texts: readonly string[]): number {
  return texts.join(" · ").length;
}

const CELLS = 10;
const PARTS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];

/** The load line in the client's status area: how full the window is up to where it compacts, as a bar and in numbers. */
export function renderGauge(
  health: Pick<Health, "usedTokens" | "compactionPointTokens" | "level" | "confidence" | "toolCalls">,
): string {
  const { usedTokens, compactionPointTokens, level, confidence, toolCalls } = health;
  if (usedTokens === undefined) return `⊖ ${toolCalls} tool calls, size not known yet`;
  const share = Math.min(1, usedTokens / compactionPointTokens);
  const about = confidence === "exact" ? "" : "≈";
  return `⊖ ${renderBar(share)} ${about}${Math.round(share * 100)} % of ${renderFewDigits(compactionPointTokens)}${level === "GREEN" ? "" : ` ${level}`}`;
}

function renderBar(share: number): string {
  const eighths = Math.round(share * CELLS * 8);
  const full = Math.floor(eighths / 8);
  return `${"█".repeat(full)}${PARTS[eighths % 8] ?? ""}`.padEnd(CELLS, "░");
}
