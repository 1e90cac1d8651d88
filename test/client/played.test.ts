/** If red: recorded sessions are not played as they were recorded, so that what the benchmark measures is worth nothing. */

import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { hasCorpus } from "../../lab/bench/corpus.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { prepareSession } from "../../src/replay/prepare-session.ts";
import { validateMessages } from "../api/validate-messages.ts";
import { chooseSessions, type Playable } from "../played/choose-sessions.ts";
import { compareBytes, type FidelityKind } from "../played/compare-bytes.ts";
import { type ArmName, type PlayedRun, playSession } from "../played/play-session.ts";
import { predictPrice } from "../played/predict-price.ts";
import { priceRequests } from "../played/price-run.ts";
import { scriptSession } from "../played/script-session.ts";
import { verdictOf } from "../played/verdict-of.ts";
import { tries } from "../support/depth.ts";
import { withCorpus } from "../support/needs.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures/claude-code/2.1.325");

const opened: PlayedRun[] = [];
async function playArm({ session, script }: Pick<Playable, "session" | "script">, arm: ArmName): Promise<PlayedRun> {
  const run = await playSession({ session, script, arm, timeoutMs: 150_000 });
  opened.push(run);
  return run;
}
afterEach(async () => {
  for (const run of opened.splice(0)) await run.remove();
});

function readFixture(name: string): Pick<Playable, "session" | "script"> {
  const { recording } = readRecording(join(FIXTURES, `${name}.jsonl`));
  const session = prepareSession({ name, recording, brokenLines: 0, root: "", vocabulary: claudeCodeVocabulary });
  if ("why" in session) throw new Error(session.why);
  return { session, script: scriptSession(recording) };
}

function differencesOf(run: PlayedRun, { script }: Pick<Playable, "script">, kinds: readonly FidelityKind[]) {
  const { different } = compareBytes(run.requests, script);
  return different.filter((line) => kinds.some((kind) => line.startsWith(kind)));
}

function sumDollars({ requests }: PlayedRun, { script }: Pick<Playable, "script">): number {
  const { read, write, output, asked } = priceRequests(requests.filter(({ step }) => step < script.steps.length));
  return read + write + output + asked;
}

const EVERYTHING: readonly FidelityKind[] = [
  "results",
  "errors",
  "pictures",
  "parallel",
  "calls",
  "answers",
  "prompts",
];

describe("our own recordings, played through the client", () => {
  it.each(["parallel", "images", "errors"])(
    "reach the API as they were recorded, and nothing recorded is run: %s",
    async (name) => {
      const recorded = readFixture(name);
      const canary = join(await mkdtemp(join(tmpdir(), "plimsoll-canary-")), "touched");
      // Were a recorded command ever run, this file would be there.
      const script = {
        ...recorded.script,
        steps: recorded.script.steps.map((step) => ({
          ...step,
          answer: step.answer.map((block) =>
            block.type === "tool_use" && block.name === "Bash"
              ? { ...block, input: { ...block.input, command: `touch ${canary}` } }
              : block,
          ),
        })),
      };
      const played = { ...recorded, script };
      const run = await playArm(played, "module");

      expect(run.result.exitCode).toBe(0);
      expect(run).toMatchObject({ isComplete: true, urged: 0 });
      expect(differencesOf(run, played, EVERYTHING)).toEqual([]);
      expect(await readdir(join(canary, ".."))).toEqual([]);
      await rm(join(canary, ".."), { recursive: true });
    },
  );

  it("lets the module live by the recorded clock", async () => {
    const recorded = readFixture("parallel");
    const run = await playArm(recorded, "module");
    const folder = join(run.home, ".claude/data/plimsoll/sessions", run.result.sessionId);
    const actions = (await readFile(join(folder, "deeds-module.jsonl"), "utf8")).trim().split("\n");
    const times = actions.map((line) => Number(/"atMs":(\d+)/.exec(line)?.[1]));

    expect(Math.min(...times)).toBeGreaterThanOrEqual(recorded.script.steps[0]?.promptAtMs ?? Number.NaN);
    expect(Math.max(...times)).toBeLessThanOrEqual(recorded.script.steps.at(-1)?.atMs ?? Number.NaN);
  });

  it("is seen to differ where a result is not the recorded one", async () => {
    const recorded = readFixture("parallel");
    const run = await playArm(recorded, "client");
    const results = new Map(recorded.script.results);
    const [first] = results.values();
    if (first) results.set(first.callId, { ...first, content: "Other words." });

    expect(differencesOf(run, { script: { ...recorded.script, results } }, ["results"])).toHaveLength(1);
  });
});

const describeDeep: typeof withCorpus.describe = (...given) => {
  if (tries(0, 1) === 1) withCorpus.describe(...given);
};

describeDeep("the shortest of the recorded sessions that the benchmark plays", () => {
  const [shortest, second] = hasCorpus
    ? chooseSessions().toSorted((left, right) => left.session.steps.length - right.session.steps.length)
    : [];

  it.each([["shortest", shortest] as const, ["second", second] as const])(
    "come through whole, and cost about what replay says: the %s",
    async (_, playable) => {
      if (playable === undefined) throw new Error("no session to play");
      const run = await playArm(playable, "module");

      expect(run.result.exitCode).toBe(0);
      expect(run).toMatchObject({ isComplete: true, urged: 0 });
      for (const { request } of run.requests) expect(validateMessages(request.body)).toEqual([]);
      expect(differencesOf(run, playable, ["errors", "pictures", "parallel", "prompts"])).toEqual([]);
      expect(await verdictOf(run)).toContain(" 0 missing; 0 untrue, 0 requests invalid");
      const ratio = sumDollars(run, playable) / predictPrice(playable.session, { arm: "module" }).outcome.sendUsd;
      expect(ratio).toBeGreaterThan(0.9);
      expect(ratio).toBeLessThan(1.1);
    },
  );
});
