/** If red: a person who comes back after a break is not told what going on costs, or pays another price than was said. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { priceUsage } from "../../src/models/economics/spend.ts";
import { parseUsage } from "../../src/wire/anthropic/parse-usage.ts";
import { isRecord } from "../api/messages-body.ts";
import { createPromptCache } from "../api/prompt-cache.ts";
import { answer, call } from "../api/replies.ts";
import type { Answer } from "../api/scenario.ts";
import { BRISK } from "../api/stream-events.ts";
import { some } from "../support/depth.ts";
import { findSessionFiles } from "./find-session-files.ts";
import { buildPlugin, findCompacted, PLUGIN, type Play, play } from "./play.ts";
import { hasTmux, openTui, type Tui, unwrap } from "./tui.ts";

const TWO_HOURS_MS = 2 * 3_600_000;
const MODEL = "claude-sonnet-4-6";

const opened: Play[] = [];
const screens: Tui[] = [];
afterEach(async () => {
  for (const tui of screens.splice(0)) tui.close();
  for (const session of opened.splice(0)) await session.close();
});

function carried(count: number): readonly Answer[] {
  return Array.from({ length: count }, (_, at) =>
    answer(call("Bash", { command: `true "${`plank ${at} is dry and fits the hull. `.repeat(400)}"` })),
  );
}

const DAY = carried(20);

async function open(nowMs?: () => number): Promise<Play> {
  const session = await play({
    main: (_, index) => DAY[index] ?? answer(index === DAY.length ? "All planked." : "Caulked."),
    pace: BRISK,
    ...(nowMs && { cache: createPromptCache({ scale: 1, nowMs, expiresWhole: true }) }),
  });
  opened.push(session);
  return session;
}

async function show({ workspace, api }: Play, plugin: string, ...args: readonly string[]): Promise<Tui> {
  const tui = await openTui({
    version: "2.1.325",
    workspace,
    apiUrl: api.url,
    args: ["--plugin-dir", plugin, ...args],
  });
  screens.push(tui);
  return tui;
}

/** A session of 20 steps, two hours ago; `goOn` comes back to it in a terminal. */
async function worked() {
  let nowMs = 0;
  const session = await open(() => nowMs);
  const { sessionId } = await session.run({ prompts: ["Plank the deck."], timeoutMs: 100_000 });
  await session.ageState(TWO_HOURS_MS);
  nowMs += TWO_HOURS_MS;
  // The client continues only what began in a terminal.
  for (const { transcript } of await findSessionFiles(session.workspace.home))
    await writeFile(transcript, (await readFile(transcript, "utf8")).replaceAll('"sdk-cli"', '"cli"'));
  return { session, sessionId, goOn: (...args: readonly string[]) => show(session, PLUGIN, ...args) };
}

const QUOTE = /[\d.]+k tokens are no longer cached: going on costs about \$(\d+\.\d+), compacted first \$(\d+\.\d+)/;

function readQuote(screen: string): { readonly goingOn: number; readonly compacted: number } {
  const [, goingOn, compacted] = QUOTE.exec(unwrap(screen)) ?? [];
  return { goingOn: Number(goingOn), compacted: Number(compacted) };
}

/** A key that comes at the moment at which a question comes up is lost (seen in 2.1.325). */
async function choose(tui: Tui, option: string, ...keys: readonly string[]): Promise<void> {
  expect(unwrap(await tui.until(option))).toContain(option);
  for (const key of keys) await tui.press(key);
  await expect
    .poll(async () => {
      await tui.press("Enter");
      return tui.screen();
    })
    .not.toContain(option);
}

/** Dollars of the last request, without its answer. */
async function paidFor(session: Play): Promise<number> {
  await expect.poll(() => session.transcript()).toContain("Caulked.");
  const lines = (await session.transcript()).split("\n").filter((line) => line !== "");
  const usages = lines.flatMap((line) => {
    const entry: unknown = JSON.parse(line);
    const message = isRecord(entry) ? entry.message : undefined;
    return isRecord(message) && isRecord(message.usage) ? [message.usage] : [];
  });
  return priceUsage({ ...parseUsage(usages.at(-1) ?? {}), outputTokens: 0 }, MODEL)?.totalUsd ?? Number.NaN;
}

describe.skipIf(!hasTmux())("coming back after two hours", () => {
  it.each(
    some(1, [
      ["--resume", (id: string) => ["--resume", id]],
      ["--continue", () => ["--continue"]],
    ] as const),
  )("with %s shows the price before the first word, and goes on with all of it for that", async (_, args) => {
    const { session, sessionId, goOn } = await worked();
    const tui = await goOn(...args(sessionId));
    const screen = await tui.until(QUOTE);
    const { goingOn } = readQuote(screen);
    expect(unwrap(screen)).toContain("your next prompt asks");
    await tui.say("And now caulk it.");
    await choose(tui, "3. Go on with all of it", "Down", "Down");
    await tui.until("Caulked.");
    expect(findCompacted(session.api.requests)).toBe(-1);
    const paid = await paidFor(session);
    expect([goingOn / paid > 0.95, goingOn / paid < 1.05], `quoted ${goingOn}, paid ${paid}`).toEqual([true, true]);
  });

  it("compacts before the prompt is answered where the person chooses so, and from then on by itself", async () => {
    const { session, sessionId, goOn } = await worked();
    const tui = await goOn("--resume", sessionId);
    const { compacted, goingOn } = readQuote(await tui.until(QUOTE));
    await tui.say("And now caulk it.");
    await choose(tui, "2. Always compact first", "Down");
    await tui.until("Caulked.");
    expect(findCompacted(session.api.requests)).toBeGreaterThan(0);
    expect(session.api.requests.filter(({ lane }) => lane === "compaction")).toEqual([]);
    const paid = await paidFor(session);
    expect(paid).toBeLessThan(goingOn / 2);
    expect(compacted / paid).toBeGreaterThan(0.75);
    expect(compacted / paid).toBeLessThan(1.25);
    await tui.say("/plimsoll break");
    expect(unwrap(await tui.until("After a break"))).toContain("After a break, Plimsoll does this: compact");
  });

  it("shows the price in a session that stays open, before anyone types, after an hour that is made up", async () => {
    const session = await open();
    const plugin = join(session.workspace.home, "plugin");
    await buildPlugin(plugin, [{ file: "src/measure/quote-return.ts", name: "BREAK_MS", code: "3_000" }]);
    const tui = await show(session, plugin);
    await tui.say("Plank the deck.");
    await tui.until("All planked.", 60_000);
    expect(unwrap(await tui.until(QUOTE))).toContain("your next prompt asks");
  });
});
