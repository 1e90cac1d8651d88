/** If red: the status line in the terminal shows no load, or a wrong one. */

import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { CLIENT_VERSIONS, type ClientVersion } from "./fetch-client.ts";
import { PLUGIN_CLASSIC, type Play, play } from "./play.ts";
import { hasTmux, openTui, type Tui } from "./tui.ts";

const opened: { session?: Play; tui?: Tui } = {};
afterEach(async () => {
  opened.tui?.close();
  await opened.session?.close();
});

/** 103,540 tokens: 62 % of the load line of a window of 200k. */
const LOADED = { input_tokens: 540, cache_creation_input_tokens: 3000, cache_read_input_tokens: 100_000 };

async function open(version: ClientVersion, main: readonly Reply[]): Promise<Tui> {
  const session = await play({ main });
  opened.session = session;
  const { workspace, api } = session;
  const command = `node ${join(PLUGIN_CLASSIC, "dist/statusline.cjs")}`;
  await workspace.writeHome(".claude/settings.json", JSON.stringify({ statusLine: { type: "command", command } }));
  const tui = await openTui({ version, workspace, apiUrl: api.url, args: ["--plugin-dir", PLUGIN_CLASSIC] });
  opened.tui = tui;
  return tui;
}

const say = (text: string, cached: number) => ({
  ...answer(text),
  usage: { ...LOADED, cache_read_input_tokens: cached },
});

// tmux is a Debian package; the test run installs it where it can.
describe.skipIf(!hasTmux())("the status line in the terminal", () => {
  it.each(CLIENT_VERSIONS)("shows the load at the foot of the screen of the client %s", async (version) => {
    // The older one also asks for a title, at a moment of its own.
    const tui = await open(
      version,
      Array.from({ length: 4 }, () => say("Afloat.", 100_000)),
    );
    expect(await tui.until("size not known yet")).toContain("▲ GREEN 0 tool calls · size not known yet");
    await tui.say("Count the planks.");
    expect(await tui.until("▲ YELLOW")).toContain("▲ YELLOW 62 % of load line · 63k to compact");
  });

  it("tells the pace and what was folded", async () => {
    const tui = await open("2.1.325", [
      { ...answer(call("Bash", { command: "seq 1 6000" })), usage: LOADED },
      say("Counted.", 101_000),
      say("Sound.", 102_000),
    ]);
    await tui.say("Count the planks.");
    await tui.until("Counted.");
    await tui.until("▲ YELLOW");
    // Once more, because the line is drawn a moment after an answer, and a pace needs two of them.
    await tui.say("Are they sound?");
    expect(await tui.until(/≈ \d+ req.*folded \d/)).toMatch(
      /▲ YELLOW 63 % of .*line · .* · ≈ \d+ req(?:uests)? .*folded \d+/,
    );
  });
});
