import type { Edit, KeptEdit } from "../../core/edit.ts";
import type { Message } from "../../core/message.ts";
import { sha256 } from "../../files/native-sha256.ts";
import { listOriginals } from "../../layers/history/list-originals.ts";
import type { Slices } from "./http/slices.ts";
import type { RequestPlan, RequestPlanner } from "./plan-request.ts";
import { restoreRecalls } from "./recall/restore-recalls.ts";
import { isWithinReach } from "./recall/serve-recall.ts";
import type { SessionName } from "./request/identify-session.ts";
import { type Patience, within } from "./request/patience.ts";
import { listLeft, type ReplayedView, replayView, selectOwn } from "./request/replay-view.ts";
import { assumeFacts, findNew, isAbout } from "./request/session-facts.ts";
import { isResting, prolong, type Rest, type SessionMemory } from "./request/session-memory.ts";
import { startClock, type WorkBudget } from "./request/work-budget.ts";
import {
  type GatewayStore,
  type HeldLedger,
  type KnownLedger,
  noLedger,
  type SessionFacts,
} from "./store/gateway-store.ts";
import type { CompactionCall } from "./wire.ts";

/** Why a request was sent otherwise than planned. It was sent all the same. */
export type Incident = "exception" | "store" | "away" | "budget";

export interface Decider {
  readonly store: GatewayStore;
  readonly planner: RequestPlanner;
  readonly nowMs: () => number;
  readonly budgetMs: number;
  readonly patience: Patience;
  readonly slices: Pick<Slices, "run">;
}

/** A request, and the conversation that it belongs to. */
export interface NamedRequest extends CompactionCall, SessionName {
  /** The hashes of what was removed before a compaction that was answered here; it can be fetched. */
  readonly carried: readonly string[];
}

interface Matter extends NamedRequest {
  readonly memory: SessionMemory | undefined;
  /** The request was parsed as the continuation of the remembered one. */
  readonly isContinued: boolean;
  /** If false, only earlier decisions are repeated. */
  readonly mayDecide: boolean;
  /** The time that reading took is already counted. */
  readonly budget: WorkBudget;
  /** How long the request waited for others before it was parsed. */
  readonly queuedMs: number;
}

export interface Decided extends KnownView {
  readonly facts: SessionFacts;
  readonly edits: readonly Edit[];
  readonly incidents: readonly Incident[];
  /** Set if planning took too long: planning pauses for this conversation. */
  readonly rest: Rest | undefined;
}

/** Under load, a request that has waited for longer than this is sent without a plan, this once. */
const MAX_QUEUED_MS = 500;
/** More attempts than this never occur: it would take three instances that decide for one conversation at the same moment. */
const MAX_ATTEMPTS = 3;

/** Replays what any instance has decided, decides what is new, and stores it. `undefined` if past decisions cannot be read. */
export async function decideTogether(matter: Matter, decider: Decider): Promise<Decided | undefined> {
  if (!matter.request.conversation.messages.some(({ role }) => role === "assistant"))
    return decideNothing(matter, decider);
  const held = await openLedger(matter, decider);
  try {
    return await decide(matter, decider, held);
  } finally {
    held?.release();
  }
}

/** Before the model's first answer nothing was decided and nothing can be, so the store is not asked. */
function decideNothing(matter: Matter, decider: Decider): Decided {
  const { memory } = matter;
  const ledger = memory?.ledger ?? noLedger;
  const replayed = replay(matter, noLedger);
  const facts = memory?.facts ?? assume(matter, replayed.view, decider);
  return { replayed, ledger, facts, edits: [], incidents: [], rest: memory?.rest };
}

/** `held` is `undefined` if the store did not answer. */
async function decide(matter: Matter, decider: Decider, held: HeldLedger | undefined): Promise<Decided | undefined> {
  const { session, memory, budget, request, carried } = matter;
  const { store, planner, patience } = decider;
  const { model, isClearedByServer } = request.fields;
  // Waiting for the store and waiting for others have limits of their own.
  const isTimeSpent = budget.isSpent;
  const queue = createWorkQueue(matter, decider);
  // If the store is away, this instance may still know the past. Nothing new can be stored, so nothing new is decided.
  let ledger = held?.ledger ?? memory?.ledger;
  const incidents: readonly Incident[] = held ? (held.isHeld ? [] : ["store"]) : ["away"];
  if (!ledger) return undefined;
  const kept = memory?.facts ?? (held && (await patience.askOnce(() => store.readFacts(session))));
  for (let attempt = 1; ; attempt++) {
    const past: KnownLedger = ledger;
    const { replayed, facts } = await queue.run(() => {
      const again = replay(matter, past);
      const isKnown = kept && isAbout(kept, again.messages);
      return { replayed: again, facts: isKnown ? kept : assume(matter, again.view, decider) };
    });
    const { view } = replayed;
    const known = { replayed, ledger: past };
    const unchanged = { ...known, facts, edits: [], incidents, rest: memory?.rest };
    const nowMs = decider.nowMs();
    if (!matter.mayDecide || incidents.length > 0 || isResting(memory?.rest, nowMs)) return unchanged;
    if (isTimeSpent()) return { ...unchanged, incidents: ["budget"] };
    const newFrom = findNew(view, facts.lastSentMessage);
    const hasRecall = carried.length > 0 || listLeft(replayed).length > 0;
    const situation = { view, newFrom, model, facts, nowMs, hasRecall, isClearedByServer, isTimeSpent };
    const plan = await queue.run(() => (queue.waitedMs() > MAX_QUEUED_MS ? undefined : planner.plan(situation)));
    if (!plan) return { ...unchanged, incidents: ["budget"] };
    // Out of time: an edit that is not stored would change the next request's prefix. It is decided again after a rest.
    if (isTimeSpent()) return { ...unchanged, incidents: ["budget"], rest: prolong(memory?.rest, nowMs) };
    const { edits } = plan;
    if (edits.length === 0) return { ...unchanged, rest: undefined };
    const keeping = keepDecisions(plan, { ...matter, ...known }, { store, budgetMs: budget.limitMs });
    const appended = await keeping.catch(() => "failed" as const);
    if (appended === "failed") return { ...unchanged, incidents: ["store"] };
    if (appended) return { ...unchanged, ...appended, edits, rest: undefined };
    ledger = attempt < MAX_ATTEMPTS ? await patience.askOnce(() => store.readLedger(session, past)) : undefined;
    if (!ledger) return { ...unchanged, incidents: ["store"] };
  }
}

