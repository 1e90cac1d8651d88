/** If red: replayed dollars do not agree with what was billed, and nothing says so. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { assistant, conversation, user } from "../../test/support/build.ts";
import { exchange, recordReplaySession } from "../../test/support/replay-session.ts";
import type { Usage } from "../core/usage.ts";
import { readRecording } from "../hosts/claude-code/disk/read-meter.ts";
import { claudeCodeVocabulary } from "../hosts/claude-code/vocabulary.ts";
import { checkDollars } from "./check-dollars.ts";
import { findNeeds } from "./needs.ts";
import { native } from "./policies/native.ts";
import { prepareSession } from "./prepare-session.ts";
import type { RecordedCompaction, ReplaySession } from "./session.ts";
import { walkSession, weighUnrecorded } from "./walk-session.ts";

const DOLLARS_PER_TOKEN = 3e-6;
const WRITE = 1.25 * DOLLARS_PER_TOKEN;
const READ = 0.1 * DOLLARS_PER_TOKEN;
const OUTPUT = 10 * 15e-6;

/** Two requests of 2,000 tokens base, the first with one block of 100, the second with three; what was recorded is given. */
function check(
  second: Partial<Usage>,
  pauseMs = 1000,
  compactions: readonly RecordedCompaction[] = [],
  firstTokens = 2100,
) {
  const session = recordReplaySession([
    exchange([user("one")], assistant("well")),
    exchange([user("two")], assistant("fine")),
  ]);
  const usage = { inputTokens: 0, cacheReadTokens: 0, cacheWrite5mTokens: 0, cacheWrite1hTokens: 0, outputTokens: 1 };
  const recorded = [
    { ...usage, cacheWrite5mTokens: firstTokens },
    { ...usage, ...second },
  ];
  const steps = session.steps.map((step, index) => ({
    ...step,
    atMs: index * pauseMs,
    usage: recorded[index] ?? usage,
  }));
  const reported: ReplaySession = { ...session, steps, compactions };
  return checkDollars({ session: reported, needs: findNeeds(reported) }).check;
}

describe("dollars", () => {
  it("agree where the cache did what time stamps say", () => {
    const { recordedUsd, simulatedUsd, withMissesUsd, unexplainedMisses } = check({
      cacheReadTokens: 2100,
      cacheWrite5mTokens: 200,
    });
    expect(simulatedUsd).toBeCloseTo(2300 * WRITE + 2100 * READ + 2 * OUTPUT, 12);
    expect(recordedUsd).toBeCloseTo(simulatedUsd, 12);
    expect(withMissesUsd).toBeCloseTo(simulatedUsd, 12);
    expect(unexplainedMisses).toBe(0);
  });

  it("take a miss that nothing explains as it was recorded, in one of the two readings", () => {
    const { recordedUsd, simulatedUsd, withMissesUsd, unexplainedMisses } = check({ cacheWrite5mTokens: 2300 });
    expect(recordedUsd).toBeCloseTo(4400 * WRITE + 2 * OUTPUT, 12);
    expect(simulatedUsd).toBeCloseTo(2300 * WRITE + 2100 * READ + 2 * OUTPUT, 12);
    expect(withMissesUsd).toBeCloseTo(recordedUsd, 12);
    expect(unexplainedMisses).toBe(1);
  });

  it("call no miss unexplained that a pause explains", () => {
    const { recordedUsd, simulatedUsd, unexplainedMisses } = check({ cacheWrite5mTokens: 2300 }, 6 * 60_000);
    expect(simulatedUsd).toBeCloseTo(recordedUsd, 12);
    expect(unexplainedMisses).toBe(0);
  });

  it("count a compaction's own request on both sides: the view read, the recorded summary written", () => {
    const plain = check({ cacheReadTokens: 2100, cacheWrite5mTokens: 200 });
    const messages = conversation(user("in short"));
    const [block] = messages.flatMap(({ blocks }) => blocks);
    const summaryTokens = block ? weighUnrecorded(block, "classic") : 0;
    const { recordedUsd, simulatedUsd, ...rest } = check({ cacheReadTokens: 2100, cacheWrite5mTokens: 200 }, 1000, [
      { step: 1, trigger: "auto", messages, summaryTokens: 500, durationMs: undefined },
    ]);
    const asked = 500 * 15e-6;
    expect(recordedUsd - plain.recordedUsd).toBeCloseTo((2100 + 10) * READ + asked, 12);
    // Behind it only the base is still in the cache.
    const sent = 2100 * WRITE + 2000 * READ + (summaryTokens + 200) * WRITE + 2 * OUTPUT;
    expect(simulatedUsd).toBeCloseTo(2300 * READ + asked + sent, 12);
    expect(rest).toMatchObject({ recordedCompactions: 1, simulatedCompactions: 1 });
  });

  it("take a read that should have expired as it was recorded, in the last reading alone", () => {
    const lived = check({ cacheReadTokens: 2100, cacheWrite5mTokens: 200 }, 6 * 60_000);
    expect(lived).toMatchObject({ unexplainedHits: 1, unexplainedMisses: 0, unfollowedDrops: 0 });
    expect(lived.simulatedUsd).toBeCloseTo((2100 + 2300) * WRITE + 2 * OUTPUT, 12);
    expect(lived.withMissesUsd).toBeCloseTo(lived.simulatedUsd, 12);
    expect(lived.withHitsUsd).toBeCloseTo(lived.recordedUsd, 12);
  });

  it("count requests before which the recorded context shrank without a compaction", () => {
    expect(check({ cacheReadTokens: 100 }).unfollowedDrops).toBe(0);
    expect(check({ cacheReadTokens: 100 }, 1000, [], 9000).unfollowedDrops).toBe(1);
  });

  it("are those of the simulator itself", () => {
    const folder = path.resolve(import.meta.dirname, "../../test/fixtures/claude-code/2.1.325");
    const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
    let compared = 0;
    for (const name of files) {
      const session = prepareSession({
        name,
        recording: readRecording(path.join(folder, name)).recording,
        brokenLines: 0,
        root: "",
        vocabulary: claudeCodeVocabulary,
      });
      if ("why" in session) continue;
      const subject = { session, needs: findNeeds(session) };
      const { sendUsd } = walkSession(subject, native, {});
      expect(checkDollars(subject).check.simulatedUsd, name).toBeCloseTo(sendUsd, 6);
      compared++;
    }
    expect(compared).toBeGreaterThan(3);
  });
});
