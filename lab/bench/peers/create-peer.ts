import { createHash } from "node:crypto";
import { applyEdits } from "../../../src/core/apply-edits.ts";
import type { Edit } from "../../../src/core/edit.ts";
import { type Block, type Message, renderResultText } from "../../../src/core/message.ts";
import { nameHandle } from "../../../src/fold/marker.ts";
import { type Original, renderOriginal } from "../../../src/layers/history/originals.ts";
import { withBackstop } from "../../../src/replay/policies/native.ts";
import {
  NOTHING_TO_DO,
  type Planner,
  type Policy,
  type ReplayDecision,
  type StepView,
} from "../../../src/replay/policy.ts";
import type { Change, SentBlock, SentMessage } from "./change.ts";
import { type HostThread, openHostThread } from "./host-thread.ts";
import { planEdits, type Wanted } from "./plan-edits.ts";

export interface Peer {
  readonly name: string;
  readonly about: string;
  /** The file next to this one that runs it. */
  readonly adapter: string;
  /** A peer that asks a model before the window is full compacts by itself; all others have native compaction behind them. */
  readonly compacts?: true;
}

/** Native compaction alone: a policy with a backstop that never does anything itself. */
const idle: Policy = withBackstop({ name: "", about: "", create: () => ({ plan: () => NOTHING_TO_DO }) });

let thread: HostThread | undefined;
let planners = 0;

/** A policy that asks published code what it would have sent, and proposes the edits that lead there. */
export function createPeer(peer: Peer): Policy {
  return {
    name: peer.name,
    about: peer.about,
    create(briefing) {
      thread ??= openHostThread();
      const backstop = idle.create(briefing);
      const host = createHost(peer, thread);
      return {
        plan(occasion) {
          const change = host.ask(occasion);
          const decision = change.summary
            ? planSummary(change, occasion, { peer, backstop })
            : planClearing(change, occasion, peer);
          return peer.compacts ? decision : withNative(decision, occasion, { backstop, compacted: host.forget });
        },
      };
    },
  };
}

/** A peer's memory of one session, kept in its thread: it is sent what is new, and all that is left after a compaction. */
function createHost({ adapter }: Peer, { call }: HostThread) {
  let planner: number | undefined;
  return {
    ask({ messages, sentMessages, tokens, baseTokens, windowTokens, countTokens }: StepView): Change {
      const joined = planner === undefined ? messages : messages.slice(sentMessages);
      if (planner === undefined) {
        planner = ++planners;
        call({ kind: "open", planner, peer: adapter, windowTokens, baseTokens });
      }
      return call({
        kind: "plan",
        planner,
        joined: joined.map((message) => sendMessage(message, countTokens)),
        tokens,
      });
    },
    forget(): void {
      if (planner !== undefined) call({ kind: "close", planner });
      planner = undefined;
    },
  };
}

function sendMessage(message: Message, countTokens: StepView["countTokens"]): SentMessage {
  const { role, blocks } = message;
  return { role, blocks: blocks.map((block) => sendBlock(block, countTokens({ ...message, blocks: [block] }))) };
}

function sendBlock(block: Block, tokens: number): SentBlock {
  return {
    id: block.id,
    kind: block.kind,
    text:
      block.kind === "text" || block.kind === "thinking"
        ? block.text
        : block.kind === "toolResult"
          ? renderResultText(block)
          : "",
    author: block.kind === "text" ? block.author : "host",
    callId: block.kind === "toolCall" || block.kind === "toolResult" ? block.callId : "",
    tool: block.kind === "toolCall" ? block.tool : "",
    input: block.kind === "toolCall" ? block.input : {},
    isError: block.kind === "toolResult" && block.isError,
    tokens,
  };
}

function planClearing(change: Change, { messages }: StepView, { name }: Peer): ReplayDecision {
  if (change.cleared.length === 0 && change.dropped.length === 0) return NOTHING_TO_DO;
  const originals: Original[] = [];
  const texts = new Map<string, { readonly text: string; readonly handles: readonly string[] }>();
  const blocks = new Map(messages.flatMap((message) => message.blocks).map((block) => [block.id, block]));
  for (const { block: id, text, storedAt } of change.cleared) {
    const block = blocks.get(id);
    const original = block && storedAt !== undefined ? renderOriginal(block) : undefined;
    if (original === undefined || storedAt === undefined) {
      texts.set(id, { text, handles: [] });
      continue;
    }
    // A path with a random name becomes one that is the same in every run and that the replay knows how to follow.
    const handle = nameHandle(createHash("sha256").update(original).digest("hex"));
    originals.push({ handle, text: original });
    texts.set(id, { text: text.replace(storedAt, `~/tool-outputs/${handle}.txt`), handles: [handle] });
  }
  return { edits: planEdits(messages, { texts, dropped: new Set(change.dropped) }, name), originals };
}

interface Compacting {
  readonly peer: Peer;
  readonly backstop: Planner;
}

/** The summary has the size, the price and the words of native compaction: none are known. Only the cut is the peer's. */
function planSummary(change: Change, occasion: StepView, { peer, backstop }: Compacting): ReplayDecision {
  const { edits, ...priced } = backstop.plan({ ...occasion, windowTokens: 0 });
  const summary = edits.flatMap((edit) => (edit.kind === "replaceSpan" ? edit.messages : []))[0];
  if (!summary || change.dropped.length === 0) return NOTHING_TO_DO;
  const dropped = new Set(change.dropped);
  const earlier = occasion.messages.filter(({ id }) => id.startsWith("summary:"));
  for (const block of earlier.flatMap(({ blocks }) => blocks)) dropped.add(block.id);
  const wanted: Wanted = { texts: new Map(), dropped, summary: withAppendix(summary, change.summary?.appendix ?? "") };
  const planned = planEdits(occasion.messages, wanted, peer.name);
  return planned.length === 0 ? NOTHING_TO_DO : { ...priced, edits: planned };
}

function withAppendix(summary: Message, text: string): Message {
  if (text === "") return summary;
  return { ...summary, blocks: [...summary.blocks, { kind: "text", id: `${summary.id}:files`, text, author: "host" }] };
}

interface Behind {
  readonly backstop: Planner;
  readonly compacted: () => void;
}

/** A peer that clears a little at every request must not keep native compaction from its turn: that looks at what is left. */
function withNative(decision: ReplayDecision, occasion: StepView, { backstop, compacted }: Behind): ReplayDecision {
  const after = decision.edits.length === 0 ? occasion : carryOut(decision.edits, occasion);
  const native = backstop.plan(after);
  if (native.edits.length === 0) return decision;
  compacted();
  return { ...decision, ...native, edits: [...decision.edits, ...native.edits] };
}

function carryOut(edits: readonly Edit[], occasion: StepView): StepView {
  const { messages } = applyEdits(occasion.messages, edits, undefined, "mayGo");
  return { ...occasion, messages, tokens: messages.reduce((sum, message) => sum + occasion.countTokens(message), 0) };
}
