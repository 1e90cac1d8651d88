import type { Message } from "../../core/message.ts";
import { sha256 } from "../../files/native-sha256.ts";
import { createTrackers, tellMessages } from "../../hosts/happening.ts";
import type { Host } from "../../hosts/host.ts";
import { toStretches } from "../../layers/ledger/render-chunk.ts";
import { renderCompactionRecord } from "../../policy/compaction-asked.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import type { Decided, Decider } from "./decide-together.ts";
import { closeWith } from "./put-away.ts";
import { findRecallToolName } from "./recall/serve-recall.ts";
import { keepDecisions } from "./request/keep-decisions.ts";
import { within } from "./request/patience.ts";
import { listLeft } from "./request/replay-view.ts";
import type { CompactionBody, CompactionCall } from "./wire.ts";

export interface Compacting extends CompactionCall {
  readonly answers: readonly string[] | undefined;
  readonly decided: Decided;
  /** The hashes of what was removed before an earlier compaction. */
  readonly carried: readonly string[];
}

const KEEP_TIMEOUT_MS = 5_000;

/**
 * Answers a compaction without a model, with the same record and ledger as at every entry point. The removed text and the
 * original history are stored first. `undefined` if there is nothing old. Rejects if the store does; nothing was promised then.
 */
export async function compactConversation(
  { decided, answers, carried, ...asked }: Compacting,
  decider: Pick<Decider, "store" | "planner" | "nowMs" | "budgetMs">,
): Promise<CompactionBody | undefined> {
  const { store, planner } = decider;
  const { request, user } = asked;
  const { wire, fields, conversation } = request;
  const { history, question } = partQuestion(decided.replayed.view);
  const compacted = planner.compactAll([...takeOver(history), ...question], fields.model);
  if (compacted.edits.length === 0) return undefined;
  const hashes = compacted.originals.map(({ text }) => sha256(text));
  const left = [...new Set([...listLeft(decided.replayed), ...carried, ...hashes])];
  const kept = wire.compaction.putAway(asked, { user, left });
  await within(KEEP_TIMEOUT_MS, store.keepOriginals([kept, ...compacted.originals]));
  if (wire.compaction.expand) await decideAsked({ ...asked, decided, answers }, decider);
  const record = renderCompactionRecord(follow(partQuestion(conversation.messages).history, wire.client), {
    ledger: compacted.ledger,
    tail: "",
    hasTail: false,
    root: "",
    recallTool: findRecallToolName(request),
    transcript: "",
  });
  return wire.compaction.render(asked, { text: `${record}\n\n${closeWith(kept.handle)}`, handle: kept.handle });
}

/** If the client resends the whole history with every later request, everything old becomes ledger there. */
async function decideAsked(
  { request, session, decided, answers }: Omit<Compacting, "user" | "carried">,
  { store, planner, nowMs, budgetMs }: Pick<Decider, "store" | "planner" | "nowMs" | "budgetMs">,
): Promise<void> {
  const { replayed, ledger, facts } = decided;
  const { view } = replayed;
  const situation = { view, newFrom: view.length, model: request.fields.model, facts, nowMs: nowMs() };
  const { edits } = planner.planAsked({ ...situation, isClearedByServer: false, isTimeSpent: () => false });
  // Another instance decided in the meantime: what is old is removed with a later request.
  if (edits.length === 0) return;
  const after = answers?.at(-1);
  await keepDecisions(store, session, { edits, after, view, ledger, budgetMs: Math.max(budgetMs, KEEP_TIMEOUT_MS) });
}

/** The history, and a replacement for the client's last message, which asks for the compaction. */
function partQuestion(messages: readonly Message[]) {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[at];
  const block = last?.blocks.at(-1);
  if (!last || !block) return { history: messages, question: [] };
  const before = last.blocks.slice(0, -1);
  const rest = before.length === 0 ? [] : [{ ...last, blocks: before }];
  const id = `${last.id}/question`;
  // The replacement begins an exchange of its own, so everything before it is old.
  const asked = {
    id,
    role: "assistant",
    blocks: [{ kind: "text", id: `${id}:0`, text: "…", author: "model" }],
  } as const;
  return { history: [...messages.slice(0, at), ...rest], question: [asked] };
}

/** Continues the ledger of our earlier record; the record itself is written anew. */
function takeOver(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message) => {
    if (message.role !== "user") return [message];
    const found = message.blocks.find((block) => block.kind === "text" && block.text.includes(RECORD_OPENING));
    if (found?.kind !== "text") return [message];
    const blocks = message.blocks.filter((block) => block !== found);
    const stretches = toStretches(found.text.slice(found.text.indexOf(RECORD_OPENING)));
    if (stretches.length === 0) return [message];
    return [...stretches, ...(blocks.length > 0 ? [{ ...message, blocks }] : [])];
  });
}

function follow(messages: readonly Message[], { vocabulary }: Host): Happened {
  const trackers = createTrackers(vocabulary);
  for (const event of tellMessages(messages)) trackers.feed(event);
  const { session: state, trail } = trackers.state();
  return { state, trail };
}
