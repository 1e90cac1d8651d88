import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { listField, textListField } from "../../core/json.ts";
import { readObject } from "../../files/read-regular-file.ts";
import { assessHealth, type Health } from "../../measure/health.ts";
import { classifyMeasured } from "../../measure/level.ts";
import { emptyMeter } from "../../measure/meter.ts";
import { DEFAULT_SEGMENTS, renderGauge, renderStatusLine, STATUS_COLUMNS } from "../../measure/status-line.ts";
import { locateData, locateSpareHome } from "../../policy/actions/data-paths.ts";
import { readStatusSpent } from "../../policy/read-status-spent.ts";
import type { ClientPort } from "./client-port.ts";
import type { Live } from "./live.ts";

const run = promisify(execFile);

/** The load: measured or, between a compaction that we answered and the next request, estimated from what we left in it. */
export function readHealth({ watch, life: { pending } }: Live): Health {
  const health = watch.health();
  if (health.source === "usage" || pending?.by !== "plimsoll") return health;
  const { profile, compactionPointTokens } = health;
  const { expectedTokens: usedTokens } = pending;
  return {
    ...health,
    usedTokens,
    confidence: "estimated",
    level: profile === "measured" ? classifyMeasured(usedTokens, compactionPointTokens) : health.level,
    note: "the size is estimated, because no request followed the compaction",
  };
}

export function showStatus($: ClientPort, live: Live): void {
  const health = readHealth(live);
  const { statusLine } = live.settings;
  const text = statusLine === DEFAULT_SEGMENTS ? renderGauge(health) : renderLayout(health, live);
  if (text === live.shown.status) return;
  live.shown = { ...live.shown, status: text };
  $.ui.status(text, health.level === "GREEN" ? text : undefined);
}

export function hideStatus($: ClientPort): void {
  $.ui.status(renderGauge(assessHealth(emptyMeter)), "");
}

function renderLayout(health: Health, { settings, limits, shown: { spent } }: Live): string {
  const percents = limits.map(({ name, usedPercent }) => ({
    name: name === "five_hour" ? "5 h" : "7 d",
    percent: usedPercent,
    resetsInMs: undefined,
    endsInMs: undefined,
  }));
  const status = { ...health, ...spent, limits: percents, cacheLeftMs: undefined, costUsd: undefined, foldedTokens: 0 };
  const { head, rest } = renderStatusLine(status, STATUS_COLUMNS, settings.statusLine);
  return head + rest;
}

/** Says once that nothing is folded or compacted because nothing can be stored, and once that it can again. */
export function showIdle($: ClientPort, live: Live, isIdle: boolean): void {
  if (isIdle === live.shown.isIdle) return;
  live.shown = { ...live.shown, isIdle };
  $.ui.log(
    isIdle
      ? `Plimsoll is idle: it cannot write to ${live.root}/.plimsoll or ${live.folder}, so nothing is folded or compacted. Free disk space or allow writing there`
      : "Plimsoll can save originals again, so it folds results and compacts as before",
  );
}

/** Checking reads all sessions, so not more often than this. */
const BUDGET_PAUSE_MS = 60_000;

/** At the end of a turn, starts a check of the budgets in a process of its own, and shows which one has just passed 80 or 100 %. Nothing waits for it. */
export async function checkBudget($: ClientPort, live: Live): Promise<void> {
  if (live.nowMs() - live.shown.budgetCheckedMs < BUDGET_PAUSE_MS) return;
  live.shown = { ...live.shown, budgetCheckedMs: live.nowMs() };
  const spare = locateData(locateSpareHome(live.env));
  const plan = readObject(`${live.trust.dataFolder}/budget.json`) ?? readObject(`${spare}/budget.json`) ?? {};
  if (listField(plan, "budgets").length === 0) return;
  const [program, ...words] = textListField(plan, "program");
  if (program === undefined || words.length === 0) return;
  const { stdout } = await run(program, [...words, "budget", "--check"]).catch(() => ({ stdout: "" }));
  const lines = stdout.split("\n").filter((text) => text.trim() !== "");
  for (const line of lines.slice(0, 4)) $.ui.log(line);
  const spent = readStatusSpent(readObject(`${live.trust.dataFolder}/spent.json`), live.nowMs());
  live.shown = { ...live.shown, spent };
  showStatus($, live);
}
