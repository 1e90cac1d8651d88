/** If red: a model that says its work is done is not compacted where that pays, or is offered the tool where the person has switched it off. */

import { afterEach, describe, expect, it } from "vitest";
import { answer, call } from "../api/replies.ts";
import type { Answer } from "../api/scenario.ts";
import { BRISK } from "../api/stream-events.ts";
import { findCompacted, type Play, play, resultIn } from "./play.ts";

const opened: Play[] = [];
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

const DONE = call("mcp__plimsoll__recall", { handle: "done" });

function work(count: number): readonly Answer[] {
  return Array.from({ length: count }, (_, at) =>
    answer(call("Bash", { command: `true "${`plank ${at} is dry and fits the hull. `.repeat(400)}"` })),
  );
}

async function run(replies: readonly Answer[], settings: Readonly<Record<string, unknown>> = {}): Promise<Play> {
  const session = await play({ main: (_, index) => replies[index] ?? answer("Done."), pace: BRISK }, settings);
  opened.push(session);
  await session.run({ prompts: ["Plank the deck."], timeoutMs: 100_000 });
  return session;
}

describe("the model says that a piece of work is done", () => {
  it("and the window is compacted where that pays, and not where it does not, each with its reason", async () => {
    const { api, actions } = await run([answer(DONE), ...work(16), answer(DONE)]);
    expect(resultIn(api.requests[1], "toolu_main_0_0")).toMatch(/^Not compacted: .*Go on\.$/);
    expect(findCompacted(api.requests)).toBe(18);
    const noted = (await actions()).filter(({ kind }) => kind === "compacted" || kind === "declined");
    expect(noted).toMatchObject([
      { kind: "declined", why: expect.stringContaining("the model said that a piece of work is done") },
      { kind: "compacted", why: expect.stringContaining("a piece of work is done, and compacting pays for itself") },
    ]);
    expect(api.requests.filter(({ lane }) => lane === "compaction")).toEqual([]);
  });

  it("and is not offered that where the person has switched it off", async () => {
    const description = async (settings: Readonly<Record<string, unknown>>): Promise<string> => {
      const { api } = await run([], settings);
      return JSON.stringify(api.requests[0]?.body.tools?.find(({ name }) => name === "mcp__plimsoll__recall"));
    };
    const [on, off] = [await description({}), await description({ mayAsk: false })];
    expect([on.includes("after each finished task"), off.includes("after each finished task")]).toEqual([true, false]);
    expect(on.length - off.length).toBeLessThan(80);
  });
});
