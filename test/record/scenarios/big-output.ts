import assert from "node:assert/strict";
import { answer, call } from "../../api/replies.ts";
import type { Recording } from "../recording.ts";

export const bigOutput: Recording = {
  name: "big-output",
  shows: "a Bash output over 30,000 characters: the conversation holds a preview, the whole is in `tool-results/`",
  async play({ serve, prompt }) {
    await serve({
      main: [answer(call("Bash", { command: "seq 1 6300", description: "Count" })), answer("It counts to 6300.")],
    });
    await prompt("Count far.");
  },
  verify({ lines, toolResults }) {
    assert.ok(JSON.stringify(lines).includes("<persisted-output>"), "the output must be persisted");
    assert.equal(toolResults.length, 1);
  },
};
