/** If red: a view of the page shows wrong values, or does not follow a running session. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOME_WRITERS } from "../support/host-homes.ts";
import { moveToEnd } from "../support/move-to-end.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { COMPACTED, createWorld, readLines, SAMPLE, type World, writeReplay } from "./support/create-world.ts";
import { chromium } from "./support/find-chromium.ts";
import { measureSlowness } from "./support/measure-slowness.ts";
import { createBrowser } from "./support/open-browser.ts";
import { readText } from "./support/read-text.ts";
import { type RunningDashboard, startDashboard } from "./support/start-dashboard.ts";

const LIVE = "6bb1e92a-6e43-4b90-8c08-5573040823fb";
const OVER = "67e4bfd6-7a6a-4b49-b19a-918a92570113";
/** A result of the sample session, and what stood in it before it was folded. */
const FOLDED_CALL = "toolu_main_31_1";
const ORIGINAL = "the whole output, line upon line\n".repeat(400);

const temporary = createTemporaryFolder();

/** A session that is over and was compacted, and one that is running and was folded in. */
function createSessions(world: World): void {
  world.append(OVER, readLines(COMPACTED));
  world.age(OVER);
  world.note(OVER, {
    kind: "receipt",
    compaction: 1,
    held: 9,
    paraphrased: 1,
    lost: [{ line: "- The user said: “never touch the ledger”", isInjected: true }],
    landing: "landed",
  });
  world.append(LIVE, moveToEnd(readLines(SAMPLE).slice(0, 300).join("\n"), Date.now()).split("\n"));
  world.note(
    LIVE,
    { kind: "ran", ms: 12 },
    { kind: "ran", ms: 14 },
    {
      kind: "folded",
      callId: FOLDED_CALL,
      tool: "Bash",
      handle: world.keep(ORIGINAL),
      characters: ORIGINAL.length,
      shownCharacters: 900,
      savedTokens: 7300,
    },
    { kind: "injected", what: "rules", why: "prompt", characters: 400, tokens: 110, model: "claude-opus-4-6" },
  );
}

