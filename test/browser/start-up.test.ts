/** If red: the page stays empty for long after it is opened, or takes too much memory. */
import { afterAll, describe, expect, it } from "vitest";
import { CORPUS, hasCorpus, listCorpus } from "../../lab/bench/corpus.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { chromium } from "./support/find-chromium.ts";
import { measureSlowness } from "./support/measure-slowness.ts";
import { createBrowser } from "./support/open-browser.ts";
import { type RunningDashboard, startDashboard } from "./support/start-dashboard.ts";

const temporary = createTemporaryFolder();

const isSkipped = chromium === undefined || !hasCorpus;

describe.skipIf(isSkipped)("over all recorded sessions", () => {
  const browser = createBrowser();
  const started: RunningDashboard[] = [];
  afterAll(() => Promise.all(started.map((dashboard) => dashboard.stop())));
  const start = async (): Promise<RunningDashboard> => {
    const dashboard = await startDashboard(temporary.folder, [CORPUS]);
    started.push(dashboard);
    return dashboard;
  };

  it("shows how far it is on a first start, and all of it in the end, within 300 MB", async () => {
    const beganMs = performance.now();
    const dashboard = await start();
    const { page, shoot } = await browser.open(`${dashboard.url}#/spend`);
    await page.getByRole("progressbar").waitFor();
    await shoot("first-start");
    await page.getByRole("progressbar").waitFor({ state: "detached", timeout: 60_000 * measureSlowness() });
    const tookMs = performance.now() - beganMs;
    await page.getByText(`${listCorpus().length} recorded files`).waitFor();
    process.stdout.write(
      `first start: all read after ${Math.round(tookMs)} ms, ${Math.round(dashboard.peakMegabytes())} MB at most\n`,
    );
    expect(dashboard.peakMegabytes()).toBeLessThan(300);
    expect(await dashboard.stop()).toBe(0);
  });

  it("paints within 0.6 s on a second start, and has its data within 1.5 s", async () => {
    const runs: Run[] = [];
    const isGood = ({ paintedMs, readyMs, slowness }: Run): boolean =>
      paintedMs < 600 * slowness && readyMs < 1500 * slowness;
    // The quickest of up to three counts: what slows the others down is the machine's other work.
    while (runs.length < 3 && !runs.some(isGood)) {
      const run = await startAgain();
      runs.push(run);
      const [address, painted, ready, peak] = [run.addressMs, run.paintedMs, run.readyMs, run.peakMegabytes].map(
        Math.round,
      );
      process.stdout.write(
        `second start (machine ${run.slowness.toFixed(1)} times as slow as an idle one): address after ${address} ms, painted after ${painted} ms, all data after ${ready} ms, ${peak} MB at most\n`,
      );
      expect(run.peakMegabytes).toBeLessThan(300);
    }
    expect(runs.some(isGood)).toBe(true);
  });

  interface Run {
    /** By how much the machine is slower just now than one with nothing else to do. */
    readonly slowness: number;
    readonly addressMs: number;
    readonly paintedMs: number;
    readonly readyMs: number;
    readonly peakMegabytes: number;
  }

  async function startAgain(): Promise<Run> {
    const { page } = await browser.open("about:blank");
    const slowness = measureSlowness();
    const beganMs = performance.now();
    const dashboard = await start();
    await page.goto(`${dashboard.url}#/spend`, { waitUntil: "commit" });
    await page.getByRole("heading", { level: 1, name: "Spend" }).waitFor();
    const paintedMs = performance.now() - beganMs;
    await page.getByRole("heading", { name: /^By (?:day|week)$/ }).waitFor();
    await page.getByRole("progressbar").waitFor({ state: "detached" });
    await page.getByText(`${listCorpus().length} recorded files`).waitFor();
    const readyMs = performance.now() - beganMs;
    const peakMegabytes = dashboard.peakMegabytes();
    await dashboard.stop();
    return { slowness, addressMs: dashboard.startMs, paintedMs, readyMs, peakMegabytes };
  }
});
