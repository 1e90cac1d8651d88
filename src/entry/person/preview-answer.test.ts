/** If red: a preview of the next compaction differs from what is sent after it. */
import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { followTranscript } from "../../../test/support/answer-recorded.ts";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import {
  answer,
  attachment,
  boundary,
  createWriter,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
} from "../../../test/support/transcript-lines.ts";
import type { JsonObject } from "../../core/json.ts";

const temporary = createTemporaryFolder();
const PASTE = "The draught of the hull is seven feet. ".repeat(150);

function work(count: number): readonly JsonObject[] {
  return Array.from({ length: count }, (_, at) => [
    answer(`m${at}`, [`I survey plank ${at}.`, toolUse(`t${at}`, "Bash", { command: `survey ${at}` })], {
      cache_read_input_tokens: 20_000 + at * 1_500,
    }),
    toolResult(`t${at}`, `plank ${at} is dry\n`.repeat(300)),
  ]).flat();
}

it.each([
  ["its first prompt, however long", [prompt(`Never touch the keel. ${PASTE}`), ...work(20)], PASTE],
  [
    "the client's own summary",
    [
      prompt("Survey it."),
      answer("first", ["I look."]),
      boundary("l2"),
      summary(`The user wants it dry. ${PASTE}`),
      ...work(20),
    ],
    PASTE,
  ],
  [
    "what came along with a prompt and between calls",
    [
      prompt("Survey it."),
      ...work(9),
      attachment({ type: "queued_command", prompt: "Mind the mast." }),
      ...work(9),
      prompt([
        { type: "text", text: "Look at these:" },
        { type: "text", text: "oak and elm" },
      ]),
      answer("last", ["I looked."]),
    ],
    "Mind the mast.",
  ],
])("shows %s byte for byte as the engine answers a compaction", async (_, drafts, words) => {
  const file = temporary.name();
  const common = { cwd: "/work/ship", sessionId: "5e5510a0-0000-4000-8000-000000000002" };
  writeFileSync(file, toFile(createWriter(common)(...drafts)));
  const session = await followTranscript(file);
  const command = ["summary", "--transcript", session.transcript, "--full", "--json"];
  const { output } = await runPlimsoll(command, { environment: { HOME: session.home }, nowMs: Date.now });
  const { messages } = JSON.parse(output).record;
  expect(JSON.stringify(messages)).toContain(words.trimEnd());
  expect(messages).toEqual(await session.compact());
});
