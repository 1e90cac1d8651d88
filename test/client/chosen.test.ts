/** If red: what a person has said to keep leaves the window, or what they have said to forget stays in it. */

import { afterEach, describe, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import { BRISK } from "../api/stream-events.ts";
import { PLUGIN, type Play, play, sent } from "./play.ts";
import { hasTmux, openTui, type Tui, unwrap } from "./tui.ts";

const opened: { readonly session: Play; readonly tui: Tui }[] = [];
afterEach(async () => {
  for (const { session, tui } of opened.splice(0)) {
    tui.close();
    await session.close();
  }
});

/** A command whose output is written here, line by line, so that it is in no other text. */
const count = (name: string): string => `for i in $(seq 1 40); do echo "${name} plank $((i * 7919)) is dry"; done`;
const LINE = { oak: "oak plank 158380 is dry", elm: "elm plank 158380 is dry", fir: "fir plank 158380 is dry" };

describe.skipIf(!hasTmux())("what a person chooses to keep and to forget", () => {
  it("[R204] stays whole, and is out of the window, through two compactions; bad words get a clear answer", async () => {
    const replies = [
      answer(call("Bash", { command: count("oak") })),
      answer(call("Bash", { command: count("elm") })),
      answer(call("Bash", { command: count("fir") })),
      answer("Counted."),
      answer("Caulked."),
      ...Array.from({ length: 8 }, (_, at) => answer(call("Bash", { command: count(`pine ${at}`) }))),
      answer("Painted."),
    ];
    let handle = "";
    const session = await play({
      pace: BRISK,
      main: (_, index) => {
        const known = replies[index];
        if (known !== undefined) return known;
        return index === replies.length ? answer(call("mcp__plimsoll__recall", { handle: handle })) : answer("Rigged.");
      },
    });
    const { workspace, api } = session;
    const tui = await openTui({ version: "2.1.325", workspace, apiUrl: api.url, args: ["--plugin-dir", PLUGIN] });
    opened.push({ session, tui });
    const say = async (line: string, shown: string): Promise<string> => {
      await tui.say(line);
      const screen = unwrap(await tui.until(shown));
      expect(screen).toContain(shown);
      return screen;
    };
    await say("Count the planks.", "Counted.");
    await say("/plimsoll forget search:teak", "no result in the window matches");
    await say("/plimsoll forget tool:Bash", "names every result in the window (3)");
    await say("/plimsoll forget last:soon", "write a time such as last:30m");
    expect(await say("/plimsoll keep search:oak plank", "Kept whole across compactions: 1 result")).toMatch(
      /costs \$[\d.]+ in every request, and \$[\d.]+ at each compaction/,
    );
    expect(await say("/plimsoll forget search:elm plank", "Forgotten at the next compaction: 1 result")).toMatch(
      /which saves \$[\d.]+ in every request/,
    );
    await say("/compact", "Compacted");
    await say("Caulk them.", "Caulked.");
    const first = sent(api.requests.at(-1));
    expect([first.includes(LINE.oak), first.includes(LINE.elm), first.includes(LINE.fir)]).toEqual([true, false, true]);
    expect(first).toContain("The user chose to take it out of the window.");
    handle = /plimsoll:[0-9a-f]{12}(?=[^[]*The user chose)/.exec(first)?.[0] ?? "";

    // Now the last exchanges are others, so that what they had is kept by its mark alone.
    await say("Paint them.", "Painted.");
    await tui.say("/compact");
    await tui.until(/Compacted[\s\S]*Compacted/);
    await say("Rig it.", "Rigged.");
    const second = sent(api.requests.at(-2));
    // What the model fetched back by the handle that was in view.
    expect(sent(api.requests.at(-1))).toContain(LINE.elm);
    expect([second.includes(LINE.oak), second.includes(LINE.elm), second.includes(LINE.fir)]).toEqual([
      true,
      false,
      false,
    ]);
    await say("/plimsoll lift all", "nothing is marked to be kept");
    expect(api.requests.filter(({ lane }) => lane === "compaction")).toEqual([]);
  });
});
