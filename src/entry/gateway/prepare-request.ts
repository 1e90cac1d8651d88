import type { Message } from "../../core/message.ts";
import type { Usage } from "../../core/usage.ts";
import { parseOverflow } from "../../layers/overflow/parse-overflow.ts";
import { isBaseWorthAnHour } from "../../models/economics/cache-state.ts";
import { mayServeRecall } from "../../policy/is-entry-due.ts";
import { compactConversation } from "./compact-conversation.ts";
import { type Decided, type Decider, decideTogether, keepDecisions, type NamedRequest } from "./decide-together.ts";
import type { BodyPool } from "./http/body-pool.ts";
import { messagesWire } from "./messages-wire.ts";
import { createUnchanged, type Prepared } from "./prepared.ts";
import { createReadCarried } from "./recall/restore-recalls.ts";
import { addTool, createRecallService, keepRecalled } from "./recall/serve-recall.ts";
import { findNames, identifySession, type Sender } from "./request/identify-session.ts";
import { parseRequest } from "./request/parse-request.ts";
import { createPatience, TimeSpentError, within } from "./request/patience.ts";
import { listLeft, type ReplayedView } from "./request/replay-view.ts";
import { advanceFacts, countOutlived } from "./request/session-facts.ts";
import { createSessionMemories, type RememberedSize } from "./request/session-memory.ts";
import { spliceMessages } from "./request/splice-messages.ts";
import { createWorkBudget } from "./request/work-budget.ts";
import type { Wire } from "./wire.ts";

/** What to do with the client's own compaction: send it as it is, make it lighter, or answer it here without a model. */
export type CompactionSetting = "pass" | "trim" | "answer";

/** How long system prompt and tools are cached if the client leaves that open: by price, always one hour, or the client's default. */
export type BaseLife = "price" | "1h" | "client";

interface PreparerOptions extends Omit<Decider, "patience"> {
  readonly compaction: CompactionSetting;
  readonly baseLife?: BaseLife | undefined;
  /** The pool of the bodies; remembered bodies are held in it. */
  readonly pool: Pick<BodyPool, "hold" | "release">;
  /** The most memory for remembered bodies; 256 MB by default. */
  readonly maxRememberedBytes?: number;
}

export interface Preparing {
  /** `count`: nothing is decided for a request that only asks for its size. */
  readonly purpose: "messages" | "count";
  readonly wire?: Wire | undefined;
  /** The usage of its answer, if it was sent before it is read: the next request of its conversation needs it. */
  readonly usage?: Usage | undefined;
  readonly queuedMs?: number | undefined;
}

export interface RequestPreparer {
  prepare(bytes: Buffer, sender: Sender, preparing: Preparing): Promise<Prepared>;
  remembered(): RememberedSize;
  forget(): void;
}

interface Incoming extends NamedRequest {
  readonly hint: string;
  readonly isCompaction: boolean;
  readonly isCount: boolean;
  /** If false, the request is sent whole. */
  readonly mayRecall: boolean;
  readonly startMs: number;
}

const KEEP_TIMEOUT_MS = 2_000;
/**
 * The first plans of a process run code for the first time, and take ten times as long as later ones. A result that is sent whole when it is
 * new stays whole for long, and a client that starts its own gateway would lose its first one every time, so these may take longer.
 */
const COLD_PLANS = 5;
const COLD_TIMES = 20;