/** Runs work in slices. The work counts against the budget; waiting for others is summed up separately. */
function createWorkQueue({ budget, queuedMs }: Matter, { slices }: Decider) {
  let waitedMs = queuedMs;
  return {
    waitedMs: () => waitedMs,
    run<Value>(work: () => Value): Promise<Awaited<Value>> {
      const since = startClock();
      return slices.run(() => {
        waitedMs += since();
        return budget.count(work);
      });
    },
  };
}

function replay({ request, answers, memory, isContinued }: Matter, ledger: KnownLedger): ReplayedView {
  const decisions = selectOwn(ledger.decisions, answers);
  // Each round drops at least one answer that fetched something which was not removed from this request.
  for (let { recalls } = ledger; ; ) {
    const messages = restoreRecalls(request.conversation.messages, recalls);
    const replayed = replayView(messages, decisions, isContinued ? memory?.replayed : undefined);
    const left = recalls.length === 0 ? [] : listLeft(replayed);
    const reached = recalls.filter((recalled) => isWithinReach(recalled, left));
    if (reached.length === recalls.length) return replayed;
    recalls = reached;
  }
}

function assume({ request }: Matter, view: readonly Message[], { planner, nowMs }: Decider): SessionFacts {
  return assumeFacts(view, request.fields, planner, nowMs());
}

/** Takes the lock only if something may be decided. Repeating earlier decisions needs no lock. */
async function openLedger(matter: Matter, { store, patience }: Decider): Promise<HeldLedger | undefined> {
  const { session, memory, mayDecide } = matter;
  const open = async (): Promise<HeldLedger> => {
    if (mayDecide) return store.holdLedger(session, memory?.ledger);
    return { ledger: await store.readLedger(session, memory?.ledger), isHeld: true, release: () => undefined };
  };
  // A request that knows all decisions does without the store at once. For all others the store is asked until it is back.
  const ask = isCurrent(matter) ? patience.askOnce : patience.ask;
  return ask(open, ({ release }) => release());
}

/** No other instance can have decided since: the model has answered what was sent from here, and nothing more. */
function isCurrent({ request, memory }: Matter): boolean {
  if (!memory) return false;
  const since = request.conversation.messages.slice(memory.request.conversation.messages.length);
  return since.filter(({ role }) => role === "assistant").length <= 1;
}

/** The view of a conversation, and the stored decisions that it was made by. */
export interface KnownView {
  readonly replayed: ReplayedView;
  readonly ledger: KnownLedger;
}

/** A decision in progress may be stored without our hearing of it, and would then change the next request's prefix. Waiting for the answer is better. */
const APPEND_TIMEOUT_MS = 2_000;

/**
 * Stores originals first, then the decisions: nothing leaves a conversation before it is stored. Returns the view with
 * them; `undefined` if another instance has decided since. After `budgetMs` without its originals stored, a request changes nothing.
 */
export async function keepDecisions(
  { edits, messages }: RequestPlan,
  { session, answers, replayed, ledger }: SessionName & KnownView,
  { store, budgetMs }: { readonly store: GatewayStore; readonly budgetMs: number },
): Promise<KnownView | undefined> {
  const originals = listOriginals(edits, replayed.view, sha256);
  await within(budgetMs, store.keepOriginals(originals));
  const after = answers?.at(-1);
  const decisions = edits.map((edit): KeptEdit => {
    const hashes = originals.flatMap(({ handle, hash }) => (edit.handles.includes(handle) ? [hash] : []));
    return { ...edit, ...(hashes.length > 0 ? { originals: hashes } : {}), ...(after === undefined ? {} : { after }) };
  });
  const kept = await within(APPEND_TIMEOUT_MS, store.appendDecisions(session, decisions, ledger));
  return (
    kept && { ledger: kept, replayed: { ...replayed, view: messages, decisions: selectOwn(kept.decisions, answers) } }
  );
}
