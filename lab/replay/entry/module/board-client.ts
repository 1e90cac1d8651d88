import type { JsonObject } from "../../../../src/core/json.ts";
import { isObject, listField } from "../../../../src/core/json.ts";
import type { Message, ToolCallBlock } from "../../../../src/core/message.ts";
import { sumContextTokens, type Usage } from "../../../../src/core/usage.ts";
import { followRow, measure, noteCall } from "../../../../src/entry/engine/append.ts";
import type { CarryOn } from "../../../../src/entry/engine/client-port.ts";
import { overseeCompaction } from "../../../../src/entry/engine/compaction/compact.ts";
import { RECALL_OR_DONE_SPEC } from "../../../../src/entry/engine/link/offers.ts";
import type { Live } from "../../../../src/entry/engine/live.ts";
import { openLive } from "../../../../src/entry/engine/open-live.ts";
import type { Briefing, ReplayDecision, StepView } from "../../../../src/replay/policy.ts";
import { PROPOSED_CACHE_LIFE } from "../../../../src/replay/policy-names.ts";
import type { ReplayCacheLife } from "../../../../src/replay/prompt-cache.ts";
import { RECORD_OPENING } from "../../../../src/survive/record/record-opening.ts";
import { createClientCompaction } from "../../client-compaction.ts";
import { createWireView } from "../../wire-view.ts";
import { createClientLine } from "./client-line.ts";
import { type ClientSession, createMemoryClient, type MemoryClient } from "./memory-client.ts";
import { type ClientRow, fromAnswer, markRecurring, toAppend, toReported, toRows, toStored } from "./recorded-rows.ts";

/** A client with the module in the agent. */
export interface BoardedClient extends Pick<MemoryClient, "takeOriginals"> {
  /** Takes in what was recorded, as rows, compacts where that is due, and says what leaves. */
  request(occasion: StepView): Promise<Omit<ReplayDecision, "edits">>;
}

/** What the module's own tool adds to every request. */
const TOOLS: Message = {
  id: "tools",
  role: "system",
  blocks: [{ kind: "text", id: "tools:recall", text: JSON.stringify(RECALL_OR_DONE_SPEC), author: "host" }],
};

