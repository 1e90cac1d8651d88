import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit } from "../../core/edit.ts";
import { type Occasion, unknownOccasion } from "../../core/layer.ts";
import { computeOnce, type Message } from "../../core/message.ts";
import { sumContextTokens, type Usage } from "../../core/usage.ts";
import { createMeter } from "../../measure/meter.ts";
import { quoteBreak, quoteReturn, renderReturn } from "../../measure/quote-return.ts";
import { advanceCacheState, emptyCacheState, isCold } from "../../models/economics/cache-state.ts";
import { estimateMessageTokens, tokenizerOf } from "../../models/tokens.ts";
import { decideWanted } from "../../policy/collapse-due.ts";
import { createRequestPolicy, findBound } from "../../policy/request-coming.ts";
import { type Conversation, parseConversation, type WireMessage } from "../../wire/conversation.ts";
import type { AgentSession } from "./agent-session.ts";

/** What a model's answer says about its request. */
export interface Answered {
  readonly model: string;
  readonly atMs: number;
  readonly usage: Usage;
}

export interface PendingRequest {
  readonly messages: readonly WireMessage[];
  /** Earlier decisions about this conversation, oldest first. */
  readonly decisions: readonly Edit[];
  readonly model: string;
  /** Where the client would compact, including system prompt and tools. */
  readonly compactionPointTokens: number;
  /** The client does not compact there, because we do. */
  readonly isLimitOurs?: boolean;
  readAnswer(message: WireMessage): Answered | undefined;
}

export interface Shaped {
  /** The identical array if nothing was decided, now or earlier. */
  readonly messages: readonly WireMessage[];
  /** Must be stored, because the next request must be edited the same way. */
  readonly edits: readonly Edit[];
  /** Why something was collapsed; empty if nothing was. */
  readonly why: string;
  /** Why a collapse would pay that the person's settings do not allow; empty if none would. */
  readonly notice: string;
}

const LEAST_TARGET_TOKENS = 1_000;

/** Repeats earlier decisions, then lets the policy decide what is new, and stores it before it is removed. */
export function shapeRequest(agentSession: AgentSession, leaving: PendingRequest): Shaped {
  const { settings, store } = agentSession;
  const asSent = readAsSent(agentSession, leaving);
  const { conversation, view } = asSent;
  const unchanged = { messages: conversation.render(view), edits: [], why: "", notice: "" };
  const limitTokens = leaving.isLimitOurs === true ? leaving.compactionPointTokens : undefined;
  const wanted = decideWanted(settings, asSent.contextTokens, limitTokens);
  if (wanted === "nothing") return unchanged;
  const coming = plan(agentSession, leaving, asSent);
  if (coming.edits.length === 0) return unchanged;
  if (wanted === "tell") return { ...unchanged, notice: coming.why };
  const isKept = coming.originals().every(({ text }) => store.keep({ output: text, tool: "ledger" }) !== undefined);
  if (!isKept) return unchanged;
  return { messages: conversation.render(coming.messages), edits: coming.edits, why: coming.why, notice: "" };
}

/** Where the price of coming back is said. */
export interface BreakMoment {
  /** The prompt that will be paid for. */
  readonly prompt: string;
  /** What compacts at once by our own hand, where the agent has such a command. */
  readonly command?: string;
}

