import assert from "node:assert/strict";
import { answer, call, overflow, summary } from "../../api/replies.ts";
import { hasSubtype } from "../queries.ts";
import type { Recording } from "../recording.ts";

export const compactReactive: Recording = {
  name: "compact-reactive",
  shows: "compaction after the API refused a prompt as too long, then the same request again",
  async play({ serve, prompt }) {
    await serve({
      main: [
        answer(call("Bash", { command: "echo Skagerrak", description: "Ask the chart" })),
        answer(call("Bash", { command: "echo Kattegat", description: "Ask the chart" })),
        overflow(204_817, 200_000),
        answer("Skagerrak, then Kattegat."),
      ],
      compaction: [summary("1. Primary Request and Intent:\n   Name the waters.\n2. Progress:\n   Skagerrak.")],
    });
    await prompt("Which waters do we cross?");
  },
  verify({ lines, requests }) {
    assert.equal(lines.filter((line) => hasSubtype(line, "compact_boundary")).length, 1);
    assert.deepEqual(
      requests.map((request) => request.lane),
      ["main", "main", "main", "compaction", "main"],
    );
  },
};