export async function boardClient(briefing: Briefing, life?: ReplayCacheLife): Promise<BoardedClient> {
  const { session } = briefing;
  const ownCompaction = createClientCompaction(briefing);
  const wire = createWireView();
  const calls = new Map<string, ToolCallBlock>();
  const left: string[] = [];
  let rows: readonly ClientRow[] = [];
  let names = 0;
  let nowMs = 0;
  let model = "";
  let usedTokens = 0;
  let lastUsage: Usage | undefined;
  let hasAnswered = false;
  const name = (): string => `row-${++names}`;
  const add = (row: ClientRow): void => {
    rows = [...rows, row];
  };
  const world: ClientSession = {
    root: session.root,
    model: () => model,
    usedTokens: () => usedTokens,
    transcript: () => renderAnswer(lastUsage),
    rows: () => rows.flatMap(toReported),
    messages: () => rows.map(toMessage).map(wire.render),
    append: (content) =>
      add({
        uuid: name(),
        door: "attachment",
        role: "user",
        blocks: content.map((raw) => ({ kind: "text", id: name(), text: String(raw.text), author: "host" })),
      }),
  };
  const { client, machine, env, takeOriginals } = createMemoryClient(world, () => nowMs);
  if (life === PROPOSED_CACHE_LIFE) env.set("CLAUDE_CODE_MESSAGES_PROMPT_CACHE_TTL", "5m");
  const line = createClientLine(env);
  const live = listen(await openLive(client, machine), (why) => left.push(withoutFigures(why)));

  const follow = async (row: ClientRow): Promise<void> => {
    const [block] = row.blocks;
    const call = block?.kind === "toolResult" ? calls.get(block.callId) : undefined;
    const reported = toAppend(row, call ? { tool: call.tool } : { model });
    const next = async (e: JsonObject): Promise<unknown> => {
      add(toStored(row, reported, e));
      return {};
    };
    await followRow(client, live, reported, next);
  };
  const takeIn = async (row: ClientRow): Promise<void> => {
    const [block] = row.blocks;
    if (row.door === "") return add(row);
    if (block?.kind === "toolCall") calls.set(block.callId, block);
    const call = block?.kind === "toolResult" ? calls.get(block.callId) : undefined;
    if (call) {
      noteCall(live, call.callId, call.input);
      const detail = session.details.get(call.callId);
      if (detail) live.watch.note(call.callId, detail);
    }
    if (row.door === "prompt") line.hearPrompt();
    await follow(row);
  };
  const compact = async (trigger: "auto" | "manual"): Promise<void> => {
    const e = { trigger, messages: rows.flatMap(toReported) };
    const answered = await overseeCompaction(client, live, e, refuse);
    if (!isObject(answered) || !Array.isArray(answered.messages)) return;
    const before = rows;
    const kept = fromAnswer(listField(answered, "messages").filter(isObject), before, name);
    const sent = wire.read(kept.map(toMessage).map(wire.render), before.map(toMessage));
    rows = [];
    const boundary = { type: "system", name: "compact_boundary", content: [] };
    await followRow(client, live, { door: "compaction", uuid: name(), origin: {}, message: boundary }, pass);
    for (const [at, row] of kept.entries()) {
      const again = { ...row, blocks: sent[at]?.blocks ?? row.blocks };
      if (row.door === "" || row.door === "attachment") add(again);
      else await follow(isRecord(row) ? { ...again, door: "note" } : again);
    }
  };

  return {
    takeOriginals,
    async request(occasion) {
      left.length = 0;
      line.countRequest();
      lastUsage = occasion.lastUsage;
      usedTokens = occasion.lastUsage ? sumContextTokens(occasion.lastUsage) : 0;
      const joined = occasion.messages.slice(occasion.sentMessages);
      const isAnswered = !joined.some(({ blocks }) => blocks.some(({ kind }) => kind === "toolResult"));
      for (const message of joined) {
        // An answer came when its request was made, as far as anybody recorded; all else comes with the next request.
        if (message.role !== "assistant") {
          if (isAnswered && usedTokens > 0) await measure(client, live);
          nowMs = occasion.nowMs;
          model = occasion.model;
        }
        hasAnswered ||= message.role === "assistant";
        for (const row of toRows(message, name)) await takeIn(hasAnswered ? row : markRecurring(row, rows.at(-1)));
      }
      nowMs = occasion.nowMs;
      const held = rows.map(toMessage);
      const tokens = held.reduce((sum, message) => sum + occasion.countTokens(message), 0);
      const own = ownCompaction.plan({ ...occasion, messages: held, tokens });
      if (own.edits.length > 0 || line.isReached(occasion.baseTokens + tokens)) {
        const recorded = session.compactions.find(({ step }) => step === occasion.step);
        if (recorded?.trigger === "manual") await compact("manual");
        else if (line.mayCompact()) await compact("auto");
        else left.push("the client's breaker: it would have stopped the work instead of compacting again");
      }
      return { view: [TOOLS, ...rows.map(toMessage)], left: [...left] };
    },
  };
}

/** As the client writes an answer down, as far as the module reads it there. */
function renderAnswer(used: Usage | undefined): string {
  if (!used) return "";
  const { cacheWrite5mTokens: short, cacheWrite1hTokens: long } = used;
  const usage = { cache_creation_input_tokens: short + long, cache_creation: { ephemeral_1h_input_tokens: long } };
  return JSON.stringify({ type: "assistant", message: { usage } });
}

const messages = new WeakMap<ClientRow, Message>();

/** The same object for the same row: it is weighed once. */
function toMessage(row: ClientRow): Message {
  const known = messages.get(row) ?? { id: row.uuid, role: row.role, blocks: row.blocks };
  messages.set(row, known);
  return known;
}

function isRecord({ blocks: [first] }: ClientRow): boolean {
  return first?.kind === "text" && first.text.startsWith(RECORD_OPENING);
}

/** The client's own summary is never asked for: what the module leaves to it is left. */
const refuse: CarryOn = async () => Promise.reject(new Error("too little to summarise"));

const pass: CarryOn = async () => ({});

/** Reasons are counted: the size of what waits is another one each time. */
function withoutFigures(why: string): string {
  return why.replace(/^.*; but not now: /, "not now: ");
}

/** What the module declined, or thinks that the client did not carry out, in its own words. */
function listen(live: Live, onDeclined: (why: string) => void): Live {
  return {
    ...live,
    journal: {
      note(_, detail) {
        if (detail.kind === "declined" || detail.kind === "ignored") onDeclined(detail.why);
      },
      last: () => [],
    },
  };
}
