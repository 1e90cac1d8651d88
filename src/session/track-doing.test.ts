import { describe, expect, it } from "vitest";
import { createDoingTracker } from "./track-doing.ts";

function hear(...texts: string[]): string | undefined {
  const tracker = createDoingTracker();
  for (const [at, text] of texts.entries()) tracker.follow({ kind: "said", request: at + 1, text });
  return tracker.state()?.text;
}

describe("what the model set about", () => {
  it("is its newest intention", () => {
    expect(hear("Let me look at the bow.", "All dry. Now I'll caulk the stern:")).toBe("Now I'll caulk the stern:");
    expect(hear("Now update the three call sites.")).toBe("Now update the three call sites.");
  });

  it("is over when a text tells what came of it", () => {
    expect(hear("Let me look at the bow.", "The bow is dry.")).toBeUndefined();
  });

  it.each([
    "Let me know if you want more.",
    "I'll wait for your answer.",
    "Let me ask: shall I paint it?",
    "Now that it floats, we are done.",
  ])("is not what is said to the person: %s", (text) => {
    expect(hear(text)).toBeUndefined();
  });

  it("is over with the person's next word", () => {
    const tracker = createDoingTracker({ text: "Let me look.", request: 1 });
    tracker.follow({ kind: "asked", request: 1, text: "Stop.", atMs: undefined });
    expect(tracker.state()).toBeUndefined();
  });
});
