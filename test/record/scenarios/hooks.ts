import assert from "node:assert/strict";
import { answer, call } from "../../api/replies.ts";
import type { Recording } from "../recording.ts";

const COMMANDS: Readonly<Record<string, string>> = {
  SessionStart: "echo 'The pilot is on board.'",
  UserPromptSubmit: "echo 'The wind is from the west.'",
  PostToolUse: `echo '{"hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"The lead line agrees."}}'`,
};

export const hooks: Recording = {
  name: "hooks",
  shows: "command hooks at session start, prompt and tool use, and the attachments that they leave",
  async play({ write, serve, prompt }) {
    const settings = Object.entries(COMMANDS).map(([event, command]) => [
      event,
      [{ hooks: [{ type: "command", command }] }],
    ]);
    await write(".claude/settings.json", JSON.stringify({ hooks: Object.fromEntries(settings) }));
    await serve({
      main: [answer(call("Bash", { command: "echo 12 fathoms", description: "Sound" })), answer("Twelve fathoms.")],
    });
    await prompt("How deep is it?");
  },
  verify({ lines }) {
    const text = JSON.stringify(lines);
    for (const words of ["The pilot is on board", "The wind is from the west", "The lead line agrees"]) {
      assert.ok(text.includes(words), `the transcript must hold what the hook said: ${words}`);
    }
  },
};
