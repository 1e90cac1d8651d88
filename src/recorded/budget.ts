import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { isObject, type JsonObject, listField, numberField, textField, textListField } from "../core/json.ts";
import { renderCount } from "../core/render-count.ts";
import { writePrivateFile } from "../files/private-files.ts";
import { readObject } from "../files/read-regular-file.ts";
import { billRequests, isLowerBound } from "../models/economics/bill.ts";
import { renderLowerUsd, renderUsd } from "../models/economics/render-usd.ts";
import type { Calendar, CalendarUnit } from "./calendar.ts";
import type { ScannedFile } from "./join-scans.ts";
import { selectSpent } from "./look-back/look-back.ts";

export interface Budget {
  readonly span: CalendarUnit;
  /** By name or folder; empty for all work. */
  readonly project: string;
  readonly limitUsd: number;
}

/** What `plimsoll budget` stores. */
export interface BudgetPlan {
  readonly budgets: readonly Budget[];
  /** Run by the shell at 80 and 100 %; empty for none. */
  readonly command: string;
  readonly hasBell: boolean;
  /** Node and the program, so that a client can update the sums. */
  readonly program: readonly string[];
}

export interface BudgetState extends Budget {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly spentUsd: number;
  readonly isAtLeast: boolean;
  readonly usedPercent: number;
  /** At the pace of the last weeks, by the end of the week or month; `null` for a day, whose hours differ too much. */
  readonly forecastUsd: number | null;
  /** The days that the pace was taken from: fewer than 28 if less is recorded. */
  readonly paceDays: number | null;
  /** When it is used up at that pace; `null` if the period ends first, or it is used up already. */
  readonly usedUpMs: number | null;
}

export const BUDGET_SPANS: readonly CalendarUnit[] = ["day", "week", "month"];
const SPAN_NAMES: Readonly<Record<CalendarUnit, string>> = { day: "today", week: "this week", month: "this month" };
const DAY_MS = 86_400_000;
/** Four whole weeks, so that differences between weekdays even out. */
const PACE_DAYS = 28;
const MAX_BYTES = 1 << 18;

export function isOfProject({ project, folder }: ScannedFile, wanted: string): boolean {
  return wanted === "" || project === wanted || folder === wanted || folder.endsWith(`/${wanted}`);
}

export function describeBudgets(
  budgets: readonly Budget[],
  scanned: readonly ScannedFile[],
  { nowMs, calendar }: { readonly nowMs: number; readonly calendar: Calendar },
): readonly BudgetState[] {
  return budgets.map((budget) => {
    const files = scanned.filter((file) => isOfProject(file, budget.project));
    const { fromMs, untilMs } = calendar.spanOf(budget.span, nowMs);
    const { usd: spentUsd, isAtLeast } = sumSpent(files, fromMs, untilMs);
    const pace = budget.span === "day" ? null : findPace(files, nowMs);
    const rest = budget.limitUsd - spentUsd;
    const isGrowing = pace !== null && pace.usdPerDay > 0 && rest > 0;
    const usedUpMs = isGrowing ? nowMs + (rest / pace.usdPerDay) * DAY_MS : null;
    return {
      ...budget,
      fromMs,
      untilMs,
      spentUsd,
      isAtLeast,
      usedPercent: (spentUsd / budget.limitUsd) * 100,
      forecastUsd: pace === null ? null : spentUsd + (pace.usdPerDay * (untilMs - nowMs)) / DAY_MS,
      paceDays: pace === null ? null : Math.round(pace.days),
      usedUpMs: usedUpMs !== null && usedUpMs < untilMs ? usedUpMs : null,
    };
  });
}

interface Pace {
  readonly usdPerDay: number;
  readonly days: number;
}

/** Dollars per day over the last four weeks, days without work included; `null` if less than a day is recorded. */
function findPace(files: readonly ScannedFile[], nowMs: number): Pace | null {
  const fromMs = nowMs - PACE_DAYS * DAY_MS;
  const firstMs = files.reduce(
    (first, { ownSteps }) => ownSteps.reduce((least, { atMs = nowMs }) => Math.min(least, atMs), first),
    nowMs,
  );
  const days = (nowMs - Math.max(fromMs, firstMs)) / DAY_MS;
  return days < 1 ? null : { usdPerDay: sumSpent(files, fromMs, nowMs + 1).usd / days, days };
}

export function sumSpent(
  files: readonly ScannedFile[],
  fromMs: number,
  untilMs: number,
): { readonly usd: number; readonly isAtLeast: boolean } {
  const bill = billRequests(files.flatMap((file) => selectSpent(file, { fromMs, untilMs }).steps));
  return { usd: bill.spend.totalUsd, isAtLeast: isLowerBound(bill) };
}

export function nameBudget({ span, project }: Budget): string {
  return project === "" ? SPAN_NAMES[span] : `${project}, ${SPAN_NAMES[span]}`;
}

