/** If red: a person passes their budget without a warning, or the forecast for the month is wrong. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { answer, prompt, toFile, transcript } from "../../../../test/support/transcript-lines.ts";
import { readStatusSpent } from "../../../policy/read-status-spent.ts";
import { drawStatusText } from "../../hook/status/draw-status.ts";

const temporary = createTemporaryFolder();
/** A Wednesday, 15:00 in Zurich. */
const NOW = Date.UTC(2026, 2, 18, 14);
const HOUR_MS = 3_600_000;
const CODEX_HOOK = path.resolve(import.meta.dirname, "../../../../plugin-classic/dist/codex.cjs");

/** A home in which a million tokens ($5.00 at Opus 5's price of input) were sent so many hours ago, each in a project of its own. */
function writeHome(
  sent: readonly { readonly hoursAgo: number; readonly folder: string }[],
  home = temporary.name("-home"),
) {
  for (const [index, { hoursAgo, folder }] of sent.entries()) {
    const line = answer(`m${index}`, ["done"], { input_tokens: 1_000_000, output_tokens: 0 });
    const timestamp = new Date(NOW - hoursAgo * HOUR_MS).toISOString();
    const message = { ...(typeof line.message === "object" ? line.message : {}), model: "claude-opus-5" };
    const file = path.join(home, ".claude/projects", folder.replaceAll("/", "-"), `session-${index}.jsonl`);
    mkdirSync(path.dirname(file), { recursive: true });
    const lines = [
      { ...prompt("go"), cwd: folder },
      { ...line, message, timestamp, cwd: folder },
    ];
    writeFileSync(file, toFile(transcript(...lines)));
  }
  const environment = { HOME: home, TZ: "Europe/Zurich" };
  const run = async (...words: readonly string[]) =>
    (await runPlimsoll(words, { environment, nowMs: () => NOW, columns: 200 })).output;
  return { home, environment, run };
}

