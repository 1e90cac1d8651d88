import assert from "node:assert/strict";
import { answer, call } from "../../api/replies.ts";
import { modelsOf } from "../queries.ts";
import type { Recording } from "../recording.ts";

export const modelSwitch: Recording = {
  name: "model-switch",
  shows: "a session begun on `claude-sonnet-4-6` and resumed on `claude-opus-5-5`: the cache starts over",
  async play({ serve, prompt }) {
    await serve({
      main: [
        answer(call("Bash", { command: "echo north", description: "Ask the compass" })),
        answer("North."),
        answer(call("Bash", { command: "echo west", description: "Ask the compass" })),
        answer("West."),
      ],
    });
    await prompt("Where does the compass point?");
    await prompt("And now?", { model: "claude-opus-5-5" });
  },
  verify({ lines }) {
    assert.deepEqual(modelsOf(lines), ["claude-sonnet-4-6", "claude-opus-5-5"]);
  },
};
