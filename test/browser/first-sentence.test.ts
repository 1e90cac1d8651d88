/** If red: the page says something other than the terminal about the same sessions, or a number leads nowhere. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { COMPACTED, createWorld, readLines, SAMPLE } from "./support/create-world.ts";
import { chromium } from "./support/find-chromium.ts";
import { createBrowser } from "./support/open-browser.ts";
import { readText } from "./support/read-text.ts";
import { type RunningDashboard, startDashboard } from "./support/start-dashboard.ts";

const LIVE = "6bb1e92a-6e43-4b90-8c08-5573040823fb";
const OVER = "67e4bfd6-7a6a-4b49-b19a-918a92570113";
const PROGRAM = path.resolve(import.meta.dirname, "../../dist/plimsoll.cjs");

const temporary = createTemporaryFolder();

describe.skipIf(chromium === undefined)("the first thing on the page", () => {
  const browser = createBrowser();
  const world = createWorld(temporary.folder);
  world.append(OVER, readLines(COMPACTED));
  world.age(OVER);
  world.append(LIVE, readLines(SAMPLE));
  world.limit(LIVE, { five_hour: 94, seven_day: 41 });
  let dashboard: RunningDashboard | undefined;
  beforeAll(async () => {
    dashboard = await startDashboard(world.home);
  });
  afterAll(() => dashboard?.stop());
  const open = (view: string) => browser.open(`${dashboard?.url}#/${view}`);
  const say = (...words: readonly string[]): string =>
    execFileSync(process.execPath, [PROGRAM, ...words], {
      cwd: world.home,
      env: { PATH: process.env.PATH, HOME: world.home, PLIMSOLL_BACKGROUND: "0" },
      encoding: "utf8",
    });

  it("is the sentence that the terminal says first, with a command that a click copies", async () => {
    const { page, complaints } = await open("now");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    const advice = page.locator(".advice");
    await advice.waitFor();
    const printed = JSON.parse(say("now", "--json")).advice;
    expect(await readText(advice.getByRole("heading", { level: 1 }))).toBe(printed.sentence);
    const button = advice.getByRole("button", { name: `Copy ${printed.command}` });
    await button.click();
    await advice.getByText("Copied").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(printed.command);
    expect(complaints).toEqual([]);
  });

  it("is followed by the look back of the terminal, number by number", async () => {
    const { page } = await open("now");
    const card = page.locator(".look-back");
    await card.waitFor();
    const printed = await readText(card);
    const screen = say().replace(/\s+/g, " ");
    const figures = printed.match(/\$[\d.,]+/g) ?? [];
    expect(figures.length).toBeGreaterThan(0);
    for (const figure of figures) expect(screen).toContain(figure);
    for (const heading of printed.split("\n").filter((line) => /^\$|^Your last/.test(line)))
      expect(screen).toContain(heading);
  });

  it("tells how far the limits of a subscription are used, when they begin anew and when they end at this pace", async () => {
    const { page, shoot } = await open("now");
    const limits = page.getByRole("region", { name: "Limits and budgets" });
    await limits.waitFor();
    const text = await readText(limits);
    expect(text).toMatch(
      /5 hours\s+94 % used, resets in (?:2 h 0|1 h 59) min, at this pace runs out (?:on \S+ )?at \d\d:\d\d/,
    );
    expect(text).toMatch(/7 days\s+41 % used/);
    await limits.getByRole("img", { name: /^5 hours: 94 % used/ }).waitFor();
    await shoot("limits");
  });

  it("leads from each number to the sessions behind it, whose dollars add up to it", async () => {
    const { page } = await open("now");
    const heading = await readText(page.getByRole("heading", { name: /^Your last 30 days/ }));
    await page.getByRole("link", { name: /^Sessions behind: Your last/ }).click();
    await page.getByText(/^Only the last 30 days/).waitFor();
    const status = await readText(page.locator(".toolbar [role=status]"));
    expect(status).toMatch(/^\d+ sessions?, (?:at least )?\$[\d.]+$/);
    expect(heading).toContain(/\$[\d.]+/.exec(status)?.[0] ?? "no dollars");
    await page.getByRole("link", { name: "Show all sessions" }).click();
    await page.getByText(/^2 sessions, /).waitFor();
  });

  it("says the dollars of the list as the command stats says them", async () => {
    const { page } = await open("sessions");
    await page.getByText(/^2 sessions, /).waitFor();
    const rows: readonly { readonly totalUsd: number }[] = JSON.parse(say("stats", "--by", "session", "--json")).rows;
    const shown = await readText(page.getByRole("region", { name: "Recorded sessions" }));
    for (const { totalUsd } of rows) expect(shown).toContain(`$${totalUsd.toFixed(totalUsd < 0.1 ? 4 : 2)}`);
  });

  it("puts the list in the order of any column, and back", async () => {
    const { page, complaints } = await open("sessions");
    const table = page.getByRole("region", { name: "Recorded sessions" });
    await table.waitFor();
    const first = () => readText(table.locator("tbody tr").first());
    for (const name of ["Session", "Last request", "Model", "Requests", "Compacted", "Peak context", "Cost"]) {
      const column = table.getByRole("columnheader", { name });
      await column.getByRole("button").click();
      const before = await first();
      const order = await column.getAttribute("aria-sort");
      await column.getByRole("button").click();
      expect([name, await column.getAttribute("aria-sort")]).not.toEqual([name, order]);
      if (name !== "Model") expect([name, await first()]).not.toEqual([name, before]);
    }
    expect(complaints).toEqual([]);
  });

  it("speaks no word that only its authors know", async () => {
    const said: string[] = [];
    for (const view of ["now", "sessions", "spend", "what-if"]) {
      const { page } = await open(view);
      await page.getByRole("main").locator("section, article, .empty").first().waitFor();
      said.push(await readText(page.getByRole("main")), await readText(page.getByRole("contentinfo")));
    }
    expect(said.join("\n")).not.toMatch(
      /editedPrefix|modelSwitch|\bcold\b|\bbusts?\b|refused|p9\d|\bfold|UUID|\bmisses\b/i,
    );
  });
});

describe.skipIf(chromium === undefined)("a home that was never replayed", () => {
  const browser = createBrowser();
  const world = createWorld(temporary.name("-fresh"));
  world.append(OVER, readLines(COMPACTED));
  world.append(LIVE, readLines(SAMPLE));
  let dashboard: RunningDashboard | undefined;
  beforeAll(async () => {
    dashboard = await startDashboard(world.home, [], {});
  });
  afterAll(() => dashboard?.stop());

  it("has its What if filled while the page is open, without a command", async () => {
    const { page, complaints } = await browser.open(`${dashboard?.url}#/what-if`);
    await page
      .getByRole("region", { name: "What each policy would have cost, cheapest first" })
      .waitFor({ timeout: 100_000 });
    const kept = readFileSync(path.join(world.home, ".claude/data/plimsoll/last-replay.json"), "utf8");
    expect(kept).toContain('"installed": "plimsoll');
    await page.goto(`${dashboard?.url}#/now`);
    await page
      .getByText(/^With Plimsoll installed you would have/)
      .first()
      .waitFor();
    expect(complaints).toEqual([]);
  });
});
