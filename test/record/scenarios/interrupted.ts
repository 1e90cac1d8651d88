import assert from "node:assert/strict";
import { answer, call, hang } from "../../api/replies.ts";
import { blocksOfType } from "../queries.ts";
import type { Recording } from "../recording.ts";

export const interrupted: Recording = {
  name: "interrupted",
  shows:
    "a run that was ended while it waited for the API; **by hand**: its last line is cut in half, as a full disk leaves it",
  async play({ serve, prompt }) {
    await serve({ main: [answer(call("Bash", { command: "echo reef ahead", description: "Look out" })), hang()] });
    await prompt("Is the way clear?", { timeoutMs: 5_000, exitCode: null });
  },
  finish(transcript) {
    const lastLine = transcript.trimEnd().split("\n").at(-1) ?? "";
    return transcript.slice(0, transcript.trimEnd().length - Math.floor(lastLine.length / 2));
  },
  verify({ lines }) {
    assert.equal(blocksOfType(lines, "tool_result").length, 1);
  },
};
