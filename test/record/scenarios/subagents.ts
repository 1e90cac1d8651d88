import assert from "node:assert/strict";
import { answer, call } from "../../api/replies.ts";
import type { Recording } from "../recording.ts";

export const subagents: Recording = {
  name: "subagents",
  shows: "two subagents started in one answer, each with a transcript of its own under `subagents/`",
  async play({ cwd, write, serve, prompt }) {
    await write("ships.txt", "Aurora\nBorealis\n");
    const look = [
      answer(call("Read", { file_path: `${cwd}/ships.txt` })),
      answer("There are two ships: Aurora and Borealis."),
    ];
    await serve({
      main: [
        answer(
          "I ask two helpers.",
          call("Agent", {
            description: "Count ships",
            prompt: "Count the ships in ships.txt.",
            subagent_type: "general-purpose",
            run_in_background: false,
          }),
          call("Agent", {
            description: "Name ships",
            prompt: "Name the ships in ships.txt.",
            subagent_type: "Explore",
            run_in_background: false,
          }),
        ),
        answer("Two ships: Aurora and Borealis."),
      ],
      subagents: [look],
    });
    await prompt("Which ships are there?");
  },
  verify({ subagents: files, requests }) {
    assert.equal(files.filter((name) => name.endsWith(".jsonl")).length, 2);
    assert.deepEqual(requests.map((request) => request.lane).filter((lane) => lane === "main").length, 2);
  },
};
