import { afterEach, describe, expect, it } from "vitest";
import type { Answer } from "../api/scenario.ts";
import { answer, call } from "../api/turns.ts";
import { PLUGIN, type Play, play, sent } from "./play.ts";
import { hasTmux, openTui, type Tui, unwrap } from "./tui.ts";

const opened: { readonly session: Play; readonly tui: Tui }[] = [];
async function open(
  scenario: Parameters<typeof play>[0],
  settings?: Parameters<typeof play>[1],
  ofClient: object = {},
  model = "claude-sonnet-4-6",
): Promise<{ session: Play; tui: Tui }> {
  const session = await play(scenario, settings);
  const { workspace, api } = session;
  await workspace.writeHome(".claude/settings.json", JSON.stringify(ofClient));
  const tui = await openTui({ version: "2.1.325", workspace, apiUrl: api.url, args: ["--plugin-dir", PLUGIN], model });
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
    const shown = await tui.until("/plimsoll why shows it");
    expect(unwrap(shown)).toContain("tokens: as you asked");
    expect(shown).not.toContain("Key Decisions Made");
    await tui.say("Go on.");
    await tui.until("Two.");

    expect(session.api.requests.filter(({ lane }) => lane === "compaction")).toEqual([]);
    expect(sent(session.api.requests.at(-1))).toContain(
      "The conversation before this point was replaced by this record.",
    );
    expect(sent(session.api.requests.at(-1))).toContain("Never use nails.");
  });

  it("runs the person's own PreCompact hooks before it answers, and lets them block", async () => {
    const { session, tui } = await open({ main: ["One.", "Two.", "Three."].map((text) => answer(text)) }, undefined, {
      hooks: {
        PreCompact: [
          { hooks: [{ type: "command", command: 'cat >> "$HOME/ran.log"; test ! -e "$HOME/no" || exit 2' }] },
        ],
      },
    });
    await tui.say("Begin.");
    await tui.until("One.");
    await tui.say("/compact");
    await tui.until("/plimsoll why shows it");
    expect(await session.workspace.readHome("ran.log")).toContain('"trigger":"manual"');
    await tui.say("Go on.");
    await tui.until("Two.");
    await session.workspace.writeHome("no", "");
    await tui.say("/compact");
    expect(await tui.until(/blocked by PreCompact hook/)).toContain("blocked by PreCompact hook");
    expect(session.api.requests.filter(({ lane }) => lane === "compaction")).toEqual([]);
  });

  it("compacts at a line of one's own in a window of a million, and says why and how to turn it off", async () => {
    const { session, tui } = await open(
      { main: laborious(), scale: 30 },
      { early: "off", line: "60k" },
      {},
      "claude-opus-5",
    );
    await tui.say("Plank the deck.");
    const shown = await tui.until("your line of 60.0k is reached", 60_000);
    expect(shown).toMatch(/% of 60k/);
    expect(unwrap(shown)).toContain('for good: "line": false in');
    await tui.until("All planked.", 60_000);
    expect(session.api.requests.filter(({ lane }) => lane === "compaction")).toEqual([]);
    await tui.say("/plimsoll why");
    expect(unwrap(await tui.until("word for word:"))).toContain("your line of 60.0k is reached");
  });
});

/** Twenty commands, each with a page of output, then a second prompt. */
function laborious(): readonly Answer[] {
  const command = (at: number): string => `for i in $(seq 1 120); do echo "plank ${at} $i is dry and fits"; done`;
  return [
    ...Array.from({ length: 20 }, (_, at) => answer(call("Bash", { command: command(at) }))),
    answer("All planked."),
    answer("Caulked."),
  ];
}