export function createRequestPreparer(options: PreparerOptions): RequestPreparer {
  const { store, planner, nowMs, budgetMs, baseLife = "price" } = options;
  const memories = createSessionMemories(options.pool, options.maxRememberedBytes);
  const oneByOne = createSessionQueue();
  const patience = createPatience(() => performance.now(), store.isAway);
  const decider = { ...options, patience };
  const rendered = new WeakMap<Message, Buffer>();
  let coldPlans = COLD_PLANS;
  const readOriginal = async (handle: string): Promise<string | undefined> => {
    const read = await patience.ask(async () => ({ text: await store.readOriginal(handle) }));
    if (!read) throw new TimeSpentError("the store does not answer");
    return read.text;
  };
  const readCarried = createReadCarried({ readOriginal });

  const react = async (incoming: Incoming, decided: Decided): Promise<Decided | undefined> => {
    const harder = planner.planHarder(decided.replayed.view, incoming.request.fields.model);
    if (harder.edits.length === 0) return undefined;
    const kept = await keepDecisions(harder, { ...incoming, ...decided }, options);
    return kept && { ...decided, ...kept, edits: [...decided.edits, ...harder.edits] };
  };

  /** The request as it is sent, with the tool if something can be fetched. */
  const serve = (incoming: Incoming, { replayed, ledger, facts }: Decided): Pick<Prepared, "pieces" | "recall"> => {
    const { request, session, hint, mayRecall, carried } = incoming;
    const pieces = spliceMessages(request, replayed.view, rendered);
    const left = [...listLeft(replayed), ...carried];
    if (left.length === 0 || !mayRecall) return { pieces, recall: undefined };
    const outlived = countOutlived(facts, nowMs(), request.fields.model);
    const isBaseLong = baseLife === "price" ? isBaseWorthAnHour({ isHourWritten: false, outlived }) : baseLife === "1h";
    const recall = createRecallService({
      request,
      pieces,
      store,
      left,
      isBaseLong,
      keep: (recalled) =>
        oneByOne(session, async () => {
          const known = memories.find(session)?.ledger ?? ledger;
          const kept = await within(KEEP_TIMEOUT_MS, keepRecalled(recalled, session, known, store));
          const memory = memories.find(session);
          if (kept && memory) memories.keep(hint, { ...memory, ledger: kept });
          return kept !== undefined;
        }).catch(() => false),
    });
    return { pieces: addTool(pieces, { request, isBaseLong }), recall };
  };

  const settle = (incoming: Incoming, decided: Decided): Prepared => {
    const { request, session, hint, isCompaction } = incoming;
    const { facts, edits, incidents } = decided;
    const { model } = request.fields;
    const outlived = countOutlived(facts, nowMs(), model);
    let final = decided;
    if (isCompaction && options.compaction === "trim") {
      const { messages: view } = planner.planHarder(decided.replayed.view, model);
      final = { ...decided, replayed: { ...decided.replayed, view } };
    }
    const isFollowed = !isCompaction && !incoming.isCount;
    const remember = ({ replayed, ledger, rest }: Decided): void => {
      if (isFollowed) memories.keep(hint, { session, request, replayed, ledger, facts, rest });
    };
    remember(final);
    const leave = (made: Decided) => ({ ...serve(incoming, made), ...weighSaving(made.replayed, model) });
    const whole = { pieces: [request.bytes], recall: undefined, tokensBefore: 0, tokensAfter: 0 };
    const { decisions, dropped } = decided.replayed;
    const prepared: Prepared = {
      ...(incoming.mayRecall ? leave(final) : whole),
      session,
      model,
      isCompaction,
      edits,
      replayed: decisions.length - edits.length - dropped.length,
      dropped: dropped.length,
      planMs: performance.now() - incoming.startMs,
      incidents,
      compact: () => oneByOne(session, () => compactConversation(incoming, decided, options)).catch(() => undefined),
      react: (status, body) =>
        oneByOne(session, async () => {
          const reacted = parseOverflow(status, body) ? await react(incoming, final) : undefined;
          if (!reacted) return undefined;
          final = reacted;
          remember(reacted);
          return { ...prepared, ...leave(reacted), edits: reacted.edits };
        }),
      finish(usage) {
        const memory = isFollowed ? memories.find(session) : undefined;
        if (!memory) return;
        const { view, messages } = final.replayed;
        const sent = { messages, view, viewTokens: planner.weigh(view, model), outlived };
        const next = advanceFacts(facts, { ...sent, model, atMs: nowMs(), usage });
        store.saveFacts(session, next);
        memories.keep(hint, { ...memory, facts: next });
      },
    };
    return prepared;
  };
  const weighSaving = ({ messages, view }: ReplayedView, model: string) => {
    if (messages === view) return { tokensBefore: 0, tokensAfter: 0 };
    const weigh = (all: readonly Message[]): number => Math.round(planner.weigh(all, model));
    return { tokensBefore: weigh(messages), tokensAfter: weigh(view) };
  };

  return {
    remembered: memories.size,
    forget: memories.shrink,
    async prepare(came, sender, { purpose, wire = messagesWire, usage, queuedMs = 0 }) {
      const beginMs = performance.now();
      const { expand } = wire.compaction;
      // No await if there is nothing to wait for: reading is the heavy piece of the slice that it was begun in.
      const bytes = expand ? await expand(came, { user: sender.user, readOriginal }) : came;
      const hint = renderHint(bytes, sender, wire);
      const budget = createWorkBudget(coldPlans > 0 ? COLD_TIMES * budgetMs : budgetMs);
      const guessed = memories.guess(hint, bytes);
      const request = budget.count(() => parseRequest(bytes, guessed?.request, wire));
      if (!request) return createUnchanged(bytes, [], beginMs);
      const { session, answers } = identifySession(request, sender);
      const carried = await readCarried(request, sender.user);
      const parseMs = performance.now() - beginMs;
      return oneByOne(session, async () => {
        // Waiting for the previous request does not count as planning.
        const startMs = performance.now() - parseMs;
        const memory = memories.find(session);
        const isCompaction = wire.isCompaction(request, sender.headers);
        const isCount = purpose === "count";
        const { tools, toolChoice } = request.fields;
        const mayRecall = mayServeRecall({ hasTools: tools !== undefined, toolChoice });
        const isContinued = memory !== undefined && memory.request === guessed?.request;
        const mayDecide = mayRecall && !isCompaction && !isCount;
        const named = { request, session, user: sender.user, answers, carried };
        const matter = { ...named, memory, isContinued, mayDecide, budget, queuedMs };
        const decided = await decideTogether(matter, decider);
        if (!decided) return createUnchanged(bytes, ["away"], startMs);
        if (decided.edits.length > 0) coldPlans--;
        const prepared = settle({ ...named, hint, isCompaction, isCount, mayRecall, startMs }, decided);
        if (usage) prepared.finish(usage);
        return prepared;
      });
    },
  };
}

const HINT_BYTES = 1024;

/** A key to find the last request of the same conversation before this one is parsed. */
function renderHint(bytes: Buffer, { user, headers }: Sender, wire: Wire): string {
  const { session, agent } = findNames(headers, wire);
  return session === "" ? `${user} ${bytes.toString("latin1", 0, HINT_BYTES)}` : `${user} ${session} ${agent}`;
}

/** Requests of one conversation are decided one after another; different conversations do not wait for each other. */
export function createSessionQueue(): <Value>(session: string, work: () => Promise<Value>) => Promise<Value> {
  const last = new Map<string, Promise<unknown>>();
  return async (session, work) => {
    const before = last.get(session);
    const done = before === undefined ? work() : before.then(work, work);
    last.set(session, done);
    try {
      return await done;
    } finally {
      if (last.get(session) === done) last.delete(session);
    }
  };
}
