import assert from "node:assert/strict";
import { answer, call } from "../../api/replies.ts";
import type { Recording } from "../recording.ts";
import { renderFlagPng } from "../render-png.ts";

export const images: Recording = {
  name: "images",
  shows: "a small PNG that comes back from Read as an image block",
  async play({ cwd, write, serve, prompt }) {
    await write("flag.png", renderFlagPng(48));
    await serve({ main: [answer(call("Read", { file_path: `${cwd}/flag.png` })), answer("A blue and yellow flag.")] });
    await prompt("What does flag.png show?");
  },
  verify({ lines }) {
    assert.ok(JSON.stringify(lines).includes('"type":"image"'), "there must be an image block");
  },
};
