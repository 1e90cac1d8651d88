/** If red: a played session differs from the recorded one, so the benchmark measures something else. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { scriptSession } from "./script-session.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures/claude-code/2.1.325");

function scriptOf(name: string) {
  return scriptSession(readRecording(join(FIXTURES, `${name}.jsonl`)).recording);
}

describe("a recorded session as a script", () => {
  it("answers with the recorded calls, in one answer where they were", () => {
    const { steps, results } = scriptOf("parallel");
    const calls = steps.map(({ answer }) => answer.filter(({ type }) => type === "tool_use").length);

    expect(calls).toContain(3);
    for (const block of steps.flatMap(({ answer }) => answer))
      if (block.type === "tool_use") expect(results.has(block.id ?? "")).toBe(true);
  });

  it("answers with what the model wrote, without the fields that the client adds to a message in its records", () => {
    const { recording } = readRecording(join(FIXTURES, "parallel.jsonl"));
    const written = { to: "a1", summary: "Hull", message: "Look at the hull." };
    const input = { ...written, type: "message", recipient: "a1", content: "Look at …" };
    const steps = recording.steps.map((step) => ({
      ...step,
      outputs: step.outputs.map((block) =>
        block.kind === "toolCall" ? { ...block, tool: "SendMessage", input } : block,
      ),
    }));
    const answers = scriptSession({ ...recording, steps }).steps.flatMap(({ answer }) => answer);
    const calls = answers.filter(({ type }) => type === "tool_use");

    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) expect(call).toMatchObject({ name: "SendMessage", input: written });
    expect(JSON.stringify(calls)).not.toContain("recipient");
  });

  it("keeps what failed as failed, with its words", () => {
    const failed = [...scriptOf("errors").results.values()].filter(({ isError }) => isError);

    expect(failed.length).toBeGreaterThan(0);
    for (const { content } of failed) expect(content).not.toBe("");
  });

  it("keeps pictures, with the client's own record of them", () => {
    const [picture] = [...scriptOf("images").results.values()].filter(({ content }) => Array.isArray(content));

    expect(picture?.content).toMatchObject([{ type: "image" }]);
    expect(picture?.detail).toMatchObject({ type: "image" });
  });

  it("lets the person speak where the person spoke, and leaves out what the client had put in", () => {
    const { steps } = scriptOf("resume");
    const prompts = steps.filter(({ prompt }) => prompt.length > 0);

    expect(prompts).toHaveLength(3);
    expect(JSON.stringify(prompts)).not.toContain("system-reminder");
  });

  it("never lets the clock run backwards", () => {
    for (const name of ["parallel", "compact-auto", "resume"]) {
      const times = scriptOf(name).steps.flatMap(({ promptAtMs, atMs }) => [promptAtMs, atMs]);
      expect(times).toEqual(times.toSorted((left, right) => left - right));
    }
  });

  it("tells the recorded summaries apart from what was said", () => {
    const { summaries, steps } = scriptOf("compact-auto");

    expect(summaries).toHaveLength(1);
    expect(JSON.stringify(steps.map(({ prompt }) => prompt))).not.toContain("being continued from a previous");
  });
});
