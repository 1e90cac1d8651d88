import assert from "node:assert/strict";
import { answer, call, think } from "../../api/replies.ts";
import { blocksOfType } from "../queries.ts";
import type { Recording } from "../recording.ts";

export const thinking: Recording = {
  name: "thinking",
  shows: "signed thinking before calls and text, on `claude-opus-5-5`, whose requests hold messages of role system",
  async play({ cwd, write, serve, prompt }) {
    await write("cargo.txt", "timber 40 t\ngrain 25 t\n");
    await serve({
      main: [
        answer(
          think("The cargo list will tell the weight; I read it first."),
          "I read the list.",
          call("Read", { file_path: `${cwd}/cargo.txt` }),
        ),
        answer(think("40 and 25 make 65 tonnes."), "The cargo weighs 65 tonnes."),
      ],
    });
    await prompt("How heavy is the cargo?", { model: "claude-opus-5-5" });
  },
  verify({ lines, requests }) {
    assert.equal(blocksOfType(lines, "thinking").length, 2);
    assert.ok(
      requests[0]?.body.messages.some((message) => message.role === "system"),
      "a system message must be sent",
    );
  },
};
