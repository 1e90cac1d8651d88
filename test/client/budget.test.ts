/** If red: somebody spends more than their budget of the day and is not told, or is told again and again. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ApiRequest } from "../api/api-request.ts";
import { answer } from "../api/replies.ts";
import { createRunner } from "../support/run-program.ts";
import { ENTRY_POINTS } from "./entry-points.ts";
import { type Play, play } from "./play.ts";
import { hasTmux, openTui, type Tui, unwrap } from "./tui.ts";

const plimsoll = createRunner();
const opened: { session?: Play; tui?: Tui } = {};
afterEach(async () => {
  opened.tui?.close();
  await opened.session?.close();
});

/** $0.0429 at the price of the model, and next to nothing: a check may run before or after the next answer is written down. */
const DEAR = { input_tokens: 540, cache_creation_input_tokens: 3000, cache_read_input_tokens: 100_000 };
const CHEAP = { input_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 100 };
const count = ({ body }: ApiRequest) => ({
  ...answer("Counted."),
  usage: JSON.stringify(body.messages.at(-1)).includes("Count the planks.") ? DEAR : CHEAP,
});
const SPENT = ".claude/data/plimsoll/spent.json";
// tmux is a Debian package; the test run installs it where it can.
describe.skipIf(!hasTmux()).each(ENTRY_POINTS)("a budget of the day, by the $name", ({ name, version, plugins }) => {
  it("is said in the client once it is used to 80 %, and once it is used up, each once", async () => {
    const session = await play({ main: count });
    opened.session = session;
    const { workspace, api } = session;
    await workspace.writeHome(".claude/settings.json", "{}");
    const set = await plimsoll(["budget", "--day", "0.05"], { environment: { HOME: workspace.home } });
    expect(set.output).toContain("$0.00 of $0.05");
    const read = async () => JSON.parse(await readFile(join(workspace.home, SPENT), "utf8"));
    /** What was added up lies more than a minute back: then it is added up again. */
    const age = async () => {
      const spent = await read();
      await workspace.writeHome(SPENT, JSON.stringify({ ...spent, atMs: spent.atMs - 120_000 }));
      return spent.atMs - 120_000;
    };
    const start = async () => {
      opened.tui?.close();
      const args = plugins.flatMap((plugin) => ["--plugin-dir", plugin]);
      opened.tui = await openTui({ version, workspace, apiUrl: api.url, args, model: "claude-sonnet-4-6" });
      return opened.tui;
    };
    const until = (isDone: (spent: { atMs: number; alerts: readonly unknown[] }) => boolean) =>
      expect.poll(async () => isDone(await read()), { timeout: 30_000 }).toBe(true);
    /** Hooks have it added up at one prompt, and show it at the next. */
    const work = async (tui: Tui, alerts: number) => {
      const agedMs = await age();
      await tui.say("Count the planks.");
      await tui.until("Counted.");
      if (name === "module") return;
      await until(({ atMs }) => atMs > agedMs);
      await age();
      await tui.say("And the nails.");
      await until((spent) => spent.alerts.length === alerts);
      await tui.say("And the ropes.");
    };
    const first = await start();
    await work(first, 1);
    expect(unwrap(await first.until("budget is used"))).toMatch(
      /80 % of a budget is used: today .*\$0\.0\d+ of \$0\.0500\. Run/,
    );
    const second = await start();
    await work(second, 2);
    expect(unwrap(await second.until("A budget is used up"))).toMatch(
      /A budget is used up: today .*\$0\.\d+ of \$0\.0500\. Run/,
    );
    expect((await read()).alerts).toHaveLength(2);
  });
});
