/** If red: a person who uses a keyboard or a screen reader cannot use the page. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOME_WRITERS } from "../support/host-homes.ts";
import { moveToEnd } from "../support/move-to-end.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { COMPACTED, createWorld, readLines, SAMPLE, writeReplay } from "./support/create-world.ts";
import { chromium } from "./support/find-chromium.ts";
import { createBrowser } from "./support/open-browser.ts";
import { type RunningDashboard, startDashboard } from "./support/start-dashboard.ts";

const temporary = createTemporaryFolder();

const VIEWS = ["now", "sessions", "behind", "session", "spend", "what-if"] as const;
const CASES = VIEWS.flatMap((view) =>
  (["light", "dark"] as const).flatMap((colours) => [1440, 400].map((width) => ({ view, colours, width }))),
);

async function open(page: Page, view: (typeof VIEWS)[number]): Promise<void> {
  if (view === "session") {
    await page.getByRole("link", { name: "Sound three times." }).click();
    await page.getByRole("article").filter({ hasText: "Compaction 1" }).waitFor();
    await page.getByRole("button", { name: /^3/ }).click();
    await page.getByRole("button", { name: "Show all of it" }).first().waitFor();
  } else await page.getByRole("main").locator("section, article").first().waitFor();
  if (view === "now") await page.getByRole("heading", { name: /^Your last 30 days/ }).waitFor();
}

/** Every rule that is broken, with the places; by WCAG 2.2 at the level AA. */
async function findFaults(page: Page): Promise<readonly string[]> {
  // Evaluated by the driver and not by the page, so the page's policy on scripts stays as it is.
  await page.evaluate(axe.source);
  const reported: string = await page.evaluate(
    `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) =>
      JSON.stringify(violations.map(({ id, nodes }) => id + ": " + nodes.map(({ target, failureSummary }) => target + " " + failureSummary).join("; "))))`,
  );
  return JSON.parse(reported);
}

describe.skipIf(chromium === undefined)("every view", () => {
  const browser = createBrowser();
  const world = createWorld(temporary.folder);
  world.append("67e4bfd6-7a6a-4b49-b19a-918a92570113", readLines(COMPACTED));
  world.append("6bb1e92a-6e43-4b90-8c08-5573040823fb", readLines(SAMPLE));
  // Prompts name files, and a path has no place to break.
  const customTitle = `Read [a panel](${"src/components/".repeat(4)}sessionDetailsPanel.ts)`;
  world.append("6bb1e92a-6e43-4b90-8c08-5573040823fb", [JSON.stringify({ type: "custom-title", customTitle })]);
  world.note("6bb1e92a-6e43-4b90-8c08-5573040823fb", { kind: "ran", ms: 12 });
  world.limit("6bb1e92a-6e43-4b90-8c08-5573040823fb", { five_hour: 94, seven_day: 41 });
  writeReplay(`${world.home}/replay.json`);
  let dashboard: RunningDashboard | undefined;
  beforeAll(async () => {
    dashboard = await startDashboard(world.home, ["--replay", "replay.json"]);
  });
  afterAll(() => dashboard?.stop());

  it.each(CASES)("$view is accessible and fits, $colours, $width pixels wide", async ({ view, colours, width }) => {
    const path = { session: "sessions", behind: "sessions/pauses" }[String(view)] ?? view;
    const { page, complaints, shoot } = await browser.open(`${dashboard?.url}#/${path}`, { width, colours });
    await open(page, view);
    await shoot(`${view}-${colours}-${width}`);
    expect(await findFaults(page)).toEqual([]);
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overhang).toBeLessThanOrEqual(0);
    expect(complaints).toEqual([]);
  });

  it("can be walked through by keyboard alone, beginning with a way past the navigation", async () => {
    const { page } = await browser.open(`${dashboard?.url}#/now`);
    await page.getByRole("article").first().waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
    for (const name of [" Plimsoll", "Now", "Sessions", "Spend"]) {
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "By day" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Spend");
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  });
});

describe.skipIf(chromium === undefined)("the first view of a home", () => {
  const browser = createBrowser();
  const running: RunningDashboard[] = [];
  afterAll(() => Promise.all(running.map((dashboard) => dashboard.stop())));
  const LIVE = "6bb1e92a-6e43-4b90-8c08-5573040823fb";
  const HOMES: Readonly<Record<string, (home: string) => void>> = {
    empty: (home) => void createWorld(home),
    sample: (home) => void createWorld(home),
    red: (home) => createWorld(home).append(LIVE, now(readLines(SAMPLE)).map(fill)),
    "three-agents": (home) => {
      createWorld(home).append(LIVE, now(readLines(SAMPLE).slice(0, 300)));
      for (const client of ["codex", "pi"] as const) HOME_WRITERS[client](home);
    },
  };
  const now = (lines: readonly string[]) => moveToEnd(lines.join("\n"), Date.now()).split("\n");
  /** Requests whose cache holds half as much again: 95 % of where the client compacts. */
  const fill = (line: string) =>
    line.replace(
      /"cache_read_input_tokens":(\d+)/g,
      (_, tokens) => `"cache_read_input_tokens":${Math.round(Number(tokens) * 1.42)}`,
    );
  const CASES = Object.keys(HOMES).flatMap((home) =>
    (["light", "dark"] as const).flatMap((colours) => [1440, 390].map((width) => ({ home, colours, width }))),
  );
  const urls = new Map<string, string>();
  beforeAll(async () => {
    for (const [name, make] of Object.entries(HOMES)) {
      const home = temporary.name(`-${name}`);
      make(home);
      const dashboard = await startDashboard(home, name === "empty" ? [".claude/projects"] : []);
      running.push(dashboard);
      urls.set(name, dashboard.url);
    }
  });

  it.each(CASES)(
    "is accessible and shows the load first: $home, $colours, $width pixels wide",
    async ({ home, colours, width }) => {
      const { page, complaints, shoot } = await browser.open(`${urls.get(home)}#/now`, { width, colours });
      const gauge = page.getByRole("img", { name: /compacts at/ }).first();
      if (home === "empty") await page.getByRole("heading", { name: "No session is recorded here yet" }).waitFor();
      else await gauge.waitFor();
      if (home === "red") await page.getByText("RED").first().waitFor();
      await shoot(`home-${home}-${colours}-${width}`);
      expect(await findFaults(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const { y = 0, height = 0 } = home === "empty" || width < 1440 ? {} : ((await gauge.boundingBox()) ?? {});
      expect(y + height).toBeLessThan(900);
      expect(complaints).toEqual([]);
    },
  );
});