/** The price of coming back, before the model's first word, and what becomes of the prompt; `undefined` if there was no long break. */
export function renderBreak(
  agentSession: AgentSession,
  leaving: PendingRequest,
  { prompt, command }: BreakMoment,
): string | undefined {
  const { settings } = agentSession;
  const meter = createMeter();
  for (const [at, message] of leaving.messages.entries()) {
    const answered = leaving.readAnswer(message);
    if (answered !== undefined)
      meter.feed({ kind: "output", origin: "", stepId: `${at}`, isOutputFinal: true, blocks: [], ...answered });
  }
  const whole = quoteBreak(meter.state(), { nowMs: Date.now(), countSaved: () => 0 });
  if (whole === undefined) return undefined;
  if (settings.compaction === "native") return `${renderReturn(whole)} · /compact has a model read all of it once more`;
  const asSent = readAsSent(agentSession, leaving);
  const { messages } = plan(agentSession, leaving, asSent, true);
  const quote = quoteReturn(meter.state(), sum(asSent.view, asSent.weigh) - sum(messages, asSent.weigh)) ?? whole;
  if (quote.compactedUsd === undefined) return renderReturn(quote);
  const limitTokens = leaving.isLimitOurs === true ? leaving.compactionPointTokens : undefined;
  const isOurs = decideWanted(settings, asSent.contextTokens, limitTokens) === "make";
  const isDue = isOurs && plan(agentSession, leaving, asSent).why !== "";
  const compacting = isDue ? prompt : command;
  return compacting === undefined ? renderReturn(whole) : `${renderReturn(quote)} · ${compacting} compacts first`;
}

interface AsSent extends Weighed {
  readonly conversation: Conversation;
  readonly known: Occasion;
  readonly contextTokens: number;
}

function readAsSent({ speech }: AgentSession, leaving: PendingRequest): AsSent {
  const conversation = parseConversation(leaving.messages, speech.format);
  const { messages } = conversation;
  const { messages: view } = applyEdits(messages, leaving.decisions);
  const weigh = createWeigher(leaving.model);
  const known = describeOccasion(leaving, { messages, view, weigh });
  return { conversation, messages, view, weigh, known, contextTokens: known.baseTokens + sum(view, weigh) };
}

/** `isAsked`: what a compaction at once would leave, whatever it costs. */
function plan(
  { settings, speech, project }: AgentSession,
  leaving: PendingRequest,
  { view, weigh, known }: AsSent,
  isAsked = false,
) {
  const { policy, moments, objective, lineTokens } = settings;
  const { vocabulary } = speech;
  // Results were already folded when they arrived.
  const decide = createRequestPolicy({
    policy,
    vocabulary,
    moments,
    objective,
    fold: false,
    collapse: { root: project },
  });
  const line = Math.min(lineTokens ?? Number.POSITIVE_INFINITY, leaving.compactionPointTokens);
  return decide({
    messages: view,
    newFrom: view.length,
    targetTokens: Math.max(LEAST_TARGET_TOKENS, line - known.baseTokens),
    countTokens: weigh,
    occasion: known,
    isAsked,
    boundTo: isAsked ? 0 : findBound(view, leaving.model),
  });
}

interface Weighed {
  readonly messages: readonly Message[];
  readonly view: readonly Message[];
  readonly weigh: (message: Message) => number;
}

/** The last answer's request contained all messages before it as in the view; the rest of its tokens are the system prompt and tools. */
function describeOccasion(leaving: PendingRequest, { messages, view, weigh }: Weighed): Occasion {
  const { model } = leaving;
  let cache = emptyCacheState;
  let last: { readonly at: number; readonly contextTokens: number } | undefined;
  for (const [at, message] of leaving.messages.entries()) {
    const answered = leaving.readAnswer(message);
    if (answered === undefined) continue;
    cache = advanceCacheState(cache, answered);
    last = { at, contextTokens: sumContextTokens(answered.usage) };
  }
  if (last === undefined || last.contextTokens === 0) return { ...unknownOccasion, model };
  const id = messages[last.at]?.id;
  const before = view.findLastIndex((message) => message.id === id);
  const baseTokens = before < 0 ? 0 : Math.max(0, Math.round(last.contextTokens - sum(view.slice(0, before), weigh)));
  return {
    baseTokens,
    model,
    isCold: isCold(cache, { nowMs: Date.now(), model, baseTokens }),
    share1h: cache.share1h,
    marks: "client",
  };
}

function sum(messages: readonly Message[], weigh: (message: Message) => number): number {
  return messages.reduce((total, message) => total + weigh(message), 0);
}

/** Cached, because each message of a request is weighed several times. */
function createWeigher(model: string): (message: Message) => number {
  const tokenizer = tokenizerOf(model);
  return computeOnce((message) => estimateMessageTokens(message, tokenizer));
}
