/** If red: a note that is late, refused or empty gets into a record, or holds a compaction up. */

import { expect, it } from "vitest";
import { createFakeClient } from "../../../../test/support/fake-client.ts";
import { story } from "../../../../test/support/story.ts";
import { isObject, listField } from "../../../core/json.ts";
import { parseRow } from "../../../hosts/claude-code/row-reader.ts";
import { NOTE_HEADING } from "../../../policy/note.ts";
import { openLive } from "../open-live.ts";
import { handleCompaction } from "./compact.ts";
import { settleCompaction } from "./settle-compaction.ts";
import { considerNote } from "./take-note.ts";

const refuse = (): Promise<unknown> => Promise.reject(new Error("the client must not be asked"));

/** A compaction at a line of 100k tokens, with a note that was asked for shortly before it. */
async function compact(fork: unknown) {
  const fake = createFakeClient({ fork });
  fake.files.set(`${fake.home}/.claude/plimsoll.json`, JSON.stringify({ note: true, line: "100k" }));
  const live = await openLive(fake.client, fake.machine);
  live.watch.events(story().asks("Never touch the anchor chain.").events());
  const message = { type: "assistant", content: [{ type: "text", text: "Painted." }] };
  const row = parseRow({ door: "response", uuid: "r1", origin: {}, message });
  if (row) live.watch.row(row, Date.now());
  live.watch.measured(92_000, "claude-sonnet-4-6", Date.now());
  considerNote(fake.client, live);
  // What is there by now has joined.
  await new Promise((resolve) => setImmediate(resolve));
  const texts = ["Never touch the anchor chain.", "Painted.", "Go on.", "On.", "And on.", "So."];
  const messages = texts.map((text, at) => ({
    role: at % 2 === 0 ? "user" : "assistant",
    text,
    toolUses: [],
    handle: `h${at}`,
  }));
  const answered = await handleCompaction(fake.client, live, { trigger: "auto", messages }, refuse);
  const rows = isObject(answered) ? listField(answered, "messages") : [];
  fake.session.messages = rows;
  await settleCompaction(fake.client, live, 9_000);
  const actions: { kind: string }[] = (fake.files.get(`${live.folder}/deeds-module.jsonl`) ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return {
    asked: fake.forks.length,
    record: rows.map((row) => (isObject(row) ? String(row.text) : "")).join("\n"),
    compacted: actions.find(({ kind }) => kind === "compacted"),
  };
}

it("a note that is there joins the record", async () => {
  const { asked, record, compacted } = await compact({ isAnswered: true, text: "Red lead, for want of tar." });
  expect(asked).toBe(1);
  expect(record).toContain(`${NOTE_HEADING}\nWritten by the model shortly before this compaction`);
  expect(record).toContain("\n> Red lead, for want of tar.");
  expect(compacted).toHaveProperty("note");
});

it.each([
  ["comes too late", new Promise(() => undefined)],
  ["fails", { isAnswered: false, reason: "invalid_request_error" }],
  ["is empty", { isAnswered: true, text: " " }],
])("a note that %s is left out, and delays nothing", async (_, fork) => {
  const { asked, record, compacted } = await compact(fork);
  expect(asked).toBe(1);
  expect(record).toContain("Never touch the anchor chain.");
  expect(record).not.toContain(NOTE_HEADING);
  expect(compacted).toMatchObject({ kind: "compacted", by: "plimsoll", trigger: "auto" });
  expect(compacted).not.toHaveProperty("note");
});
