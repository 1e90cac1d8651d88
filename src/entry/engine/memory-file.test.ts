/** If red: a resumed session starts with nothing known, or goes on from a damaged memory. */
import { describe, expect, it } from "vitest";
import { asks, runs, says, toEvents } from "../../../test/support/session-story.ts";
import { INITIAL_POLICY, NOTHING_SAID } from "../../policy/policy-state.ts";
import { addCheckpoint } from "./compaction/rewound.ts";
import { NO_EXTRAS } from "./compaction/row-extras.ts";
import { type Memory, parseCheckpoints, parseMemory, renderCheckpoints, renderMemoryFile } from "./memory-file.ts";
import { createWatch } from "./watch.ts";

function remember(): Memory {
  const watch = createWatch();
  watch.events(
    toEvents(asks("Paint it. Never the chain."), runs("paint", "no brush", { exitCode: 1 }), says("I decided on red.")),
  );
  const injected = { ...NOTHING_SAID, rules: "1a2b", state: "3c4d" };
  return {
    watch: watch.save(),
    policy: { ...INITIAL_POLICY, told: injected },
    standing: injected,
    beside: { ...NO_EXTRAS, planMode: "on" },
    keptAnswers: ["h1"],
    hasAnswered: true,
  };
}

describe("the module's memory", () => {
  it("lets a later process go on from where the first one was", () => {
    const memory: Memory = JSON.parse(JSON.stringify(remember()));
    const read = parseMemory(renderMemoryFile(memory));
    expect(read).toMatchObject({
      policy: memory.policy,
      standing: memory.standing,
      beside: memory.beside,
      keptAnswers: memory.keptAnswers,
    });
    expect(createWatch(read?.watch).happened().state).toEqual(createWatch(memory.watch).happened().state);
    expect(createWatch(read?.watch).happened().state.words[0]?.text).toContain("Never the chain.");
  });

  it("that is torn anywhere is as good as none", () => {
    const text = renderMemoryFile(remember());
    for (let length = 0; length < text.length; length += 37) expect(parseMemory(text.slice(0, length))).toBeUndefined();
  });

  it("of another layout is not read", () => {
    const text = renderMemoryFile(remember());
    expect(parseMemory(text)).toBeDefined();
    expect(parseMemory(text.replace('"version":4', '"version":3'))).toBeUndefined();
    expect(parseMemory(text.replace('"version":4', '"version":"4"'))).toBeUndefined();
  });

  it("keeps its checkpoints, and reads none of another layout", () => {
    const checkpoints = addCheckpoint([], "a record", remember().watch);
    const text = renderCheckpoints(checkpoints);
    expect(parseCheckpoints(text)).toEqual(JSON.parse(JSON.stringify(checkpoints)));
    expect(parseCheckpoints(text.replace('"version":4', '"version":3'))).toEqual([]);
    expect(parseCheckpoints(JSON.stringify(checkpoints))).toEqual([]);
    for (const torn of ["", "{", "[]", "7"]) expect(parseCheckpoints(torn)).toEqual([]);
  });

  it.each([
    "",
    "null",
    "7",
    "[]",
    "{}",
    '{"version":1}',
    '{"version":1,"watch":{},"told":{}}',
    '{"version":1,"watch":{"session":{},"trail":{}},"told":{}}',
  ])("is not made of %s", (text) => {
    expect(parseMemory(text)).toBeUndefined();
  });
});
