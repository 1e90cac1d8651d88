import { afterEach, describe, expect, it } from "vitest";
import { answer, call } from "../api/turns.ts";
import { PLUGIN, type Play, play, sent } from "./play.ts";
import { hasTmux, openTui, type Tui } from "./tui.ts";

const opened: { readonly session: Play; readonly tui: Tui }[] = [];
async function open(...given: Parameters<typeof play>): Promise<{ session: Play; tui: Tui }> {
  const session = await play(...given);
  const { workspace, api } = session;
  const tui = await openTui({ version: "2.1.325", workspace, apiUrl: api.url, args: ["--plugin-dir", PLUGIN] });
  const pair = { session, tui };
  opened.push(pair);
  return pair;
}
afterEach(async () => {
  for (const { session, tui } of opened.splice(0)) {
    tui.close();
    await session.close();
  }
});

// tmux is a Debian package; the test run installs it where it can.
describe.skipIf(!hasTmux())("in the terminal", () => {
  it("shows the load line in the client's status area and answers /plimsoll", async () => {
    const { tui } = await open({
      main: [answer(call("Bash", { command: "seq 1 4000" })), answer("Counted."), answer("x")],
    });
    await tui.say("Count the planks.");
    expect(await tui.until(/plimsoll: ⊖ [█▉▊▋▌▍▎▏░]+ \d+ % of 167k/)).toMatch(/⊖ .* % of 167k/);
    await tui.until("Counted.");
    await tui.say("/plimsoll");
    const shown = await tui.until("results folded");

    expect(shown).toContain("1 results folded");
    expect(shown).toContain("compaction: instant");
  });

  it("[R4] takes up a mode that is switched in mid-session, and density by the person's words, on and off", async () => {
    const { session, tui } = await open({ main: ["One.", "Two.", "Three.", "Four."].map((text) => answer(text)) });
    await tui.say("Begin.");
    await tui.until("One.");
    await session.workspace.writeFile(".plimsoll/active-context.md", "review\n");
    await tui.say("Look at it.");
    await tui.until("Two.");
    expect(sent(session.api.requests[1])).toContain("=== Active Context: review mode ===");

    await tui.say("caveman mode");
    await tui.until("Three.");
    expect(sent(session.api.requests[2])).toMatch(/caveman/i);
    await tui.say("normal mode");
    await tui.until("Four.");
    expect(sent(session.api.requests[3])).toContain("Caveman mode released");
  });

  it("compacts when the person says so, at once and without a model", async () => {
    const { session, tui } = await open({ main: ["One.", "Two."].map((text) => answer(text)) });
    await tui.say("Begin. Never use nails.");
    await tui.until("One.");
    await tui.say("/compact");
    await tui.until(/[Cc]ompacted/);
    expect(await tui.until("ctrl+o shows it")).not.toContain("Key Decisions Made");
    await tui.say("Go on.");
    await tui.until("Two.");

    expect(session.api.requests.filter(({ lane }) => lane === "compaction")).toEqual([]);
    expect(sent(session.api.requests.at(-1))).toContain(
      "The conversation before this point was replaced by this record.",
    );
    expect(sent(session.api.requests.at(-1))).toContain("Never use nails.");
  });
});
