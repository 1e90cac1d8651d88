/** If red: a fold is said to have saved more than the requests that carried it. */
import { describe, expect, it } from "vitest";
import { answer, called, compacted, request, result, usage } from "../../test/support/session-events.ts";
import { createRecording } from "../measure/recording.ts";
import { type FoldedAction, priceFold } from "./judge-folds.ts";

const action: FoldedAction = {
  ...{ atMs: 1, door: "hook", event: "PostToolUse", client: "" },
  ...{ kind: "folded", callId: "1", tool: "Bash", handle: "plimsoll:000000000000" },
  ...{ characters: 30_000, shownCharacters: 900, savedTokens: 8000 },
};

const events = [
  answer("s1", usage({ read: 20_000 }), [called("Bash", "1")]),
  result("Bash", "1", "short"),
  request("s2", 21_000),
  request("s3", 22_000),
  request("s4", 23_000),
];

describe("the price of a fold", () => {
  it("is nothing at birth, and what it saves grows with every request of its window", () => {
    const fold = priceFold(action, createRecording(events), 2);
    expect(fold).toMatchObject({ requests: 3 });
    expect(fold.why).toContain("the original was never sent, so the cache is not rewritten");
    const longer = priceFold(action, createRecording([...events, request("s5", 24_000)]), 2);
    expect(longer.savedUsd ?? 0).toBeGreaterThan(fold.savedUsd ?? 0);
  });

  it("has saved nothing as long as no request carried it", () => {
    const fold = priceFold(action, createRecording(events), 5);
    expect(fold).toMatchObject({ requests: 0, savedUsd: 0 });
    expect(fold.why).toContain("Every later request is 8,000 tokens smaller");
  });

  it("ends with the window", () => {
    const recording = createRecording([...events, compacted(), request("s5", 20_000)]);
    expect(priceFold(action, recording, 2).requests).toBe(3);
  });

  it("is not known for a model without a price", () => {
    const nameless = createRecording([request("s1", 9000, { model: "" }), request("s2", 9000, { model: "" })]);
    expect(priceFold(action, nameless, 2)).toMatchObject({ requests: 1, savedUsd: undefined });
  });
});
