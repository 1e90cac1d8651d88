/** If red: compactions go on although the model reads the same files again after each. */
import { describe, expect, it } from "vitest";
import { createFakeClient } from "../../../../test/support/fake-client.ts";
import { toolUse } from "../../../../test/support/transcript-lines.ts";
import { parseRow } from "../../../hosts/claude-code/row-reader.ts";
import { openLive } from "../open-live.ts";
import { hearDone, restSteering, steer } from "./steer.ts";

const BREAK_MS = 10 * 60_000;

/** A session that reads files, and rests until its cache has expired before each prompt. */
async function open() {
  const fake = createFakeClient();
  let [nowMs, calls] = [Date.UTC(2026, 0, 1), 0];
  const live = await openLive(fake.client, { ...fake.machine, nowMs: () => nowMs });
  return {
    fake,
    live,
    read(names: readonly string[]) {
      for (const name of names) {
        const id = `c${calls++}`;
        const result = { type: "tool_result", tool_use_id: id, content: "plank ".repeat(1_000) };
        for (const [door, type, block] of [
          ["response", "assistant", toolUse(id, "Read", { file_path: `/p/${name}` })],
          ["tool-result", "user", result],
        ] as const) {
          const message = { type, content: [block] };
          const row = parseRow({ door, uuid: `${door}${id}`, origin: { tool: "Read" }, message });
          if (row) live.watch.row(row, nowMs);
          if (door === "response") live.watch.measured(20_000 + 2_500 * calls, "claude-opus-4-6", nowMs);
        }
      }
    },
    /** Whether the next prompt compacts; then it is over. */
    async compacts() {
      nowMs += BREAK_MS;
      const isMade = (await steer(fake.client, live, { nowMs, isPrompt: true })) !== "";
      if (isMade) restSteering(live);
      return isMade;
    },
  };
}

/** Large enough that a compaction pays. */
const BEGINNING = Array.from({ length: 24 }, (_, at) => `first-${at}.ts`);
const ROUND = Array.from({ length: 12 }, (_, at) => `${at}.ts`);

describe("compactions that are followed by the same reads", () => {
  it("stop at the second of five, also for a model that asks, and the person is told once", async () => {
    const { fake, live, read, compacts } = await open();
    read(BEGINNING);
    const made: boolean[] = [];
    for (let round = 0; round < 5; round++) {
      read(ROUND);
      made.push(await compacts());
    }
    expect(made).toEqual([true, true, false, false, false]);
    hearDone(fake.client, live);
    expect(live.steering.asked).toBeUndefined();
    expect(fake.logs.filter((line) => line.includes("no more early compactions"))).toHaveLength(1);
    expect(fake.logs.join()).toContain("the last 2 compactions were each followed by the calls that came before them");
  });

  it("go on where each is followed by new work", async () => {
    const { read, compacts } = await open();
    read(BEGINNING);
    const made: boolean[] = [];
    for (let round = 0; round < 5; round++) {
      read(ROUND.map((name) => `${round}-${name}`));
      made.push(await compacts());
    }
    expect(made).toEqual([true, true, true, true, true]);
  });
});
