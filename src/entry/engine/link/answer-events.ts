import { isObject, type JsonObject, listField, numberField, objectField, textField } from "../../../core/json.ts";
import type { CarryOn, ClientPort } from "../client-port.ts";
import { describeRule, handleEvent, leaveSession, noteFailure, openEngine, saveSession } from "../events.ts";
import { createAsideExchange, createExchange, type EventExchange, type ExchangeReply } from "./exchange.ts";
import { say } from "./say.ts";

const engine = openEngine();
/** By the place of their first event. */
const open = new Map<number, EventExchange>();
const FORGET_MS = 600_000;
/** What the client has already carried on with is followed in its order, and before any later event is answered. */
let followed: Promise<unknown> = Promise.resolve();

const ASIDE = -1;
const aside = createAsideExchange(ASIDE, say);
open.set(ASIDE, aside);

/** Events that came before one that was sent earlier: connections are not equally quick. */
const early = new Map<number, () => void>();
let taken = 0;

/** Takes events in the order in which the module has sent them. */
async function begin(at: number, events: readonly JsonObject[]): Promise<EventExchange> {
  if (at > taken) await new Promise<void>((resolve) => early.set(at, resolve));
  const exchange = createExchange(at, say, aside.client.model);
  open.set(at, exchange);
  const upTo = at + events.length;
  void answerAll(exchange, events, upTo).then((outcome) => {
    exchange.end(outcome);
    // Its last wishes may still be on their way.
    setTimeout(() => open.delete(at), FORGET_MS).unref();
  });
  advance(upTo);
  return exchange;
}

/** What the person has stopped may have been stopped on its way to us: later events do not wait for it. */
const stopped = new Map<number, number>();

function advance(upTo: number): void {
  taken = Math.max(taken, upTo);
  early.get(taken)?.();
  early.delete(taken);
  const next = stopped.get(taken);
  stopped.delete(taken);
  if (next !== undefined) advance(next);
}

function stop({ at, upTo }: JsonObject): void {
  if (typeof at !== "number" || typeof upTo !== "number") return;
  open.get(at)?.stop();
  if (at < taken) return;
  stopped.set(at, upTo);
  advance(taken);
}

async function answerAll(
  exchange: EventExchange,
  events: readonly JsonObject[],
  upTo: number,
): Promise<Partial<ExchangeReply>> {
  const last = events.at(-1);
  if (last === undefined) return { isSame: true };
  const hasRows = events.some(isRow);
  if (hasRows) rowsUnderWay.add(upTo - events.length);
  const asked = last.isPassed === true ? undefined : last;
  const passed = asked === undefined ? events : events.slice(0, -1);
  followed = followed.then(async () => {
    for (const one of passed) await answerOne(exchange, one);
  });
  await followed;
  const answer = asked === undefined ? { isSame: true } : await answerOne(exchange, asked);
  rowsUnderWay.delete(upTo - events.length);
  // What a window begins with must be known to whoever goes on from here.
  if (isRow(last) && objectField(last, "e")?.door === "prompt") await save();
  else saveSoon();
  return { ...answer, rule: { ...(await describeRule(engine)), saved } };
}

const isRow = (raised: JsonObject): boolean => textField(raised, "event") === "session.append";

async function answerOne(exchange: EventExchange, raised: JsonObject): Promise<Partial<ExchangeReply>> {
  const event = textField(raised, "event");
  const isPassed = raised.isPassed === true;
  const next: CarryOn = isPassed ? async () => raised.result : exchange.next;
  try {
    const own = isPassed ? notWaiting(exchange.client) : exchange.client;
    const client = raised.isAgain === true ? muted(own) : own;
    const value = await handleEvent(engine, client, event, objectField(raised, "e") ?? {}, next);
    const isSame = value === (isPassed ? raised.result : exchange.below());
    return isSame ? { isSame } : { value };
  } catch {
    // Only what the client itself could not carry out: the module knows that failure better.
    return { isSame: true };
  }
}

/** A row that we add may wait for its own answer, and that for all that is followed: so nothing there waits for the row. */
function notWaiting(client: ClientPort): ClientPort {
  const append: ClientPort["session"]["append"] = async (row) => {
    client.session.append(row).catch((error: unknown) => noteFailure(engine, "session.append", error));
  };
  return { ...client, session: { ...client.session, append } };
}

/** What followed from a row that an earlier process has seen, was said then. */
function muted(client: ClientPort): ClientPort {
  const nothing = async (): Promise<undefined> => undefined;
  return {
    ...client,
    session: { ...client.session, append: nothing },
    ui: { ...client.ui, log: () => undefined },
  };
}

/** Posts with rows that are being answered, by how many events came before them. */
const rowsUnderWay = new Set<number>();
/** Up to which event the saved state goes: the module tells a restarted engine what came later. */
let saved = 0;
let isSaveDue = false;
const SAVE_MS = 2_000;

/** At once when a session begins, so that a restarted engine knows that it has begun. */
function saveSoon(): void {
  if (isSaveDue) return;
  isSaveDue = true;
  const due = setTimeout(
    () => {
      isSaveDue = false;
      void save();
    },
    saved === 0 ? 0 : SAVE_MS,
  );
  due.unref();
}

async function save(): Promise<void> {
  const upTo = Math.min(taken, ...rowsUnderWay);
  await saveSession(engine).then(
    () => {
      saved = upTo;
    },
    () => undefined,
  );
}

/** Answers what the module has posted: events, or what the client did of what it was asked. */
export async function take(body: JsonObject): Promise<ExchangeReply> {
  for (const event of listField(body, "stopped").filter(isObject)) stop(event);
  if (typeof body.of !== "number")
    return (await begin(numberField(body, "at") ?? 0, listField(body, "events").filter(isObject))).reply();
  const exchange = open.get(body.of);
  if (exchange === undefined) throw new Error("there is no such exchange");
  const reply = exchange.reply();
  exchange.answer(listField(body, "answers"));
  return reply;
}

/** A disk that hangs must not keep the process. */
const LEAVE_MS = 2_000;

/** What is left to do is done without the client. */
const gone = (): Promise<never> => Promise.reject(new Error("the client has ended"));
const NO_CLIENT: ClientPort = {
  plugin: { root: "" },
  session: { id: gone, root: gone, model: gone, messages: gone, usage: gone, version: gone, append: gone },
  model: { fork: gone, forkAside: gone },
  ui: { status: () => undefined, log: () => undefined, line: () => undefined, ask: gone },
};
let isLeaving = false;

/** The client ends, and so does its session. */
export async function leave(): Promise<void> {
  if (isLeaving) return;
  isLeaving = true;
  setTimeout(() => process.exit(0), LEAVE_MS);
  say({ isLeaving: true });
  await leaveSession(engine, NO_CLIENT);
  process.exit(0);
}