/** `$12.40 of $20.00 (62 %), about $330.00 by the end of the month`. */
export function renderBudget(state: BudgetState, calendar: Calendar): string {
  const { spentUsd, isAtLeast, limitUsd, usedPercent, forecastUsd, paceDays, usedUpMs, span } = state;
  const forecast =
    forecastUsd === null
      ? ""
      : `, about ${renderUsd(forecastUsd)} by the end of the ${span} at the pace of the last ${renderCount(paceDays ?? 0, "day")}`;
  const end = usedUpMs === null ? "" : `; the budget runs out on ${calendar.nameDay(usedUpMs)}`;
  return `${renderLowerUsd(spentUsd, isAtLeast)} of ${renderUsd(limitUsd)} (${Math.floor(usedPercent)} %)${forecast}${end}`;
}

export interface BudgetAlert {
  /** One id per budget, period and threshold. */
  readonly id: string;
  readonly atMs: number;
  readonly text: string;
}

const THRESHOLDS = [100, 80] as const;
/** Older alerts belong to periods that are over. */
const KEPT_ALERTS = 40;

/** The thresholds that were just passed. Only the higher one of a budget is reported. */
export function listAlerts(
  states: readonly BudgetState[],
  known: readonly BudgetAlert[],
  { nowMs, calendar }: { readonly nowMs: number; readonly calendar: Calendar },
): readonly BudgetAlert[] {
  const ids = new Set(known.map(({ id }) => id));
  return states.flatMap((state) => {
    const percent = THRESHOLDS.find((threshold) => state.usedPercent >= threshold);
    const id = `${state.span} ${calendar.nameDay(state.fromMs)} ${state.limitUsd} ${percent} ${state.project}`;
    if (percent === undefined || ids.has(id)) return [];
    const what = percent === 100 ? "A budget is used up" : "80 % of a budget is used";
    const text = `${what}: ${nameBudget(state)} ${renderLowerUsd(state.spentUsd, state.isAtLeast)} of ${renderUsd(state.limitUsd)}. Run: plimsoll budget`;
    return [{ id, atMs: nowMs, text }];
  });
}

/** The result of the last complete scan of all sessions, for entry points that must be fast. */
interface SpentState {
  readonly atMs: number;
  readonly todayUsd: number;
  /** End of the day that the sums are for. */
  readonly dayEndMs: number;
  readonly alerts: readonly BudgetAlert[];
}

/** From the first of the folders that has one. */
export function readPlan(dataFolders: readonly string[]): BudgetPlan {
  const files = dataFolders.map((folder) => path.join(folder, "budget.json"));
  const file = readObject(files.find((name) => existsSync(name)) ?? "", MAX_BYTES) ?? {};
  return {
    budgets: listField(file, "budgets").filter(isObject).flatMap(parseBudget),
    command: textField(file, "command"),
    hasBell: file.hasBell === true,
    program: textListField(file, "program"),
  };
}

function parseBudget(value: JsonObject): readonly Budget[] {
  const span = BUDGET_SPANS.find((name) => name === value.span);
  const limitUsd = numberField(value, "limitUsd") ?? 0;
  return span && limitUsd > 0 ? [{ span, project: textField(value, "project"), limitUsd }] : [];
}

export function writePlan(dataFolder: string, plan: BudgetPlan): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  writePrivateFile(path.join(dataFolder, "budget.json"), `${JSON.stringify(plan, undefined, 2)}\n`);
}

const SPENT_FILE = "spent.json";

/** `undefined` before the first scan. */
export function readSpent(dataFolder: string): SpentState | undefined {
  const file = readObject(path.join(dataFolder, SPENT_FILE), MAX_BYTES) ?? {};
  const atMs = numberField(file, "atMs");
  if (atMs === undefined) return undefined;
  return {
    atMs,
    todayUsd: numberField(file, "todayUsd") ?? 0,
    dayEndMs: numberField(file, "dayEndMs") ?? 0,
    alerts: listField(file, "alerts")
      .filter(isObject)
      .map((one) => ({ id: textField(one, "id"), atMs: numberField(one, "atMs") ?? 0, text: textField(one, "text") })),
  };
}

/** Stores the sums where a status line or a client reads them. If the home is not writable, only this file is missing. */
export function keepSpent(dataFolder: string, states: readonly BudgetState[], today: SpentState): void {
  const budgets = states.map((state) => {
    return { name: nameBudget(state), usedPercent: state.usedPercent, untilMs: state.untilMs };
  });
  try {
    const state = { ...today, budgets, alerts: today.alerts.slice(-KEPT_ALERTS) };
    writePrivateFile(path.join(dataFolder, SPENT_FILE), `${JSON.stringify(state)}\n`);
  } catch {
    // The next run reads the sessions again.
  }
}
