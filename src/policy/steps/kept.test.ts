/** If red: what the person marked to be kept leaves the window, or cannot be lifted. */
import { describe, expect, it } from "vitest";
import { INITIAL_POLICY, type PolicyState, parsePolicy } from "../policy-state.ts";
import { hearMark, markCalls } from "./kept.ts";
import { opened } from "./opened.ts";

const HERE = { mode: { kind: "none" } as const, modeText: undefined, rules: [], plan: "" };

/** What a window is told that a compaction has emptied. */
function compact(state: PolicyState): { readonly state: PolicyState; readonly said: string } {
  const step = opened(state, { why: "compact", surroundings: HERE, nowMs: 1, notes: () => "", model: () => "x" });
  const said = step.commands.flatMap((command) => (command.kind === "tell" ? [command.text] : [])).join("\n");
  return { state: step.state, said };
}

const hear = (state: PolicyState, prompt: string): PolicyState => hearMark(state, prompt)?.state ?? state;

describe("what the user marked to be kept", () => {
  const text = "The seam must hold 40 kN.\nMeasured on 3 May.";

  it("[R204] stands whole in every window after a compaction, until it is lifted", () => {
    let state = hear(INITIAL_POLICY, `/plimsoll keep ${text}`);
    state = hear(state, "plimsoll keep: Ask before the mast is cut.");
    for (let round = 0; round < 3; round++) {
      const next = compact(state);
      expect(next.said).toContain("1. The seam must hold 40 kN.\n   Measured on 3 May.");
      expect(next.said).toContain("2. Ask before the mast is cut.");
      ({ state } = next);
    }
    state = hear(state, "plimsoll lift 1");
    expect(compact(state).said).not.toContain("40 kN");
    expect(compact(state).said).toContain("1. Ask before the mast is cut.");
    expect(compact(hear(state, "/plimsoll lift all")).said).toBe("");
  });

  it("[R204] outlives the process, and is nothing but a prompt to Plimsoll", () => {
    const state = hear(INITIAL_POLICY, `plimsoll keep ${text}`);
    const read = JSON.parse(JSON.stringify(state));
    expect(parsePolicy(read.told, read.red, read.block).told.kept).toEqual([text]);
    for (const prompt of ["keep the seam", "what does plimsoll keep?", "plimsoll health"])
      expect(hearMark(INITIAL_POLICY, prompt)).toBeUndefined();
  });

  it("[R204] refuses what would be too much to be told in one piece, and keeps the marks that there are", () => {
    let state = hear(INITIAL_POLICY, `plimsoll keep ${text}`);
    const long = hearMark(state, `plimsoll keep ${"x".repeat(8_000)}`);
    expect(long?.text).toContain("8000 characters");
    expect(long?.state).toBe(state);
    for (let mark = 1; mark < 20; mark++) state = hear(state, `plimsoll keep ${mark}`);
    expect(hear(state, "plimsoll keep one more").told.kept).toHaveLength(20);
    expect(compact(state).said).toContain("20. 19");
  });

  it("[R204] are results too, by their calls: the last word on one counts, and each is lifted by its number", () => {
    let state = markCalls(hear(INITIAL_POLICY, `plimsoll keep ${text}`), "kept", ["a", "b"]);
    state = markCalls(state, "forgotten", ["b", "c"]);
    expect(state.told).toMatchObject({ kept: [text], keptCalls: ["a"], forgottenCalls: ["b", "c"] });
    expect(compact(state).state.told).toMatchObject({ keptCalls: ["a"], forgottenCalls: ["b", "c"] });
    expect(hearMark(state, "plimsoll lift 3")?.text).toContain("3. forgotten: the result of call:c");
    expect(hear(state, "plimsoll lift 2").told).toMatchObject({ keptCalls: [], forgottenCalls: ["b", "c"] });
    expect(hear(state, "plimsoll lift all").told).toMatchObject({ kept: [], keptCalls: [], forgottenCalls: [] });
  });
});
