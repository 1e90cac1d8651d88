import assert from "node:assert/strict";
import { answer, call } from "../../api/replies.ts";
import { validateMessages } from "../../api/validate-messages.ts";
import { blocksOfType } from "../queries.ts";
import type { Recording } from "../recording.ts";

export const parallel: Recording = {
  name: "parallel",
  shows:
    "three tool calls in one answer: one assistant line per block with the same message id, one user line per result",
  async play({ cwd, write, serve, prompt }) {
    await write("harbour.txt", "Oslo\nBergen\nTromsø\n");
    await write("tides.txt", "06:12 high 2.1 m\n12:30 low 0.4 m\n");
    await serve({
      main: [
        answer(
          "I read both files and list the folder at the same time.",
          call("Read", { file_path: `${cwd}/harbour.txt` }),
          call("Read", { file_path: `${cwd}/tides.txt` }),
          call("Bash", { command: "ls", description: "List the folder" }),
        ),
        answer("Three harbours, two tides, two files."),
      ],
    });
    await prompt("What is in this folder?");
  },
  verify({ lines, requests }) {
    assert.equal(blocksOfType(lines, "tool_use").length, 3);
    assert.equal(blocksOfType(lines, "tool_result").length, 3);
    assert.deepEqual(
      requests.flatMap((request) => validateMessages(request.body)),
      [],
    );
  },
};
