import assert from "node:assert/strict";
import { answer, call, summary } from "../../api/replies.ts";
import { hasSubtype } from "../queries.ts";
import type { Recording } from "../recording.ts";

/** Over the client's threshold for a window of 200,000: 200,000 - 20,000 - 13,000 = 167,000. */
const FULL = { input_tokens: 3, cache_creation_input_tokens: 2_000, cache_read_input_tokens: 168_000 };

export const compactAuto: Recording = {
  name: "compact-auto",
  shows:
    "compaction that the client starts by itself in the middle of a turn, the newest calls kept word for word (2.1.197 writes lines it had written before a second time, with the same uuid)",
  async play({ serve, prompt }) {
    const sound = (fathoms: number) =>
      answer(call("Bash", { command: `echo ${fathoms} fathoms`, description: "Sound" }));
    await serve({
      main: [
        {
          ...sound(12),
          usage: { input_tokens: 3, cache_creation_input_tokens: 2_000, cache_read_input_tokens: 150_000 },
        },
        { ...sound(9), usage: FULL },
        sound(7),
        answer("12, 9 and 7 fathoms: it is getting shallow."),
      ],
      compaction: [
        summary("1. Primary Request and Intent:\n   Sound three times.\n2. Progress:\n   12 fathoms, then 9."),
      ],
    });
    await prompt("Sound three times.", { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "200000" } });
  },
  verify({ lines, requests }) {
    assert.equal(lines.filter((line) => hasSubtype(line, "compact_boundary")).length, 1);
    assert.deepEqual(
      requests.map((request) => request.lane),
      ["main", "main", "compaction", "main", "main"],
    );
  },
};
