import { describe, expect, it } from "vitest";
import { renderAnswer } from "./render-answer.ts";

describe("renderAnswer", () => {
  it("is empty where there is nothing to say", () => {
    for (const answer of [{}, { output: {} }, { text: "" }, { deeds: [] }])
      expect(renderAnswer("Stop", answer)).toBe("");
  });

  it("names the event beside its output", () => {
    expect(JSON.parse(renderAnswer("PostToolUse", { output: { additionalContext: "x" }, systemMessage: "y" }))).toEqual(
      {
        systemMessage: "y",
        hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "x" },
      },
    );
  });

  it("[R167] gives PreCompact plain text, and drops an output that the client would refuse with everything else", () => {
    expect(renderAnswer("PreCompact", { text: "keep this" })).toBe("keep this");
    for (const event of ["PreCompact", "PostCompact", "SessionEnd"])
      expect(renderAnswer(event, { output: { additionalContext: "x" } })).toBe("");
  });

  it("never gives more than 10,000 characters of context, and leaves a result in its own shape whole", () => {
    expect(renderAnswer("PreCompact", { text: "x".repeat(20_000) })).toHaveLength(10_000);
    const updatedToolOutput = { stdout: "y".repeat(20_000) };
    const { hookSpecificOutput } = JSON.parse(
      renderAnswer("PostToolUse", { output: { additionalContext: "x".repeat(20_000), updatedToolOutput } }),
    );
    expect(hookSpecificOutput.additionalContext).toHaveLength(10_000);
    expect(hookSpecificOutput.updatedToolOutput).toEqual(updatedToolOutput);
  });
});
