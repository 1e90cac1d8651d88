/** If red: the windows of subagents fill up, are summarised by a model, or lose what they found. */

import { afterEach, describe, expect, it } from "vitest";
import { findHandles } from "../../src/fold/marker.ts";
import { readMeter } from "../../src/hosts/claude-code/disk/read-meter.ts";
import type { ApiRequest } from "../api/api-request.ts";
import { answer, call } from "../api/replies.ts";
import type { Answer, Script } from "../api/scenario.ts";
import { BRISK } from "../api/stream-events.ts";
import { expectLawful } from "../laws/verdict.ts";
import { tries } from "../support/depth.ts";
import { type Play, play, resultIn, sent } from "./play.ts";

const opened: Play[] = [];
afterEach(async () => {
  for (const session of opened.splice(0)) await session.close();
});

/** So many, and all of them as heavy together as sixty. */
const REQUESTS = tries(20, 60);
const TIMES = 60 / REQUESTS;
const lines = (name: string, step: number, count: number): Answer =>
  answer(
    call("Bash", { command: `for i in $(seq 1 ${count}); do echo "${name} ${step} plank $((i * 7919)) is dry"; done` }),
  );

/** What each subagent does: long inputs, which stay until a compaction; long results; short ones. */
const WORK: Readonly<Record<string, (step: number) => Answer>> = {
  oak: (step) =>
    answer(call("Bash", { command: `true "${`oak plank ${step} is dry and fits the hull. `.repeat(300 * TIMES)}"` })),
  elm: (step) => lines("elm", step, 300 * TIMES),
  fir: (step) => lines("fir", step, 40 * TIMES),
};
const NAMES = Object.keys(WORK);
const ASKED = { oak: "Look at all oak.", elm: "Look at all elm.", fir: "Look at all fir." };
const FETCHED = "toolu_fetched";

const SUBAGENTS: readonly Script[] = NAMES.map(
  (name) => (_, step) => (step < REQUESTS ? (WORK[name]?.(step) ?? answer("")) : answer(`All of ${name} is dry.`)),
);

function askFor(name: string) {
  return call("Agent", {
    description: `Look ${name}`,
    prompt: `Look at all ${name}.`,
    subagent_type: "general-purpose",
  });
}

/** The largest request of each subagent, in tokens, by what it was asked to look at. */
function listPeaks(
  run: Awaited<ReturnType<Play["run"]>>,
  requests: readonly ApiRequest[],
): Readonly<Record<string, number>> {
  const files = run.sessions.flatMap(({ subagents }) => subagents).filter((file) => file.endsWith(".jsonl"));
  const peaks = NAMES.map((name) => {
    const id = requests.find(
      (request) => request.lane === "subagent" && sent(request).includes(`Look at all ${name}.`),
    )?.agentId;
    const file = files.find((path) => path.includes(`agent-${id}`)) ?? "";
    return [name, readMeter(file).transcript.meter.largestContextTokens] as const;
  });
  return Object.fromEntries(peaks);
}

const ofLane = (session: Play, lane: ApiRequest["lane"]) =>
  session.api.requests.filter((request) => request.lane === lane);

const looksFirst = (request: ApiRequest): boolean => request.body.messages.length < 3;

describe(`[R201] three subagents of ${REQUESTS} requests, two of them above 150k tokens`, () => {
  it("have their results folded and their windows compacted without a model, lose nothing, and leave originals to their session alone", async () => {
    const bare = await play({
      main: (request) => (looksFirst(request) ? answer(...NAMES.map(askFor)) : answer("Done.")),
      subagents: SUBAGENTS,
      pace: BRISK,
    });
    opened.push(bare);
    const alone = await bare.run({ prompts: ["Look."], plugins: [], timeoutMs: 170_000 });

    const ofElm = (): readonly ApiRequest[] => session.api.requests.filter((one) => sent(one).includes(ASKED.elm));
    const firstHandle = (): string => findHandles(ofElm().map(sent).join("\n"))[0] ?? "";
    const session: Play = await play({
      main: (request) => {
        if (!sent(request).includes("Fetch it."))
          return looksFirst(request) ? answer(...NAMES.map(askFor)) : answer("Done.");
        if (resultIn(request, FETCHED) !== "") return answer("Fetched.");
        // They work in the background, and may not have found anything yet.
        if (firstHandle() === "") return answer(call("Bash", { command: "sleep 0.2" }));
        return answer(call("mcp__plimsoll__recall", { handle: firstHandle() }, FETCHED));
      },
      subagents: SUBAGENTS,
      pace: BRISK,
    });
    opened.push(session);
    const run = await session.run({ prompts: ["Look.", "Fetch it."], timeoutMs: 170_000 });

    const [before, after] = [listPeaks(alone, bare.api.requests), listPeaks(run, session.api.requests)];
    expect([before.oak, before.elm, before.fir].map((tokens) => (tokens ?? 0) > 150_000)).toEqual([true, true, false]);
    expect(after.elm).toBeLessThan((before.elm ?? 0) / 4);
    // Give or take a step, of which each is a twentieth.
    expect(after.oak).toBeLessThanOrEqual((before.oak ?? 0) * 1.05);
    expect([bare, session].map((each) => ofLane(each, "compaction").length)).toEqual([2, 0]);
    expect((await session.actions()).filter(({ kind }) => kind === "compacted" || kind === "failed")).toMatchObject([
      { kind: "compacted", by: "plimsoll", agentId: expect.any(String) },
    ]);
    const verdict = await session.audit({ mayRewind: false, summarisesSubagents: "plimsoll" });
    expectLawful(verdict);
    expect(verdict.handlesFetched).toBeGreaterThan(REQUESTS);
    expect(resultIn(session.api.requests.at(-1), FETCHED)).toContain("elm 0 plank 2375700 is dry");

    // Another session of the same project.
    await session.run({ prompts: ["Fetch it."] });
    expect(resultIn(session.api.requests.at(-1), FETCHED)).toContain("Nothing is kept under");
  });
});