describe.skipIf(chromium === undefined)("the dashboard", () => {
  const browser = createBrowser();
  const world = createWorld(temporary.folder);
  createSessions(world);
  writeReplay(`${world.home}/replay.json`);
  let dashboard: RunningDashboard | undefined;
  beforeAll(async () => {
    dashboard = await startDashboard(world.home, ["--replay", "replay.json"]);
  });
  afterAll(() => dashboard?.stop());
  const open = (view: string) => browser.open(`${dashboard?.url}#/${view}`);

  it("[R152] shows how full the running session is, how far it is to the line and what fills it", async () => {
    const { page, complaints, shoot } = await open("now");
    await page.getByRole("heading", { level: 2, name: "One session is running" }).waitFor();
    const card = page.getByRole("article");
    const text = await readText(card);
    expect(text).toContain("Refunds off by a cent");
    expect(text).toMatch(/In the window\s+[\d.]+k of (?:200k|1.00M) tokens/);
    expect(text).toMatch(/Until compaction\s+[\d.]+k\s+tokens; the agent compacts at \d+k, by its default rule/);
    expect(text).toMatch(/Requests until then\s+≈ \d+/);
    expect(text).toMatch(/System prompt and tools\s+[\d.]+k\s+[\d.]+ %/);
    expect(text).toContain("Thinking");
    expect(text).toContain("1 shortened output");
    expect(text).toContain("Output of Bash shortened by 7.3k tokens");
    expect(
      await card
        .getByRole("img", { name: /compacts at/ })
        .first()
        .isVisible(),
    ).toBe(true);
    await shoot("now");
    expect(complaints).toEqual([]);
  });

  it("tells the values of the request under a pointer, and keeps those of the one that was tapped", async () => {
    const { page, complaints } = await browser.open(`${dashboard?.url}#/now`, { hasTouch: true });
    const [chart, heading] = [page.locator(".chart rect"), page.locator(".legend h3")];
    await chart.hover({ position: { x: 1, y: 20 } });
    await heading.getByText(/^Request 1/).waitFor();
    await page.mouse.move(0, 0);
    await heading.getByText("Last request").waitFor();
    await chart.tap({ position: { x: 1, y: 20 } });
    await heading.getByText(/^Request 1/).waitFor();
    expect(await readText(heading)).toMatch(/^Request 1\b/);
    expect(complaints).toEqual([]);
  });

  it("[R152] follows a session within a second of what its client writes", async () => {
    const { page, shoot } = await open("now");
    const requests = page.locator(".now-figures .stat", { hasText: "Spent" }).locator(".note");
    await requests.waitFor();
    const before = await readText(requests);
    const beganMs = performance.now();
    world.append(LIVE, readLines(SAMPLE).slice(300));
    await page.waitForFunction(
      (known) => {
        const notes = [...document.querySelectorAll(".now-figures .stat .note")].map(({ textContent }) => textContent);
        return !notes.includes(known);
      },
      before,
      { polling: 20 },
    );
    const tookMs = performance.now() - beganMs;
    process.stdout.write(`a new request shows after ${Math.round(tookMs)} ms\n`);
    expect(tookMs).toBeLessThan(1000 * measureSlowness());
    await shoot("now-live");
  });

  it("shows what the journal of a running session tells within a second too", async () => {
    const { page } = await open("now");
    await page.getByText("1 shortened output", { exact: true }).waitFor();
    const beganMs = performance.now();
    world.note(LIVE, {
      kind: "folded",
      callId: "toolu_main_33_2",
      tool: "Grep",
      handle: "plimsoll:000000000000",
      characters: 24_000,
      shownCharacters: 900,
      savedTokens: 5100,
    });
    await page.getByText("Output of Grep shortened by 5.1k tokens").waitFor();
    const tookMs = performance.now() - beganMs;
    expect(tookMs).toBeLessThan(1000 * measureSlowness());
  });

  it("lists the sessions, finds one by its words, and opens it by keyboard", async () => {
    const { page, complaints, shoot } = await open("sessions");
    await page.getByText(/^2 sessions, /).waitFor();
    await shoot("sessions");
    await page.getByLabel("Find by title, project, model, agent or id").fill("cent");
    await page.getByText(/^1 session, /).waitFor();
    await page.getByRole("link", { name: "Refunds off by a cent" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Refunds off by a cent" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("[R152] shows every request with tokens, dollars and cache hit, and what was folded with its price and original", async () => {
    const { page, complaints, shoot } = await open("sessions");
    await page.getByRole("link", { name: "Refunds off by a cent" }).click();
    const requests = page.getByRole("region", { name: "Requests of this session" });
    await page.getByLabel("only where something happened").check();
    const row = requests.getByRole("row", { name: /1 output shortened/ }).first();
    expect(await readText(row)).toMatch(/\d+\s.*[\d.]+k\s+.*\d+ %\s+\$[\d.]+/s);
    const folded = requests.getByRole("row").filter({ has: page.getByRole("img", { name: "Shortened output" }) });
    await folded.last().getByRole("button").click();
    const card = page.locator(".fold-card");
    const text = await readText(card.first());
    expect(text).toContain("Output of Bash shortened");
    expect(text).toContain(`${ORIGINAL.length.toLocaleString("en-US")} characters became 900: 7.3k tokens less`);
    expect(text).toContain("the original was never sent, so the cache is not rewritten");
    expect(text).toMatch(/Shortening this output pays off after \d+ requests?/);
    const kept = page.waitForEvent("download");
    await page.locator("p.keep button", { hasText: "CSV: Requests of this session" }).click({ timeout: 8000 });
    const [head = "", ...rows] = readFileSync(await (await kept).path(), "utf8")
      .trimEnd()
      .split("\n");
    expect(head).toBe("Request,Time,Model,Sent,Answered,From cache,Cost,What happened");
    expect(rows.join()).toContain("1 output shortened");
    await shoot("session");
    await card.first().getByRole("button", { name: "Show the original" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("the whole output, line upon line").waitFor();
    await shoot("session-original");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  });

  it("saves a session as one picture that any program draws, with its names only where they are asked for", async () => {
    const { page, complaints } = await open("sessions");
    await page.getByRole("link", { name: "Refunds off by a cent" }).click();
    const save = async (): Promise<string> => {
      const kept = page.waitForEvent("download");
      await page.getByRole("button", { name: "Save the picture (SVG)" }).click();
      return readFileSync(await (await kept).path(), "utf8");
    };
    const bare = await save();
    for (const name of ["Refunds", "project", world.project, world.home, LIVE]) expect(bare).not.toContain(name);
    expect(bare).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(bare).toMatch(/>A session in Claude Code<.*\$[\d.]+ in \d+ requests · \d+ compactions?/s);
    // It stands alone: no style sheet, no script, nothing from elsewhere.
    expect(bare).not.toMatch(/<(?:script|style|image|use|foreignObject)\b|href=|url\(|NaN|undefined/);
    await page.getByLabel("with title and project").check();
    const named = await save();
    expect(named).toContain("Refunds off by a cent · ");
    // Chromium parses it as XML and draws it as a picture of its own.
    const drawn = await browser.open(`data:image/svg+xml;base64,${Buffer.from(bare).toString("base64")}`);
    expect(await drawn.page.evaluate("document.documentElement.nodeName")).toBe("svg");
    expect(await drawn.page.evaluate("document.querySelectorAll('parsererror').length")).toBe(0);
    const png = await drawn.page.screenshot();
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect([...complaints, ...drawn.complaints]).toEqual([]);
  });

  it("shows the text of any block that was sent or answered", async () => {
    const { page } = await open("sessions");
    await page.getByRole("link", { name: "Refunds off by a cent" }).click();
    await page.getByRole("button", { name: "Request", exact: true }).click();
    await page.getByRole("button", { name: /^1 open/ }).click();
    await page.getByRole("button", { name: "Show all of it" }).first().click();
    await page
      .getByRole("dialog")
      .getByText(/\d+ characters/)
      .waitFor();
  });

  it("shows a compaction before and after, with what the summary kept, what was missing and whether it landed", async () => {
    const { page, complaints, shoot } = await open("sessions");
    await page.getByRole("row").filter({ hasNotText: "Refunds" }).getByRole("link").click();
    const card = page.getByRole("article").filter({ hasText: "Compaction 1" });
    await card.waitFor();
    const text = await readText(card);
    expect(text).toMatch(/Before\s+[\d.]+k/);
    expect(text).toMatch(/After\s+[\d.]+k/);
    expect(text).toMatch(/\d+ kept word for word\s+\d+ paraphrased\s+\d+ missing/);
    expect(text).toContain(
      "As noted while the session ran (hook): 1 of 11 facts missing, put back and seen in the next request",
    );
    expect(text).toContain("never touch the ledger");
    expect(text).toMatch(/The summary: [\d.]+k? tokens/);
    await shoot("session-compacted");
    expect(complaints).toEqual([]);
  });

  it("shows where the dollars went, by day, project, model and cause", async () => {
    const { page, complaints, shoot } = await open("spend");
    await page.getByRole("heading", { name: "By day" }).waitFor();
    const text = await readText(page.getByRole("main"));
    expect(text).toMatch(/In total\s+\$[\d.]+\s+\d+ requests/);
    for (const part of ["Cache reads", "Cache writes", "Output"])
      expect(text).toMatch(new RegExp(`${part}\\s+\\$[\\d.]+`));
    for (const heading of [
      "By project",
      "By model",
      "What was paid for twice",
      "What the agent added to a window twice",
    ])
      expect(await page.getByRole("heading", { name: heading }).isVisible()).toBe(true);
    expect(await readText(page.getByRole("region", { name: "Injections by Plimsoll" }))).toMatch(/rules\s+1\s+110/);
    await shoot("spend");
    expect(complaints).toEqual([]);
  });

  it("shows what the tools have put into windows", async () => {
    const { page } = await open("spend");
    expect(await readText(page.getByRole("region", { name: "Tokens of tool results, by tool" }))).toMatch(/Bash\s+\d+/);
  });

  it("shows a replay in words and as a table, and names nothing that only its author knows", async () => {
    const { page, complaints, shoot } = await open("what-if");
    await page
      .getByText(
        "Your last 30 days: with Plimsoll installed you would have saved about $2.84 of $9.60 (30 %), over 12 of 14 session files.",
      )
      .waitFor();
    expect(await readText(page.getByRole("region", { name: "Billed, simulated and with Plimsoll, by agent" }))).toMatch(
      /Claude Code\s+12\s+\$12\.50\s+\$9\.60\s+\$9\.80\s+\$6\.90\s+\$2\.84/,
    );
    const table = await readText(
      page.getByRole("region", { name: "What each policy would have cost, cheapest first" }),
    );
    expect(table).toMatch(
      /Perfect foresight[\s\S]+Plimsoll[\s\S]+\$6\.90[\s\S]+The agent's own compaction[\s\S]+\$9\.80[\s\S]+first in/,
    );
    expect(table).toContain("88 % more");
    expect(await readText(page.getByRole("main"))).not.toMatch(/cold|busts|native|clairvoyant|p95|prefix/i);
    await shoot("what-if");
    expect(complaints).toEqual([]);
  });

  it("fits a telephone: no table is cut off at its side", async () => {
    for (const view of ["sessions", "spend", "what-if", "session"]) {
      const { page } = await open(view === "session" ? "sessions" : view);
      await page.setViewportSize({ width: 400, height: 900 });
      if (view === "session") {
        await page.locator(".session-link").last().click();
        await page.getByRole("heading", { name: "Requests" }).waitFor();
      }
      await page.locator("table").first().waitFor();
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll(".table-frame"), document.documentElement]
          .filter((frame) => frame.scrollWidth > frame.clientWidth)
          .map((frame) => frame.getAttribute("aria-label")),
      );
      expect(wide, view).toEqual([]);
    }
  });

  it("asks for nothing outside its own address", async () => {
    const { page } = await browser.open("about:blank");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).origin));
    await page.goto(`${dashboard?.url}#/now`);
    await page.getByRole("article").waitFor();
    expect([...new Set(asked)]).toEqual([new URL(dashboard?.url ?? "").origin]);
  });
});

