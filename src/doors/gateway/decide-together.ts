import type { Edit } from "../../core/edit.ts";
import type { Message } from "../../core/message.ts";
import type { Waiting } from "../../models/economics/waiting.ts";
import type { Slices } from "./http/slices.ts";
import type { RequestPlan, RequestPlanner, Situation } from "./plan-request.ts";
import { restoreRecalls } from "./recall/restore-recalls.ts";
import { isWithinReach } from "./recall/serve-recall.ts";
import { keepDecisions } from "./request/keep-decisions.ts";
import { type Patience, within } from "./request/patience.ts";
import { type EarlierView, listLeft, type ReplayedView, replayView, selectOwn } from "./request/replay-view.ts";
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
import type { ParsedRequest } from "./wire.ts";

/** Why a request was sent otherwise than planned. It was sent all the same. */
export type Incident = "exception" | "store" | "budget";

export interface Decider {
  readonly store: GatewayStore;
  readonly planner: RequestPlanner;
  readonly nowMs: () => number;
  readonly budgetMs: number;
  readonly patience: Patience;
  readonly slices: Pick<Slices, "run">;
}

export interface Matter {
  readonly request: ParsedRequest;
  readonly session: string;
  readonly answers: readonly string[] | undefined;
  readonly memory: SessionMemory | undefined;
  /** The request was parsed as the continuation of the remembered one. */
  readonly isContinued: boolean;
  /** If false, only earlier decisions are repeated. */
  readonly mayDecide: boolean;
  /** Something that was removed before an earlier compaction can be fetched. */
  readonly hasCarried: boolean;
  /** The time that reading took is already counted. */
  readonly budget: WorkBudget;
  /** How long the request waited for others before it was parsed. */
  readonly queuedMs: number;
}

export interface Decided {
  readonly replayed: ReplayedView;
  readonly ledger: KnownLedger;
  readonly facts: SessionFacts;
  readonly waiting: Waiting;
  readonly edits: readonly Edit[];
  readonly incidents: readonly Incident[];
  /** Set if planning took too long: planning pauses for this conversation. */
  readonly rest: Rest | undefined;
}

/** Under load, a request that has waited for longer than this is sent without a plan, this once. */
const MAX_QUEUED_MS = 500;
/** More attempts than this never occur: it would take three instances that decide for one conversation at the same moment. */
const MAX_ATTEMPTS = 3;

/**
 * Replays what any instance has decided, decides what is new, and stores it before it is
 * sent. `undefined` if past decisions cannot be read: the request is then sent unchanged.
 */
