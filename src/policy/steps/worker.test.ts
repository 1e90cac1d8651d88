/** If red: an expensive subagent is sent without a word to the person, or a long report is not asked to be brief. */
import { describe, expect, it } from "vitest";
import type { PolicyCommand } from "../command.ts";
import { followDensity } from "../density/step-density.ts";
import { INITIAL_POLICY, type PolicyState, parsePolicy } from "../policy-state.ts";
import { dispatched } from "./dispatched.ts";
import { ran } from "./ran.ts";

const model = (): string => "claude-sonnet-4-5";
const scopes = (commands: readonly PolicyCommand[]): readonly string[] =>
  commands.flatMap((command) =>
    command.kind === "note" && command.action.kind === "signal"
      ? [`${command.action.signal.mode} ${command.action.signal.scope}`]
      : [],
  );
const report = (state: PolicyState, prompt: string, answeredCharacters: number) =>
  ran(state, {
    action: { kind: "delegate", prompt },
    asked: prompt,
    answeredCharacters,
    phase: () => undefined,
    model,
  });

describe("a worker", () => {
  it("[R199] over its output budget is asked to be brief in its own workstream alone, until a report is within it", () => {
    const hull = report(INITIAL_POLICY, "Plank the hull", 40_000);
    expect(scopes(hull.commands)).toEqual(["caveman workstream:Plank the hull"]);
    const deck = report(hull.state, "Plank the deck", 2_000);
    expect(scopes(deck.commands)).toEqual([]);
    expect(deck.state.red.density.manual).toBeNull();
    const again = report(deck.state, "Plank the hull", 40_000);
    expect(scopes(again.commands)).toEqual([]);
    expect(scopes(report(again.state, "Plank the hull", 2_000).commands)).toEqual(["normal workstream:Plank the hull"]);
  });

  it("[R202] whose prompt is expensive is told to the person before it is sent, with tokens and dollars", () => {
    const [line] = dispatched("plank ".repeat(40_000), model());
    expect(line?.kind === "warn" && line.text).toMatch(
      /^this worker's prompt has about [\d.]+k tokens, about \$0\.\d\d,/,
    );
    expect(dispatched("Plank the hull.", model())).toEqual([]);
  });
});

describe("terse writing that the person asked for", () => {
  it("[R200] holds over compactions and a resume, and is gone everywhere once they lift it", () => {
    let state = followDensity(
      INITIAL_POLICY,
      { kind: "prompt", text: "caveman mode", startsTask: false },
      "prompt",
    ).state;
    for (let round = 0; round < 2; round++) {
      const compacted = followDensity(state, { kind: "compaction", level: "GREEN" }, "compaction");
      expect(compacted.list.map(({ text }) => text).join()).not.toBe("");
      const read = JSON.parse(JSON.stringify(compacted.state));
      state = parsePolicy(read.told, read.red, read.block);
      expect(state.red.density.manual).toBe("caveman");
    }
    const lifted = followDensity(state, { kind: "prompt", text: "stop caveman", startsTask: false }, "prompt").state;
    expect(lifted.red.density).toMatchObject({ manual: "normal", auto: null });
    expect(followDensity(lifted, { kind: "compaction", level: "GREEN" }, "compaction").list).toEqual([]);
  });
});