describe.skipIf(chromium === undefined)("a session of a client that records no usage", () => {
  const browser = createBrowser();
  const home = temporary.name("-copilot");
  HOME_WRITERS.copilot(home);
  let dashboard: RunningDashboard | undefined;
  beforeAll(async () => {
    dashboard = await startDashboard(home);
  });
  afterAll(() => dashboard?.stop());

  it("has its requests, and no chart of nothing", async () => {
    const { page, complaints } = await browser.open(`${dashboard?.url}#/sessions`);
    await page.locator(".session-link").click();
    await page.getByRole("region", { name: "Requests of this session" }).waitFor();
    expect(await page.locator(".chart").count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(chromium === undefined)("a dashboard without anything to show", () => {
  const browser = createBrowser();
  const world = createWorld(temporary.name("-empty"));
  let dashboard: RunningDashboard | undefined;
  beforeAll(async () => {
    dashboard = await startDashboard(world.home, [".claude/projects"]);
  });
  afterAll(() => dashboard?.stop());

  it.each([
    ["now", "No session is recorded here yet"],
    ["sessions", "No session is recorded here yet"],
    ["spend", "Nothing has been billed yet"],
    ["what-if", "Not computed yet"],
  ])("says in the view %s what to do next", async (view, title) => {
    const { page, complaints, shoot } = await browser.open(`${dashboard?.url}#/${view}`);
    await page.getByRole("heading", { name: title }).waitFor();
    expect(await readText(page.locator("code.command").first())).toMatch(/^(?:claude|plimsoll .+)/);
    await shoot(`empty-${view}`);
    expect(complaints).toEqual([]);
  });

  it("shows a first session as soon as there is one", async () => {
    const { page } = await browser.open(`${dashboard?.url}#/now`);
    await page.getByRole("heading", { name: "No session is recorded here yet" }).waitFor();
    world.append(LIVE, readLines(SAMPLE));
    await page.getByRole("heading", { name: "One session is running" }).waitFor();
  });
});