describe("plimsoll budget", () => {
  it("adds up the person's own day, week and month, and one project alone", async () => {
    const { run } = writeHome([
      { hoursAgo: 1, folder: "/home/ann/shop/checkout" },
      // Still today in Zurich, and not in New York's yesterday.
      { hoursAgo: 14.5, folder: "/home/ann/notes" },
      { hoursAgo: 40, folder: "/home/ann/notes" },
      { hoursAgo: 24 * 9, folder: "/home/ann/notes" },
    ]);
    await run("budget", "--day", "12", "--week", "20", "--month", "40");
    const output = await run("budget", "--project", "shop/checkout", "--day", "50");
    expect(output).toMatch(/^today +\$10\.00 of \$12\.00 \(83 %\)$/m);
    expect(output).toMatch(/^this week +\$15\.00 of \$20\.00 \(75 %\), about \$\d+\.\d\d by the end of the week/m);
    // Nine days are recorded: no pace is of more.
    expect(output).toMatch(/^this month .* at the pace of the last 9 days/m);
    expect(output).toMatch(/^this month +\$20\.00 of \$40\.00 \(50 %\), about \$/m);
    expect(output).toMatch(/^shop\/checkout, today +\$5\.00 of \$50\.00 \(10 %\)$/m);
    expect(await run("budget", "--timezone", "America/New_York")).toMatch(/^today +\$5\.00 of/m);
    expect(await run("now")).toContain("Budget today: $10.00 of $12.00 (83 %)");
    expect(await run("budget", "--day", "0")).not.toMatch(/^today/m);
  });

  it("counts for a project no folder whose name only ends like the project's", async () => {
    const { run } = writeHome([
      { hoursAgo: 1, folder: "/home/ann/work/shop" },
      { hoursAgo: 1, folder: "/home/ann/work/bishop" },
    ]);
    expect(await run("budget", "--project", "shop", "--day", "50")).toMatch(/^shop, today +\$5\.00 of/m);
  });

  it("forecasts the month at the pace of the last four weeks, and says when it is used up", async () => {
    const daily = Array.from({ length: 29 }, (_, day) => ({ hoursAgo: day * 24 + 1, folder: "/srv/app" }));
    const { run } = writeHome(daily);
    const { budgets } = JSON.parse(await run("budget", "--month", "120", "--json"));
    // 18 of 31 days are spent at $5 a day; 13 days and a piece follow.
    expect(budgets[0].spentUsd).toBe(90);
    expect(budgets[0].forecastUsd).toBeGreaterThan(150);
    expect(budgets[0].forecastUsd).toBeLessThan(162);
    expect(await run("budget")).toMatch(/the budget runs out on 2026-03-2[34]$/m);
    // At $5 a day, there is some left when the month ends.
    expect(await run("budget", "--month", "200")).not.toContain("runs out");
  });

  it("reports 80 and 100 % once each, and runs the person's own command", async () => {
    const { run, home } = writeHome([{ hoursAgo: 1, folder: "/srv/app" }]);
    const alerts = path.join(home, "told");
    await run("budget", "--day", "100");
    await run("budget", "--command", `printf '%s\\n' "$PLIMSOLL_ALERT" >> '${alerts}'`);
    expect(await run("budget", "--check")).toBe("");
    await run("budget", "--day", "6");
    expect(readFileSync(alerts, "utf8")).toBe("80 % of a budget is used: today $5.00 of $6.00. Run: plimsoll budget\n");
    for (const _ of ["next turn", "turn after it"]) expect(await run("budget", "--check")).toBe("");
    await run("budget", "--day", "5");
    expect(readFileSync(alerts, "utf8")).toMatch(
      /\nA budget is used up: today \$5\.00 of \$5\.00\. Run: plimsoll budget\n$/,
    );
    expect(await run("budget", "--check")).toBe("");
  });

  it("shows in the status line what is used of it", async () => {
    const { run, environment } = writeHome([{ hoursAgo: 1, folder: "/srv/app" }]);
    await run("budget", "--day", "6");
    const raw = JSON.stringify({ session_id: "s", cwd: "/srv/app", cost: { total_cost_usd: 1 } });
    // Drawn with the real clock: the day of the sums is over, so nothing of it is shown.
    expect(drawStatusText(raw, { ...environment, NO_COLOR: "1" }, ["today", "budget"])?.line).toBe("$0.00 today");
  });

  it("refuses what is no sum of money, and says that it knows no such project", async () => {
    const { environment, run } = writeHome([{ hoursAgo: 1, folder: "/srv/app" }]);
    const fail = async (...words: readonly string[]) =>
      (await runPlimsoll(["budget", ...words], { environment })).remarks;
    expect(await fail("--day", "much")).toContain("--day takes dollars such as 20");
    expect(await run("budget", "--project", "elsewhere", "--day", "1")).toContain(
      "no session of this project is recorded yet",
    );
  });

  it("writes nothing into the home of somebody who set none", async () => {
    const { run, home } = writeHome([{ hoursAgo: 1, folder: "/srv/app" }]);
    expect(await run("budget")).toContain("No budget is set. You have spent $5.00 today.");
    expect(existsSync(path.join(home, ".claude/data"))).toBe(false);
  });

  it("keeps everything outside the first client's folder for somebody who does not use that client", async () => {
    const home = temporary.name("-codex-home");
    mkdirSync(path.join(home, ".codex"), { recursive: true });
    const environment = { HOME: home };
    await runPlimsoll(["budget", "--day", "5"], { environment, nowMs: () => NOW });
    await runPlimsoll(["now"], { environment, nowMs: () => NOW });
    const input = { session_id: "s1", cwd: home, hook_event_name: "SessionStart", source: "startup" };
    execFileSync(process.execPath, [CODEX_HOOK, "SessionStart"], { env: { HOME: home }, input: JSON.stringify(input) });
    expect(existsSync(path.join(home, ".local/share/plimsoll/data/plimsoll/sessions/s1"))).toBe(true);
    expect([
      existsSync(path.join(home, ".claude")),
      existsSync(path.join(home, ".local/share/plimsoll/data/plimsoll/budget.json")),
    ]).toEqual([false, true]);
  });

  it.each([
    ["budget", "--day", "5"],
    ["trust", "agree"],
    ["preview", "--caller", "team", "notes.md"],
  ])("of a person without any client is no reason to make a client's folder: plimsoll %s", async (...words) => {
    const home = temporary.name("-no-client");
    const directory = path.join(home, "project");
    mkdirSync(path.join(directory, ".plimsoll/rules"), { recursive: true });
    for (const name of [".plimsoll/rules/a.md", "notes.md"]) writeFileSync(path.join(directory, name), "- x\n");
    const environment = { HOME: home };
    expect(await runPlimsoll(words, { environment, directory, nowMs: () => NOW })).toMatchObject({ exitCode: 0 });
    expect(readdirSync(home).sort()).toEqual([".local", "project"]);
  });

  it("is still there when the person begins to use that client, and changes from then on where the client looks", async () => {
    const home = temporary.name("-codex-home");
    mkdirSync(path.join(home, ".codex"), { recursive: true });
    await runPlimsoll(["budget", "--day", "6"], { environment: { HOME: home }, nowMs: () => NOW });
    const { run } = writeHome([{ hoursAgo: 1, folder: "/srv/app" }], home);
    const data = path.join(home, ".claude/data/plimsoll");
    mkdirSync(data, { recursive: true });
    expect(await run("budget", "--check")).toContain("80 % of a budget is used: today $5.00 of $6.00");
    const spent = JSON.parse(readFileSync(path.join(data, "spent.json"), "utf8"));
    expect(readStatusSpent(spent, NOW)).toMatchObject({ todayUsd: 5, budget: { name: "today" } });
    expect(await run("budget", "--day", "10")).toMatch(/^today +\$5\.00 of \$10\.00/m);
    expect(readFileSync(path.join(data, "budget.json"), "utf8")).toContain('"limitUsd": 10');
  });
});
