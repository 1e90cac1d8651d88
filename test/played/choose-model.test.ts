/** If red: recorded sessions are played under a model that they were not recorded with. */
import { describe, expect, it } from "vitest";
import { exchange, recordReplaySession } from "../support/replay-session.ts";
import { chooseModel } from "./choose-model.ts";

function chosenFor(model: string, windowTokens: number): string {
  const session = recordReplaySession([exchange([{ role: "user", blocks: [] }], { role: "assistant", blocks: [] })]);
  return chooseModel({ windowTokens, steps: session.steps.map((step) => ({ ...step, model })) });
}

describe("the model a session is played under", () => {
  it("is of the recorded kind and window, and one for which the client compacts by itself", () => {
    expect(chosenFor("claude-opus-4-5-20251101", 200_000)).toBe("claude-opus-4-6");
    expect(chosenFor("claude-sonnet-4-20250514", 200_000)).toBe("claude-sonnet-4-6");
    expect(chosenFor("claude-opus-4-6", 1_000_000)).toBe("claude-opus-4-6[1m]");
  });

  it("is the recorded one where that is new enough", () => {
    expect(chosenFor("claude-opus-5", 1_000_000)).toBe("claude-opus-5");
    expect(chosenFor("claude-opus-4-7", 1_000_000)).toBe("claude-opus-4-7");
    expect(chosenFor("claude-fable-5", 1_000_000)).toBe("claude-fable-5");
  });
});
