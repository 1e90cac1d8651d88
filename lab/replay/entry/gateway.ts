import { applyEdits } from "../../../src/core/apply-edits.ts";
import { parseJson } from "../../../src/core/json.ts";
import type { Message } from "../../../src/core/message.ts";
import { zeroUsage } from "../../../src/core/usage.ts";
import { createSlices } from "../../../src/entry/gateway/http/slices.ts";
import { createRequestPlanner } from "../../../src/entry/gateway/plan-request.ts";
import { createRequestPreparer } from "../../../src/entry/gateway/prepare-request.ts";
import type { Prepared } from "../../../src/entry/gateway/prepared.ts";
import type { Sender } from "../../../src/entry/gateway/request/identify-session.ts";
import type { Original } from "../../../src/layers/history/originals.ts";
import type { PolicyName } from "../../../src/layers/options/policy-settings.ts";
import { findModel } from "../../../src/models/find-model.ts";
import { findLastThinking } from "../../../src/policy/request-coming.ts";
import type { Briefing, StepView } from "../../../src/replay/policy.ts";
import { isRecord, type WireMessage } from "../../../src/wire/conversation.ts";
import { createClientCompaction } from "../client-compaction.ts";
import type { EntryPoint, EntryPointSession } from "../entry-point.ts";
import { createWireView } from "../wire-view.ts";
import { createMemoryStore } from "./memory-store.ts";

/** The gateway between a recorded client and a simulated cache: it is sent bodies, and learns of nothing but what it is told. */
export const gatewayEntryPoints: readonly EntryPoint[] = [
  createEntryPoint({
    name: "door:gateway",
    about: "the gateway as installed: it serves recall, and never changes what a model's thinking is tied to",
  }),
  createEntryPoint({
    name: "door:gateway-bound",
    about: "the same, as if every model bound its thinking",
    isAlwaysBound: true,
  }),
  createEntryPoint({
    name: "door:gateway-off",
    about: "the gateway with --policy off: everything leaves as it came",
    policy: "off",
  }),
];

interface Row {
  readonly name: string;
  readonly about: string;
  readonly policy?: PolicyName | "off";
  readonly isAlwaysBound?: boolean;
}

function createEntryPoint(row: Row): EntryPoint {
  return { name: row.name, about: row.about, open: async (briefing) => openSession(briefing, row) };
}

const SENDER: Sender = { user: "", headers: {} };
/** As the client names its conversation. */
const SESSION_FIELD = "user_replay_account__session_00000000-0000-4000-8000-000000000000";
/** Nothing here takes time that a request would have to wait for. */
const BUDGET_MS = 60_000;
/** A client that offers no tools could not be given one to recall with. */
const CLIENT_TOOL = { name: "Bash", description: "runs a command", input_schema: { type: "object" } };
/** As the gateway itself takes bytes for tokens of what it has not seen measured. */
const BASE_CHARACTERS_PER_TOKEN = 3.6;

function openSession(briefing: Briefing, { policy, isAlwaysBound = false }: Row): EntryPointSession {
  const client = createClientCompaction(briefing);
  const kept: Original[] = [];
  let nowMs = 0;
  const preparer = createRequestPreparer({
    store: createMemoryStore((originals) => kept.push(...originals)),
    planner: createRequestPlanner({ policy, isAlwaysBound }),
    nowMs: () => nowMs,
    budgetMs: BUDGET_MS,
    compaction: "pass",
    pool: { hold: () => undefined, release: () => undefined },
    slices: createSlices(),
  });
  const wire = createWireView();
  const system = "x".repeat(briefing.session.baseTokens * BASE_CHARACTERS_PER_TOKEN);
  let history: readonly Message[] = [];
  let texts: string[] = [];
  let last: Prepared | undefined;

  const write = (occasion: StepView): Buffer => {
    const mark = { cache_control: { type: "ephemeral", ttl: occasion.share1h > 0.5 ? "1h" : "5m" } };
    const newest = history.at(-1);
    const messages = newest ? [...texts.slice(0, -1), JSON.stringify(markLast(wire.render(newest), mark))] : [];
    const body = {
      model: occasion.model,
      max_tokens: 32_000,
      metadata: { user_id: SESSION_FIELD },
      tools: [CLIENT_TOOL],
      system: [{ type: "text", text: system, ...mark }],
      stream: true,
    };
    return Buffer.from(`${JSON.stringify(body).slice(0, -1)},"messages":[${messages.join(",")}]}`);
  };

  return {
    async plan(occasion) {
      // The answer came when the request was made, as far as anybody recorded.
      last?.finish(occasion.lastUsage ?? zeroUsage);
      nowMs = occasion.nowMs;
      const joined = occasion.messages.slice(occasion.sentMessages);
      history = [...history, ...joined];
      texts.push(...joined.map((message) => JSON.stringify(wire.render(message))));
      const own = client.plan({ ...occasion, messages: history });
      if (own.edits.length > 0) {
        history = applyEdits(history, own.edits, undefined, "mayGo").messages;
        texts = history.map((message) => JSON.stringify(wire.render(message)));
      }
      kept.length = 0;
      const body = write(occasion);
      last = await preparer.prepare(body, SENDER, { purpose: "messages" });
      const isAsItCame = last.pieces.length === 1 && last.pieces[0] === body;
      const view = isAsItCame ? history : wire.read(parseSent(last.pieces), history);
      const isCollapsed = last.edits.some(({ kind }) => kind === "replaceSpan");
      return {
        ...own,
        edits: [],
        view,
        originals: kept.map(wire.unwrap),
        left: isCollapsed ? [] : explainLeft(last, view, isAlwaysBound || findModel(occasion.model).bindsThinking),
      };
    },
    close: async () => undefined,
  };
}

function markLast({ role, content }: WireMessage, mark: object): WireMessage {
  if (typeof content === "string") return { role, content };
  return { role, content: content.map((block, at) => (at === content.length - 1 ? { ...block, ...mark } : block)) };
}

function parseSent(pieces: readonly Buffer[]): readonly WireMessage[] {
  const body: unknown = parseJson(Buffer.concat(pieces).toString("utf8"));
  if (!isRecord(body) || !Array.isArray(body.messages)) throw new Error("the gateway sent no request");
  return body.messages.filter(isWireMessage);
}

function isWireMessage(value: unknown): value is WireMessage {
  return (
    isRecord(value) &&
    typeof value.role === "string" &&
    (typeof value.content === "string" || Array.isArray(value.content))
  );
}

/** What kept a conversation from being collapsed at this request; what it was not time for is no reason. */
function explainLeft(
  { incidents, dropped }: Prepared,
  view: readonly Message[],
  isBinding: boolean,
): readonly string[] {
  const isBound = isBinding && findLastThinking(view) > 0;
  return [
    ...incidents.map((incident) => `the request was sent unchanged: ${incident}`),
    ...(dropped > 0 ? ["an earlier decision was about something else than what is said now"] : []),
    ...(isBound ? ["the model's thinking is tied to all that stands before it"] : []),
  ];
}