export async function decideTogether(matter: Matter, decider: Decider): Promise<Decided | undefined> {
  if (!matter.request.conversation.messages.some(({ role }) => role === "assistant"))
    return decideNothing(matter, decider);
  const held = await openLedger(matter, decider);
  try {
    return await decide(matter, decider, { read: held?.ledger, isHeld: held?.isHeld ?? false });
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
  return { replayed, ledger, facts, waiting: facts.waiting, edits: [], incidents: [], rest: memory?.rest };
}

interface Opened {
  /** `undefined` if the store did not answer. */
  readonly read: KnownLedger | undefined;
  readonly isHeld: boolean;
}

async function decide(matter: Matter, decider: Decider, { read, isHeld }: Opened): Promise<Decided | undefined> {
  const { session, memory, budget } = matter;
  const { store, planner, budgetMs } = decider;
  // Waiting for the store and waiting for others have limits of their own.
  const isTimeSpent = budget.isSpent;
  const queue = createWorkQueue(matter, decider);
  // If the store is away, this instance may still know the past. Nothing new can be stored, so nothing new is decided.
  const known = read ?? memory?.ledger;
  if (!known) return undefined;
  const incidents: readonly Incident[] = read && isHeld ? [] : ["store"];
  let ledger: KnownLedger = known;
  const kept = memory?.facts ?? (await readFacts(decider, session));
  for (let attempt = 1; ; attempt++) {
    const past = ledger;
    const { replayed, facts } = await queue.run(() => {
      const again = replay(matter, past);
      const isKnown = kept && isAbout(kept, again.messages);
      return { replayed: again, facts: isKnown ? kept : assume(matter, again.view, decider) };
    });
    const { view } = replayed;
    const unchanged = { replayed, ledger, facts, waiting: facts.waiting, edits: [], rest: memory?.rest };
    if (!matter.mayDecide || incidents.length > 0) return { ...unchanged, incidents };
    const nowMs = decider.nowMs();
    if (isResting(memory?.rest, nowMs)) return { ...unchanged, incidents };
    if (isTimeSpent()) return { ...unchanged, incidents: ["budget"] };
    const hasRecall = matter.hasCarried || listLeft(replayed).length > 0;
    const plan = await queue.run(() =>
      queue.waitedMs() > MAX_QUEUED_MS
        ? undefined
        : planner.plan(describe(matter, { view, facts, nowMs, hasRecall, isTimeSpent })),
    );
    if (!plan) return { ...unchanged, incidents: ["budget"] };
    // Out of time: an edit that is not stored would change the next request's prefix. It is decided again after a rest.
    if (isTimeSpent()) return { ...unchanged, incidents: ["budget"], rest: prolong(memory?.rest, nowMs) };
    if (plan.edits.length === 0) return { ...unchanged, waiting: plan.waiting, incidents, rest: undefined };
    const { edits, waiting } = plan;
    const appended = await tryKeep(store, session, { edits, after: matter.answers?.at(-1), view, ledger, budgetMs });
    if (appended === "failed") return { ...unchanged, incidents: ["store"] };
    if (appended) {
      const made = addEdits(matter, { replayed, ledger: appended }, plan);
      return { replayed: made, ledger: appended, facts, waiting, edits, incidents, rest: undefined };
    }
    const others =
      attempt < MAX_ATTEMPTS ? await decider.patience.askOnce(() => store.readLedger(session, past)) : undefined;
    if (!others) return { ...unchanged, incidents: ["store"] };
    ledger = others;
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

/** The replayed view with new edits, which are stored by now. */
export function addEdits(
  { answers }: Pick<Matter, "answers">,
  { replayed, ledger }: Pick<Decided, "replayed" | "ledger">,
  plan: Pick<RequestPlan, "messages">,
): ReplayedView {
  return { ...replayed, view: plan.messages, decisions: selectOwn(ledger.decisions, answers) };
}

function replay({ request, answers, memory, isContinued }: Matter, ledger: KnownLedger): ReplayedView {
  const decisions = selectOwn(ledger.decisions, answers);
  // Each round drops at least one answer that fetched something which was not removed from this request.
  for (let { recalls } = ledger; ; ) {
    const messages = restoreRecalls(request.conversation.messages, recalls);
    const earlier = memory && isContinued ? continueFrom(memory.replayed, messages) : undefined;
    const replayed = replayView(messages, decisions, earlier);
    const left = recalls.length === 0 ? [] : listLeft(replayed);
    const reached = recalls.filter((recalled) => isWithinReach(recalled, left));
    if (reached.length === recalls.length) return replayed;
    recalls = reached;
  }
}

function continueFrom(replayed: ReplayedView, messages: readonly Message[]): EarlierView {
  let kept = 0;
  while (kept < messages.length && messages[kept] === replayed.messages[kept]) kept++;
  return { ...replayed, kept };
}

function assume({ request }: Matter, view: readonly Message[], { planner, nowMs }: Decider): SessionFacts {
  const { model, baseBytes } = request.fields;
  const weigh = (messages: readonly Message[]): number => planner.weigh(messages, model);
  return assumeFacts({ view, model, nowMs: nowMs(), baseBytes, weigh });
}

type Moment = Omit<Situation, "newFrom" | "model" | "isClearedByServer">;

function describe({ request }: Matter, moment: Moment): Situation {
  const { model, serverEdits } = request.fields;
  const newFrom = findNew(moment.view, moment.facts.lastSentMessage);
  return {
    ...moment,
    newFrom,
    model,
    isClearedByServer: serverEdits.some((type) => /^(?:clear_tool_uses|compact)/.test(type)),
  };
}

async function tryKeep(
  store: GatewayStore,
  session: string,
  decisions: Parameters<typeof keepDecisions>[2],
): Promise<KnownLedger | undefined | "failed"> {
  try {
    return await keepDecisions(store, session, decisions);
  } catch {
    return "failed";
  }
}

/** Takes the lock only if something may be decided. Repeating earlier decisions needs no lock. */
async function openLedger(matter: Matter, decider: Decider): Promise<HeldLedger | undefined> {
  const { session, memory, mayDecide } = matter;
  const { store, patience } = decider;
  const open = async (): Promise<HeldLedger> => {
    if (mayDecide) return store.holdLedger(session, memory?.ledger);
    return { ledger: await store.readLedger(session, memory?.ledger), isHeld: true, release: () => undefined };
  };
  // A request that knows all decisions does without the store at once. For all others the store is asked until it is back.
  if (!isCurrent(matter)) return patience.ask(open, ({ release }) => release());
  return patience.askOnce(open, ({ release }) => release());
}

/** No other instance can have decided since: the model has answered what was sent from here, and nothing more. */
function isCurrent({ request, memory }: Matter): boolean {
  if (!memory) return false;
  const since = request.conversation.messages.slice(memory.request.conversation.messages.length);
  return since.filter(({ role }) => role === "assistant").length <= 1;
}

async function readFacts({ store, patience }: Decider, session: string): Promise<SessionFacts | undefined> {
  try {
    return await within(patience.timeoutMs(), store.readFacts(session));
  } catch {
    return undefined;
  }
}
