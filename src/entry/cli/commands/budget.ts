import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, writeSync } from "node:fs";
import { renderLowerUsd } from "../../../models/economics/render-usd.ts";
import {
  BUDGET_SPANS,
  type Budget,
  type BudgetAlert,
  type BudgetPlan,
  type BudgetState,
  describeBudgets,
  isOfProject,
  keepSpent,
  listAlerts,
  nameBudget,
  readPlan,
  readSpent,
  renderBudget,
  sumSpent,
  writePlan,
} from "../../../recorded/budget.ts";
import { listOwnData, locateOwnData } from "../../../recorded/own-data.ts";
import { collectHome } from "../collect-usage.ts";
import { CliError, type Command, defineCommand, type Invocation, type Terminal } from "../command.ts";
import { chooseCalendar, ZONE_OPTION } from "../parse-period.ts";
import { paint, renderSafely } from "../print/style.ts";

export const budgetCommand: Command = defineCommand({
  name: "budget",
  summary: "Sets budgets per day, week or month, and shows them with your spending and a forecast",
  options: {
    day: { value: "USD", help: "set a budget for each day; 0 removes it" },
    week: { value: "USD", help: "set a budget for each week (Monday to Sunday); 0 removes it" },
    month: { value: "USD", help: "set a budget for each month; 0 removes it" },
    project: { value: "NAME", help: "set the budget for one project (its path, or its name in stats --by project)" },
    command: {
      value: "COMMAND",
      help: "run this shell command at 80 and 100 % of a budget, with the message in $PLIMSOLL_ALERT; pass the word none to remove the command",
    },
    bell: { value: "WHEN", help: "ring the terminal's bell at 80 and 100 % of a budget", choices: ["on", "off"] },
    check: { help: "update the totals, and report only budgets that just passed 80 or 100 %" },
    ...ZONE_OPTION,
  },
  examples: {
    "plimsoll budget": "shows your budgets, how much of each is used, and the forecast",
    "plimsoll budget --day 20 --month 300": "sets two budgets and shows them",
    "plimsoll budget --project shop/checkout --week 50": "sets a budget for one project",
    "plimsoll budget --command my-alert.sh": "sets your own alert command",
  },
  async run(invocation, terminal) {
    const dataFolder = locateOwnData(terminal.environment);
    const calendar = chooseCalendar(invocation, terminal);
    const before = readPlan(listOwnData(terminal.environment));
    const isChange = CHANGES.some((name) => invocation.values.has(name));
    const { scanned } = await collectHome(terminal);
    const plan = isChange ? changePlan(before, invocation) : before;
    if (isChange) writePlan(dataFolder, plan);
    const nowMs = terminal.nowMs();
    const states = describeBudgets(plan.budgets, scanned, { nowMs, calendar });
    const known = readSpent(dataFolder)?.alerts ?? [];
    const passed = listAlerts(states, known, { nowMs, calendar });
    const today = sumSpent(scanned, calendar.shiftDay(nowMs, 0), nowMs + 1);
    const dayEndMs = calendar.shiftDay(nowMs, 1);
    const kept = { atMs: nowMs, todayUsd: today.usd, dayEndMs, alerts: [...known, ...passed] };
    if (existsSync(dataFolder)) keepSpent(dataFolder, states, kept);
    for (const alert of passed) raise(alert, plan, terminal);
    const { command, hasBell } = plan;
    const isCheck = invocation.flags.has("check");
    if (isCheck && passed.length === 0 && !invocation.flags.has("json")) return undefined;
    const width = Math.max(...states.map((state) => nameBudget(state).length));
    const renderState = (state: BudgetState): string => {
      const isKnown = scanned.some((file) => isOfProject(file, state.project));
      const name = paint(terminal, "bold", renderSafely(nameBudget(state)).padEnd(width));
      return `${name}  ${renderBudget(state, calendar)}${isKnown ? "" : " (no session of this project is recorded yet)"}`;
    };
    const unset = `No budget is set. You have spent ${renderLowerUsd(today.usd, today.isAtLeast)} today. Run: plimsoll budget --day 20 --month 300`;
    const lines = isCheck ? passed.map(({ text }) => renderSafely(text)) : states.map(renderState);
    return {
      json: { today, budgets: states, alerts: passed, command, hasBell },
      text: () => lines.join("\n") || unset,
    };
  },
});

const CHANGES = [...BUDGET_SPANS, "command", "bell"];

function changePlan(plan: BudgetPlan, { values }: Invocation): BudgetPlan {
  const project = values.get("project") ?? "";
  let budgets: readonly Budget[] = plan.budgets;
  for (const span of BUDGET_SPANS) {
    const given = values.get(span);
    if (given === undefined) continue;
    const limitUsd = Number(given.replace(/^\$/, ""));
    if (!Number.isFinite(limitUsd) || limitUsd < 0 || given.trim() === "")
      throw new CliError(`--${span} takes dollars such as 20 or 12.50, not "${given}"`);
    budgets = budgets.filter((budget) => budget.span !== span || budget.project !== project);
    if (limitUsd > 0) budgets = [...budgets, { span, project, limitUsd }];
  }
  const command = values.get("command") ?? plan.command;
  const bell = values.get("bell");
  return {
    budgets,
    command: command === "none" ? "" : command,
    hasBell: bell === undefined ? plan.hasBell : bell === "on",
    program: [process.execPath, ...process.argv.slice(1, 2)],
  };
}

/** Runs the person's own alert. If it fails, the failure is reported and everything else goes on. */
function raise({ text }: BudgetAlert, { command, hasBell }: BudgetPlan, terminal: Terminal): void {
  if (hasBell) ring();
  if (command === "") return;
  const env = { ...terminal.environment, PLIMSOLL_ALERT: text };
  const { status, error } = spawnSync(command, { shell: true, env, stdio: "ignore", timeout: 10_000 });
  if (error || status !== 0) terminal.remark(`plimsoll: your alert command failed (${error?.message ?? status})\n`);
}

/** Writes to the terminal itself, because the program that started us may not show our output. */
function ring(): void {
  try {
    const terminal = openSync("/dev/tty", "w");
    writeSync(terminal, "\u0007");
    closeSync(terminal);
  } catch {
    // There is no terminal.
  }
}
