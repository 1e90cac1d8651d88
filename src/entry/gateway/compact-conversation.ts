import type { Message } from "../../core/message.ts";
import { sha256 } from "../../files/native-sha256.ts";
import { createTrackers, toMessageEvents } from "../../hosts/happening.ts";
import type { Host } from "../../hosts/host.ts";
import { toSegments } from "../../layers/ledger/render-chunk.ts";
import { renderCompactionRecord } from "../../policy/compaction-asked.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import { type Decided, type Decider, keepDecisions, type NamedRequest } from "./decide-together.ts";
import { closeWith } from "./put-away.ts";
import { findRecallToolName } from "./recall/serve-recall.ts";
import { within } from "./request/patience.ts";
import { listLeft } from "./request/replay-view.ts";
import type { CompactionBody } from "./wire.ts";

const KEEP_TIMEOUT_MS = 2_000;

/**
 * Answers a compaction without a model, with the same record and ledger as at every entry point. The removed text and the
 * original history are stored first. `undefined` if there is nothing old. Rejects if the store does; nothing was promised then.
 */
export async function compactConversation(
  asked: NamedRequest,
  decided: Decided,
  { store, planner, nowMs, budgetMs }: Pick<Decider, "store" | "planner" | "nowMs" | "budgetMs">,
): Promise<CompactionBody | undefined> {
  const { request, user, carried } = asked;
  const { wire, conversation } = request;
  const { model } = request.fields;
  const { replayed, facts } = decided;
  const { view } = replayed;
  const { history, question } = partQuestion(view);
  const compacted = planner.compactAll([...takeOver(history), ...question], model);
  if (compacted.edits.length === 0) return undefined;
  const hashes = compacted.originals.map(({ text }) => sha256(text));
  const left = [...new Set([...listLeft(replayed), ...carried, ...hashes])];
  const kept = wire.compaction.putAway(asked, { user, left });
  // The client forgets its history, so nothing may wait for room on a full disk.
  await within(KEEP_TIMEOUT_MS, store.keepOriginals([kept, ...compacted.originals]).then(store.check));
  // If the client resends the whole history with every later request, everything old becomes ledger there.
  if (wire.compaction.expand) {
    const situation = { view, newFrom: view.length, model, facts, nowMs: nowMs() };
    const plan = planner.planAsked({ ...situation, isClearedByServer: false, isTimeSpent: () => false });
    const patient = { store, budgetMs: Math.max(budgetMs, KEEP_TIMEOUT_MS) };
    // If another instance decided in the meantime, what is old is removed with a later request.
    if (plan.edits.length > 0) await keepDecisions(plan, { ...asked, ...decided }, patient);
  }
  const record = renderCompactionRecord(
    follow(partQuestion(conversation.messages).history.map(dropRecord), wire.client),
    {
      ledger: compacted.ledger,
      tail: "",
      hasTail: false,
      root: "",
      recallTool: findRecallToolName(request),
      transcript: "",
      earlier: history.map(findRecord).findLast((text) => text !== undefined),
    },
  );
  return wire.compaction.render(asked, { text: `${record}\n\n${closeWith(kept.handle)}`, handle: kept.handle });
}

/** The history, and a replacement for the client's last message, which asks for the compaction. */
function partQuestion(messages: readonly Message[]) {
  const at = messages.findLastIndex(({ role }) => role === "user");
  const last = messages[at];
  const block = last?.blocks.at(-1);
  if (!last || !block) return { history: messages, question: [] };
  const before = last.blocks.slice(0, -1);
  const rest = { ...last, blocks: before };
  const id = `${last.id}/question`;
  // The replacement follows the rest, even an empty one, so that it begins an exchange of its own, and all before it is old.
  const text = { kind: "text", id: `${id}:0`, text: "…", author: "model" } as const;
  const asked = { id, role: "assistant", blocks: [text] } as const;
  return { history: [...messages.slice(0, at), rest], question: [asked] };
}

/** Continues the ledger of our earlier record; the record itself is written anew. */
function takeOver(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message) => {
    const record = findRecord(message);
    if (record === undefined) return [message];
    const { blocks } = dropRecord(message);
    const segments = toSegments(record);
    if (segments.length === 0) return [message];
    // What the person says before the first answer is old, too: an exchange that holds the ledger would stay, and nothing stays here.
    const opening: Message = { id: `${message.id}/opening`, role: "assistant", blocks: [] };
    return [...segments, opening, ...(blocks.length > 0 ? [{ ...message, blocks }] : [])];
  });
}

/** What the record quotes, nobody says again. */
function dropRecord(message: Message): Message {
  const record = findRecord(message);
  if (record === undefined) return message;
  return {
    ...message,
    blocks: message.blocks.filter((block) => block.kind !== "text" || !block.text.includes(record)),
  };
}

function findRecord({ role, blocks }: Message): string | undefined {
  const texts = role === "user" ? blocks.filter((block) => block.kind === "text") : [];
  const text = texts.find((block) => block.text.includes(RECORD_OPENING))?.text;
  return text?.slice(text.indexOf(RECORD_OPENING));
}

function follow(messages: readonly Message[], { vocabulary }: Host): Happened {
  const trackers = createTrackers(vocabulary);
  for (const event of toMessageEvents(messages)) trackers.feed(event);
  const { session: state, trail } = trackers.state();
  return { state, trail };
}
