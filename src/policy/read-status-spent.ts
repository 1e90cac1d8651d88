import { countField, isObject, listField, textField } from "../core/json.ts";
import type { Status } from "../measure/status-line.ts";

/** What a status line shows of `spent.json`, which is written whenever all sessions are added up. A day or a budget period that is over shows nothing. */
export function readStatusSpent(spent: unknown, nowMs: number): Pick<Status, "todayUsd" | "budget"> {
  if (!isObject(spent)) return {};
  const open = listField(spent, "budgets")
    .filter(isObject)
    .filter((one) => countField(one, "untilMs") > nowMs)
    .map((one) => ({ name: textField(one, "name"), usedPercent: countField(one, "usedPercent") }))
    .sort((left, right) => right.usedPercent - left.usedPercent);
  const todayUsd = nowMs < countField(spent, "dayEndMs") ? countField(spent, "todayUsd") : 0;
  return { todayUsd, budget: open[0] };
}
