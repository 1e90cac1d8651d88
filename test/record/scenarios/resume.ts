import assert from "node:assert/strict";
import { answer, call } from "../../api/replies.ts";
import type { Recording } from "../recording.ts";

export const resume: Recording = {
  name: "resume",
  shows: "one session over three runs (`--resume`), with a CLAUDE.md, a written and an edited file",
  async play({ cwd, write, serve, prompt }) {
    await write("CLAUDE.md", "Write dates as YYYY-MM-DD.\n");
    const file_path = `${cwd}/log.md`;
    await serve({
      main: [
        answer(call("Write", { file_path, content: "# Log\n\n2026-01-02 left Bergen\n" })),
        answer("The log is begun."),
        answer(call("Edit", { file_path, old_string: "left Bergen", new_string: "left Bergen, calm sea" })),
        answer("The weather is added."),
        answer(call("Bash", { command: "cat log.md", description: "Show the log" })),
        answer("2026-01-02: left Bergen, calm sea."),
      ],
    });
    await prompt("Begin a log: we left Bergen on 2 January 2026.");
    await prompt("The sea was calm.");
    await prompt("What does the log say?");
  },
  verify({ lines, requests }) {
    assert.equal(requests.length, 6);
    assert.equal(new Set(lines.map((line) => line.sessionId).filter((id) => id !== undefined)).size, 1);
  },
};
