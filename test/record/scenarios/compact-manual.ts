import assert from "node:assert/strict";
import { answer, call, summary } from "../../api/replies.ts";
import { hasSubtype } from "../queries.ts";
import type { Recording } from "../recording.ts";

export const compactManual: Recording = {
  name: "compact-manual",
  shows:
    "`/compact keep FOO` on a resumed session, then one more prompt on what is left; the file that was read comes back as an attachment",
  async play({ cwd, write, serve, prompt }) {
    await write("gauge.txt", "FOO=42\n");
    await serve({
      main: [answer(call("Read", { file_path: `${cwd}/gauge.txt` })), answer("FOO is 42."), answer("FOO is still 42.")],
      compaction: [summary("1. Primary Request and Intent:\n   The user reads a gauge.\n2. Key facts:\n   FOO is 42.")],
    });
    await prompt("What does the gauge say?");
    await prompt("/compact keep FOO");
    await prompt("What was FOO?");
  },
  verify({ lines, requests }) {
    assert.equal(lines.filter((line) => hasSubtype(line, "compact_boundary")).length, 1);
    const asked = requests.find((request) => request.lane === "compaction");
    assert.ok(JSON.stringify(asked?.body.messages).includes("keep FOO"), "the instructions must reach the API");
  },
};
