import { afterAll, describe, expect, it } from "vitest";
import { CORPUS, hasCorpus, listCorpus } from "../../bench/corpus.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { chromium } from "./support/find-chromium.ts";
import { createBrowser } from "./support/open-browser.ts";
import { type RunningDashboard, startDashboard } from "./support/start-dashboard.ts";

const temporary = createTemporaryFolder();

const isSkipped = chromium === undefined || !hasCorpus;
if (!hasCorpus)
  process.stderr.write("The recorded sessions are not here: how fast the dashboard starts is not measured.\n");

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
    const { page, shoot } = await browser.open(`${dashboard.url}#/measure`);
    await page.getByRole("progressbar").waitFor();
    await shoot("first-start");
    await page.getByRole("progressbar").waitFor({ state: "detached", timeout: 60_000 });
    const tookMs = performance.now() - beganMs;
    await page.getByText(`${listCorpus().length} transcripts`).waitFor();
    process.stdout.write(
      `first start: all read after ${Math.round(tookMs)} ms, ${Math.round(dashboard.peakMegabytes())} MB at most\n`,
    );
    expect(dashboard.peakMegabytes()).toBeLessThan(300);
    expect(await dashboard.stop()).toBe(0);
  });

  it("paints within 1 s on a second start, and has its data within 3 s", async () => {
    const warm = await browser.open("about:blank");
    const beganMs = performance.now();
    const dashboard = await start();
    await warm.page.goto(`${dashboard.url}#/spend`);
    await warm.page.getByRole("heading", { level: 1, name: "Spend" }).waitFor();
    const paintedMs = performance.now() - beganMs;
    await warm.page.getByRole("heading", { name: "By day" }).waitFor();
    await warm.page.getByRole("progressbar").waitFor({ state: "detached" });
    await warm.page.getByText(`${listCorpus().length} transcripts`).waitFor();
    const readyMs = performance.now() - beganMs;
    process.stdout.write(
      `second start: address after ${Math.round(dashboard.startMs)} ms, painted after ${Math.round(paintedMs)} ms, all data after ${Math.round(readyMs)} ms, ${Math.round(dashboard.peakMegabytes())} MB at most\n`,
    );
    expect(paintedMs).toBeLessThan(1000);
    expect(readyMs).toBeLessThan(3000);
    expect(dashboard.peakMegabytes()).toBeLessThan(300);
  });
});
