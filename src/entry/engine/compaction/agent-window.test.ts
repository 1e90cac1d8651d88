/** If red: a subagent's window is compacted without its task, or its originals cannot be fetched back. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createFakeClient, type FakeClient } from "../../../../test/support/fake-client.ts";
import { isObject, type JsonObject, listField, textField } from "../../../core/json.ts";
import { findHandles } from "../../../fold/marker.ts";
import { recall } from "../../../survive/recall/recall.ts";
import { RECORD_OPENING } from "../../../survive/record/record-opening.ts";
import { followRow } from "../append.ts";
import { runSlashCommand } from "../command.ts";
import type { Live } from "../live.ts";
import { openLive } from "../open-live.ts";
import { createLivePort } from "../recall-tool.ts";
import { overseeCompaction } from "./compact.ts";

const AGENT = "a1";
const heavy = (name: string): string => `${name} plank `.repeat(3_000);

let fake: FakeClient;
let live: Live;
async function open(settings: JsonObject = {}): Promise<void> {
  fake = createFakeClient();
  fake.files.set(`${fake.home}/.claude/plimsoll.json`, JSON.stringify(settings));
  live = await openLive(fake.client, fake.machine);
}
beforeEach(() => open());

/** A subagent's work in the form of a compaction: a call with a long input for each name. */
function work(...names: readonly string[]): readonly JsonObject[] {
  return names.flatMap((name) => [
    {
      role: "assistant",
      text: "",
      toolUses: [{ tool_use_id: `c-${name}`, tool: "Bash", input: { command: heavy(name) } }],
      handle: `h-${name}`,
    },
    {
      role: "user",
      text: "",
      toolUses: [],
      toolResults: [{ tool_use_id: `c-${name}`, text: `${name} is dry` }],
      handle: `r-${name}`,
    },
  ]);
}
const TASK = { role: "user", text: "Look at all planks. Never touch the anchor chain.", toolUses: [], handle: "task" };
const LATER = ["oak", "elm", "fir", "ash", "yew"];

const BY_CLIENT = { messages: [{ role: "user", text: "A model's summary." }] };
async function compact(messages: readonly JsonObject[], e: JsonObject = {}): Promise<JsonObject> {
  // The client finds one message too few to summarise.
  const next = async (event: JsonObject): Promise<unknown> => {
    if (listField(event, "messages").length < 2) throw new Error("Not enough messages to compact.");
    return BY_CLIENT;
  };
  const answered = await overseeCompaction(
    fake.client,
    live,
    { trigger: "auto", agentId: AGENT, messages, ...e },
    next,
  );
  return isObject(answered) ? answered : {};
}

const rowsOf = (answered: JsonObject): readonly JsonObject[] => listField(answered, "messages").filter(isObject);
const recordOf = (answered: JsonObject): string =>
  rowsOf(answered)
    .map((row) => textField(row, "text"))
    .find((text) => text.startsWith(RECORD_OPENING)) ?? "";

async function fetchBack(handle: string, agentId = ""): Promise<string> {
  const answer = await recall({ handle }, createLivePort(fake.client, live, agentId));
  return answer.isError ? answer.words : answer.blocks.map(String).join("\n");
}

describe("the window of a subagent", () => {
  it("is compacted as the session's own is: its task stays, old work is behind handles for itself and its session, and no model is asked", async () => {
    const answered = await compact([TASK, ...work(...LATER)]);
    const record = recordOf(answered);
    expect(rowsOf(answered)[0]).toEqual(TASK);
    expect(record).toContain("Never touch the anchor chain.");
    expect(record).toContain("oak plank");
    expect(record.length).toBeLessThan(heavy("oak").length);
    const [handle = ""] = findHandles(record);
    for (const asking of [AGENT, ""])
      expect(await fetchBack(`${handle}#1`, asking)).toContain(heavy("oak").slice(0, -1));
    expect(live.journal.last("compacted", 9)).toMatchObject([{ by: "plimsoll", agentId: AGENT, isEstimated: true }]);
    expect([fake.forks, fake.logs, live.totals.compactions, live.conversation.hasAnswered]).toEqual([[], [], 0, false]);
  });

  it("keeps its ledger through a second compaction, and what was said to it next to its rows", async () => {
    const reported = "<system-reminder>The tide turns at noon.</system-reminder>";
    const follow = async (entryPoint: string, uuid: string, message: JsonObject): Promise<unknown> =>
      followRow(
        fake.client,
        live,
        { door: entryPoint, uuid, agentId: AGENT, origin: {}, message },
        async () => undefined,
      );
    await follow("prompt", "task", { type: "user", content: [{ type: "text", text: TASK.text }] });
    await follow("response", "h-oak", {
      type: "assistant",
      content: [{ type: "tool_use", id: "c-oak", name: "Bash" }],
    });
    await follow("tool-result", "r-oak", { type: "user", content: [{ type: "tool_result", tool_use_id: "c-oak" }] });
    await follow("hook-context", "told", {
      type: "attachment",
      name: "hook_additional_context",
      content: [{ type: "text", text: reported }],
    });
    expect(live.conversation.beside.rows).toEqual([]);
    const first = await compact([TASK, ...work(...LATER)]);
    const second = await compact([...rowsOf(first), ...work("box", "tar", "oil", "rope")]);
    const record = recordOf(second);
    for (const name of ["oak", "elm", "box"]) expect(record).toContain(`${name} plank`);
    expect(recordOf(first)).toContain("The tide turns at noon.");
  });

  it("is the client's where the person leaves compactions to it, and where nothing can be stored", async () => {
    await open({ compaction: "native" });
    expect(await compact([TASK, ...work(...LATER)])).toEqual(BY_CLIENT);
    await open();
    fake.block(path.join(live.root, ".plimsoll"), "file");
    fake.block(path.join(fake.home, ".claude/data/plimsoll/sessions"), "file");
    expect(await compact([TASK, ...work(...LATER)])).toEqual(BY_CLIENT);
  });

  it("stays as it is where only the session's own is to be compacted early, and is compacted then if it is half full itself", async () => {
    live.line.isLowered = true;
    const messages = [TASK, ...work(...LATER)];
    expect(await compact(messages)).toEqual({ skip: expect.stringContaining("the session's own window") });
    const folder = `${live.transcript.slice(0, -".jsonl".length)}/subagents`;
    mkdirSync(folder, { recursive: true });
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 120_000,
      cache_read_input_tokens: 0,
      output_tokens: 9,
    };
    const message = {
      id: "msg_1",
      role: "assistant",
      model: "claude-sonnet-4-6",
      content: [{ type: "text", text: "Dry." }],
      usage,
    };
    const line = {
      type: "assistant",
      uuid: "u1",
      isSidechain: true,
      agentId: AGENT,
      sessionId: live.sessionId,
      timestamp: "2026-11-18T00:00:00Z",
      message,
    };
    writeFileSync(`${folder}/agent-${AGENT}.jsonl`, `${JSON.stringify(line)}\n`);
    expect(recordOf(await compact(messages))).not.toBe("");
    expect(live.journal.last("compacted", 9)).toMatchObject([{ tokensBefore: 120_010 }]);
    expect(await runSlashCommand(fake.client, live, "")).toContain(
      "1 subagent: largest request 120k tokens, 0 compactions",
    );
  });
});
