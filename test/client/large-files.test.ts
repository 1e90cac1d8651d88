import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, batchCalls, call } from "../api/replies.ts";
import { BRISK } from "../api/stream-events.ts";
import { PLUGIN, PLUGIN_CLASSIC, type Play, play, sent } from "./play.ts";

const ENTRY_POINTS = [
  { entryPoint: "module", version: "2.1.325", plugins: [PLUGIN], caveman: "/caveman" },
  { entryPoint: "hooks", version: "2.1.197", plugins: [PLUGIN_CLASSIC], caveman: "/plimsoll-classic:caveman" },
] as const;

const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const session = await play({ pace: BRISK, ...given[0] }, given[1]);
  opened.push(session);
  return session;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const YELLOW = /(\d+) tool calls\. Load only essential files\./;
const ORANGE = /(\d+) tool calls\. Recommend \/compact/;
const RED = /Context CRITICAL \((\d+) tool calls/;

const BATCHES = batchCalls(3, 101, [40, 50, 65, 80]);

describe.each(ENTRY_POINTS)("in the client, by the $entryPoint", ({ version, plugins, caveman }) => {
  it.each([
    { lines: 501, thresholds: ["40", "65", "101"] },
    { lines: 500, thresholds: ["50", "80", undefined] },
  ])(
    "[R16] [R17] [R115] three reads of $lines lines make the thresholds $thresholds",
    async ({ lines, thresholds }) => {
      const names = ["a.log", "b.log", "c.log"];
      let cwd = "";
      const session = await open(
        {
          main: (_, step) => {
            const name = names[step];
            if (name !== undefined) return answer(call("Read", { file_path: join(cwd, name) }));
            const calls = BATCHES[step - names.length] ?? 0;
            if (calls === 0) return answer("Done.");
            return answer(...Array.from({ length: calls }, () => call("Bash", { command: "true" })));
          },
        },
        { early: "off", profile: "calls" },
      );
      ({ cwd } = session.workspace);
      const text = Array.from({ length: lines }, (_, index) => `plank ${index}`).join("\n");
      for (const name of names) await session.workspace.writeFile(name, text);
      await session.run({ version, plugins, prompts: ["Go."], timeoutMs: 150_000 });
      const all = sent(session.api.requests.at(-1));
      expect([YELLOW, ORANGE, RED].map((words) => words.exec(all)?.[1])).toEqual(thresholds);
    },
  );

  it("[R90] writes normally again after the command with off", async () => {
    const session = await open({ main: Array.from({ length: 6 }, () => answer("Aye.")) });
    const prompts = [caveman, "Go on.", `${caveman} off`, "Go on."];
    const { events } = await session.run({ version, plugins, prompts });
    expect(JSON.stringify(events)).not.toContain("Unknown command");
    const all = sent(session.api.requests.at(-1));
    expect(all).toContain("Caveman mode is on");
    expect(all.lastIndexOf("Caveman mode released")).toBeGreaterThan(all.lastIndexOf("Caveman mode is on"));
  });
});
