import assert from "node:assert/strict";
import { answer, call, overloaded, refuse } from "../../api/replies.ts";
import { blocksOfType } from "../queries.ts";
import type { Recording } from "../recording.ts";

export const errors: Recording = {
  name: "errors",
  shows:
    "a 529 that is retried, a failing command, a read of a missing file, and a last prompt that ends in an API error line (2.1.325 asks six times before it gives up, each time with fewer betas)",
  async play({ cwd, serve, prompt }) {
    await serve({
      main: [
        overloaded(),
        answer(call("Bash", { command: "echo building; echo 'error: no rudder' >&2; exit 3", description: "Build" })),
        answer(call("Read", { file_path: `${cwd}/missing.txt` })),
        answer("The build fails for want of a rudder, and missing.txt does not exist."),
        ...Array.from({ length: 6 }, () => refuse(400, "invalid_request_error", "messages.0: refused by the script")),
      ],
    });
    await prompt("Run the build.");
    await prompt("And again.", { exitCode: 1 });
  },
  verify({ lines }) {
    assert.equal(blocksOfType(lines, "tool_result").filter((block) => block.is_error === true).length, 2);
    assert.ok(
      lines.some((line) => line.isApiErrorMessage === true),
      "there must be an API error line",
    );
  },
};
