/** If red: a person who looks before a compaction is shown something else than what is sent after it. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isObject, listField, textField } from "../../src/core/json.ts";
import { answer, call } from "../api/replies.ts";
import type { Reply } from "../api/scenario.ts";
import { runPlimsoll } from "../support/fake-terminal.ts";
import { findSessionFiles } from "./find-session-files.ts";
import { play } from "./play.ts";

const WORDS = "the hull is sound and the planks are dry and the mast stands. ";

function work(_: unknown, step: number): Reply {
  if (step >= 24) return answer(`Row ${step} is done.`);
  const command = `for i in $(seq 1 60); do echo "step ${step} plank $i measured 12.$i mm"; done`;
  return answer(`Plank row ${step}. ${WORDS.repeat(40)}`, call("Bash", { command }));
}

/** The texts, calls and results of a conversation in order, without what the client itself says around them. */
function listParts(messages: readonly unknown[]): readonly string[] {
  const parts = messages.filter(isObject).flatMap((message) => {
    const content = Array.isArray(message.content) ? message.content.filter(isObject) : [];
    return [
      textField(message, "text"),
      ...listField(message, "toolUses")
        .filter(isObject)
        .map((use) => JSON.stringify(use.input)),
      ...listField(message, "toolResults")
        .filter(isObject)
        .map((result) => textField(result, "text")),
      ...content.map((block) => {
        if (block.type === "text") return textField(block, "text");
        return block.type === "tool_use" ? JSON.stringify(block.input) : textField(block, "content");
      }),
    ];
  });
  // Blocks of one message end in a line feed of the client's.
  return parts
    .map((part) => part.trimEnd())
    .filter((part) => part !== "" && !/^<(?:system-reminder|local-command)/.test(part));
}

it("holds what a preview shows, byte for byte, in the request after /compact, with the first prompt whole", async () => {
  const session = await play({ main: work });
  onTestFinished(() => session.close());
  const prompt = `Paint the load line. Never touch the anchor chain. ${"Every plank counts. ".repeat(300)}`;
  const { sessionId } = await session.run({ prompts: [prompt] });
  const { home } = session.workspace;
  const { transcript = "" } = (await findSessionFiles(home)).at(-1) ?? {};
  const words = ["summary", "--transcript", transcript, "--full", "--json"];
  const { output } = await runPlimsoll(words, { environment: { HOME: home }, nowMs: Date.now });
  const previewed = listParts(JSON.parse(output).record.messages);
  expect(previewed[0]).toBe(prompt.trimEnd());

  await session.run({ prompts: ["/compact", "Go on."], resume: sessionId });
  const sent = listParts(session.api.requests.at(-1)?.body.messages ?? []);
  expect(sent.slice(0, previewed.length)).toEqual(previewed);
  expect(sent.slice(previewed.length).filter((part) => !part.startsWith("<command-name>"))).toEqual(["Go on."]);
  expect(
    await readFile(join(home, ".claude/data/plimsoll/sessions", sessionId, "module-state.json"), "utf8"),
  ).toContain('"version"');
});
