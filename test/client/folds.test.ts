/** If red: what a person has set about folds, rules or packets for subagents does not reach the model. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import { expectLawful } from "../laws/verdict.ts";
import { ENTRY_POINTS } from "./entry-points.ts";
import { type Play, play, resultIn } from "./play.ts";

const opened: Play[] = [];
async function open(...given: Parameters<typeof play>): Promise<Play> {
  const session = await play(...given);
  opened.push(session);
  return session;
}
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const NUMBERS = [1, 2, 3, 4, 5, 6, 7];
describe.each(ENTRY_POINTS)("in the client, by the $name", ({ version, plugins }) => {
  it("[R137] every rule file gets an equal share where there is no room for all, and is marked as cut", async () => {
    const session = await open({ main: [answer("Aye.")] });
    const names = ["a", "m0", "m1", "m2", "m3", "m4", "z"];
    for (const name of names)
      await session.workspace.writeFile(`.plimsoll/rules/${name}.md`, `${name}: keep the deck dry. `.repeat(170));
    await session.run({ version, plugins, prompts: ["Go."] });
    const printed = JSON.stringify(session.api.requests[0]?.body.messages);
    for (const name of names) expect(printed).toContain(`.plimsoll/rules/${name}.md`);
    const shares = names.map((name) => printed.split(`${name}: keep the deck dry. `).length - 1);
    expect(Math.max(...shares) - Math.min(...shares), shares.join(" ")).toBeLessThanOrEqual(3);
    expect(printed.split("[truncated").length - 1).toBe(names.length);
  });

  it("[R60] a fold shows the first ten lines where a person has chosen that", async () => {
    const session = await open(
      { main: [answer(call("Bash", { command: "cat build.log" })), answer("Read.")] },
      { preview: "classic", policy: "thrifty" },
    );
    const lines = Array.from({ length: 300 }, (_, index) => `step ${index}: planked and caulked`);
    await session.workspace.writeFile("build.log", lines.join("\n"));
    await session.run({ version, plugins, prompts: ["Go."] });
    const folded = resultIn(session.api.requests[1], "toolu_main_0_0");
    expect(folded).toContain(`Preview (first 10 lines):\n${lines.slice(0, 10).join("\n")}\n...\nFull output: `);
  });

  it("[R57] seven searches make one artifact where a person has set it, and the fifth shows a preview of its own lines", async () => {
    const searches = NUMBERS.map((number) =>
      answer(call("Bash", { command: `grep -n "" deck-${number}.log` }, `toolu_search_${number}`)),
    );
    const session = await open({ main: [...searches, answer("Read.")] }, { combine: true });
    const logs = NUMBERS.map((number) =>
      Array.from({ length: 60 }, (_, index) => `plank ${index} of deck ${number} is dry and sound`).join("\n"),
    );
    for (const [index, log] of logs.entries()) await session.workspace.writeFile(`deck-${index + 1}.log`, log);
    await session.run({ version, plugins, prompts: ["Go."] });
    const shown = NUMBERS.map((number) => resultIn(session.api.requests.at(-1), `toolu_search_${number}`));
    for (const whole of shown.filter((_, index) => index !== 4)) expect(whole).toContain("60:plank 59");
    expect(shown[4]).toContain("[FOLDED: Bash output — 60 lines");
    const names = await readdir(join(session.workspace.cwd, ".plimsoll/artifacts"));
    const [file = "", ...more] = names.filter((name) => name.endsWith(".md"));
    expect(more).toEqual([]);
    const [, first, last] = /\.md lines (\d+)-(\d+) \(plimsoll:[0-9a-f]{12}\)/.exec(shown[4] ?? "") ?? [];
    const kept = await readFile(join(session.workspace.cwd, ".plimsoll/artifacts", file), "utf8");
    for (const log of logs.slice(0, 5))
      expect(kept).toContain(
        log
          .split("\n")
          .map((line, at) => `${at + 1}:${line}`)
          .join("\n"),
      );
    expect(kept.split("\n").slice(Number(first) - 1, Number(last))).toHaveLength(60);
    expectLawful(await session.audit());
  });

  it("[R56] [R62] many short lines stay whole where a fold would save next to nothing", async () => {
    const session = await open(
      { main: [answer(call("Bash", { command: "cat short.log" })), answer("Read.")] },
      { policy: "thrifty" },
    );
    const text = Array.from({ length: 130 }, (_, index) => `plank ${index}`).join("\n");
    await session.workspace.writeFile("short.log", text);
    await session.run({ version, plugins, prompts: ["Go."] });
    expect(text.length).toBeGreaterThan(1000);
    expect(resultIn(session.api.requests[1], "toolu_main_0_0")).toBe(text);
  });

  it.each([true, false])(
    "[R121] a subagent is told what was demanded: %s, as the person has set it",
    async (packets) => {
      const input = {
        description: "Check the watches",
        prompt: "Look at every watch.",
        subagent_type: "general-purpose",
      };
      const session = await open(
        {
          main: (_, step) => {
            if (step === 0) return answer(call("Bash", { command: "true" }));
            return step === 1 ? answer(call("Agent", input)) : answer("Done.");
          },
          subagents: [[answer("All watches agree.")]],
        },
        { packets },
      );
      await session.run({ version, plugins, prompts: ["Make the watches agree. You must not touch the bell."] });
      const isSaid = (text: string): boolean =>
        /## Context Packet.*Constraints[^#]*- You must not touch the bell\./.test(text);
      const ofSubagent = session.api.requests.filter(({ lane }) => lane === "subagent");
      expect(ofSubagent).toHaveLength(1);
      expect(isSaid(JSON.stringify(ofSubagent[0]?.body.messages))).toBe(packets);
      const ofMain = session.api.requests.filter(({ lane }) => lane === "main");
      expect(ofMain.some(({ body }) => JSON.stringify(body.messages).includes("## Context Packet"))).toBe(false);
    },
  );
});
