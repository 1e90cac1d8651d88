import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { SessionEvent } from "../../src/core/event.ts";
import { isObject, type JsonObject, listField } from "../../src/core/json.ts";
import { sumContextTokens } from "../../src/core/usage.ts";
import { followRow, measure, noteCall } from "../../src/entry/engine/append.ts";
import { overseeCompaction } from "../../src/entry/engine/compaction/compact.ts";
import { reportRow } from "../../src/entry/engine/compaction/recorded-window.ts";
import { saveLive } from "../../src/entry/engine/live.ts";
import { openLive } from "../../src/entry/engine/open-live.ts";
import { readSession } from "../../src/hosts/catalogue.ts";
import { renderBlock } from "../../src/wire/anthropic/messages.ts";
import { createFakeClient } from "./fake-client.ts";

/** A recorded session that an engine has followed row by row, as its client hands rows over. */
interface FollowedSession {
  readonly home: string;
  /** Its transcript, in a home of its own. */
  readonly transcript: string;
  /** What the engine answers to `/compact` now. */
  compact(): Promise<readonly unknown[]>;
}

const DOORS: Readonly<Record<string, string>> = {
  prompt: "prompt",
  toolResult: "tool-result",
  attachment: "attachment",
  reminder: "hook-context",
  summary: "compaction",
};

/** The session's work is put into a folder of its own home, and the engine ends its turn as it does in a client. */
export async function followTranscript(file: string): Promise<FollowedSession> {
  const { sessionId = "", cwd = "" } = readSession(file).entries.find((entry) => entry.cwd !== "") ?? {};
  const fake = createFakeClient({ id: sessionId });
  const { client, machine, session, home } = fake;
  const folder = path.join(home, ".claude/projects", session.root.replaceAll(/[^0-9A-Za-z]/g, "-"));
  const transcript = path.join(folder, `${sessionId}.jsonl`);
  mkdirSync(folder, { recursive: true });
  const quote = (place: string): string => JSON.stringify(place).slice(1, -1);
  writeFileSync(transcript, readFileSync(file, "utf8").replaceAll(quote(cwd), quote(session.root)));
  writeFileSync(path.join(home, ".claude/plimsoll.json"), JSON.stringify({ fold: false, early: "off" }));
  const live = await openLive(client, machine);
  live.watch.expectAnswered();

  let rows: JsonObject[] = [];
  let step = "";
  const { events, recording } = readSession(transcript);
  for (const group of groupRows(events)) {
    const [first] = group;
    if (first?.kind === "compaction") rows = [];
    if (first?.kind === "output") {
      if (step !== "" && first.stepId !== step) live.watch.answered();
      step = first.stepId;
      session.model = first.model;
      if (first.usage) session.usedTokens = sumContextTokens(first.usage);
    }
    for (const event of group)
      if (event.kind === "arrival" && event.block.kind === "toolResult" && event.detail)
        live.watch.note(event.block.callId, event.detail);
    const row = toRow(group);
    if (row === undefined) continue;
    await followRow(client, live, row, async () => ({}));
    const blocks = group.flatMap(blocksOf);
    for (const block of blocks) if (block.kind === "toolCall") noteCall(live, block.callId, block.input);
    const isSaid =
      first?.kind === "output" || (first?.kind === "arrival" && /^(?:prompt|toolResult|summary)$/.test(first.source));
    const role = first?.kind === "output" ? "assistant" : "user";
    if (isSaid) rows.push(reportRow({ id: String(row.uuid), role, blocks }));
  }
  await measure(client, live);
  await saveLive(live);
  return {
    home,
    transcript,
    async compact() {
      session.apiMessages = recording.steps.map(({ outputs }) => ({
        role: "assistant",
        content: outputs.map((block) => renderBlock(block)),
      }));
      const refuse = () => Promise.reject(new Error("too little to summarise"));
      const given = await overseeCompaction(client, live, { trigger: "manual", messages: rows }, refuse);
      return isObject(given) ? listField(given, "messages") : [];
    },
  };
}

/** Events of one line of a transcript are one row. */
function groupRows(events: readonly SessionEvent[]): readonly (readonly SessionEvent[])[] {
  const groups: SessionEvent[][] = [];
  for (const event of events) {
    const last = groups.at(-1);
    const [before] = last ?? [];
    const isSame = event.kind === "arrival" && before?.kind === "arrival" && before.source === event.source;
    if (last && isSame && event.origin !== "" && before.origin === event.origin) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

function blocksOf(event: SessionEvent) {
  if (event.kind === "output") return event.blocks;
  return event.kind === "arrival" ? [event.block] : [];
}

let unnamed = 0;

function toRow(group: readonly SessionEvent[]): JsonObject | undefined {
  const [first] = group;
  if (first === undefined || first.kind === "microcompaction") return undefined;
  const uuid = first.origin || `unnamed-${++unnamed}`;
  if (first.kind === "compaction")
    return { door: "compaction", uuid, origin: {}, message: { type: "system", name: "compact_boundary", content: [] } };
  const content = JSON.parse(JSON.stringify(group.flatMap(blocksOf).map((block) => renderBlock(block))));
  if (first.kind === "output")
    return { door: "response", uuid, origin: { model: first.model }, message: { type: "assistant", content } };
  const { source, label } = first;
  const type = source === "attachment" ? "attachment" : "user";
  const name = source === "attachment" ? { name: label } : {};
  const isMeta = source === "reminder" ? { isMeta: true } : {};
  const origin = source === "toolResult" ? { tool: label } : {};
  return { door: DOORS[source] ?? "", uuid, origin, message: { type, ...name, ...isMeta, content } };
}
