import type { JsonObject } from "../../core/json.ts";
import type { ModuleApi, Next } from "./module-api.ts";
import { ENGINE_FORMAT } from "./names.ts";
import { type Op, performAll, setLine } from "./perform-ops.ts";
import { placeStatus } from "./screen.ts";

/** The engine's process. Only its own standard output says where it listens, and only the client reads that. */
interface Engine {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  /** Events that were sent to it: it takes them in their order, however they arrive. */
  sent: number;
}

/** One event for the engine; `isPassed` if the client has already carried on with it, and then with which result. */
export interface Raised {
  readonly event: string;
  /** Its place among all that were sent to the engine. */
  at?: number;
  /** As the client has carried on with it. */
  e: JsonObject;
  readonly isPassed?: boolean;
  readonly result?: unknown;
  /** An earlier engine has seen it. */
  readonly isAgain?: boolean;
}

/** How long the client waits for an engine that hangs; then it is given up, so this is paid once. A busy machine is no hang: folding 16 MB there was seen to take seconds. */
const START_LIMIT_S = 10;
const END_LIMIT_S = 3;
const LIMIT_S = 15;
/** Rows that nothing depends on travel together. */
const GATHER_MS = 150;
/** Rows that a restarted engine is told again; it saves every two seconds. */
const MOST_UNSAVED = 500;

const UNREADABLE = "its engine cannot be read";

interface Rule {
  readonly holdsRows?: boolean;
  /** Tools whose calls wait; without it, all. */
  readonly heldTools?: readonly string[] | null;
  readonly foldFrom: number;
  readonly isRestating?: boolean;
  readonly opening?: string | null;
  saved: number;
  /** Tools that wait behind the client's tool search. */
  readonly deferred: readonly string[];
}

/** What the engine wants to be asked before the client carries on, and what it has saved. Until it has said so, prompts, results and calls wait for it. */
export const rule: Rule = { foldFrom: 0, saved: 0, deferred: [] };

let starting: Promise<Engine | undefined> | undefined;
/** The one that listens; none once it leaves or is given up. */
let running: Engine | undefined;
/** Resolves when the process that was started last has ended. */
let ended: Promise<unknown>;
let crashes = 0;
let isOff = false;
/** The client ends: what happens to the engine now is no news. */
let isLeaving = false;
let waiting: Raised[] = [];
let gathering: ReturnType<typeof setTimeout> | undefined;
let unsaved: Raised[] = [];
/** Events that the person has stopped: the engine waits neither for them nor for their answers. */
let stopped: { readonly at: number; readonly upTo: number }[] = [];

/** Starts the engine of this process, once; nothing has to wait for it. `undefined` if there is none. */
export function startEngine($: ModuleApi): Promise<Engine | undefined> {
  starting ??= new Promise((resolve) => {
    const late = setTimeout(() => giveUp($, "it did not start").then(listen), START_LIMIT_S * 1000);
    const listen = (): void => {
      clearTimeout(late);
      resolve(running);
    };
    ended = follow($, listen);
    void ended.then(listen, listen);
  });
  return starting;
}

/** Reads what the engine says by itself, up to its end. */
async function follow($: ModuleApi, listen: () => void): Promise<void> {
  isOff ||= !!(await $.env.get("PLIMSOLL_OFF"));
  if (isOff) return;
  const node = await findNode($);
  let problem: string | undefined = `it needs Node 20 or later, and "${node}" could not be started`;
  let rest = "";
  try {
    for await (const { stream, text } of $.process.spawn({ argv: [node, `${$.plugin.root}/engine/engine.cjs`] })) {
      problem = undefined;
      // Leaving the loop ends the process, too.
      if (isOff) break;
      if (stream !== "stdout") continue;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const message of lines.map((line) => JSON.parse(line))) {
        if (message.ops) void answerAside($, message);
        else if (message.isLeaving) running = undefined;
        else if (message.format !== ENGINE_FORMAT)
          return giveUp($, message.problem ?? "it was updated, so start a new session");
        else {
          await performAll($, message.offers);
          running = { ...message, sent: 0 };
          listen();
        }
      }
    }
  } catch {
    problem ??= UNREADABLE;
  }
  running = undefined;
  if (isOff || isLeaving) return;
  if (problem || ++crashes > 1) return giveUp($, problem ?? "its engine crashed twice");
  // What crashed, or was told to end, is started again with the next event, once.
  // A new one learns the client's own values by inheriting them.
  await setLine($);
  starting = undefined;
}

/** The Node that `plimsoll install` wrote down, since a client that was not started from a shell may not find one. */
async function findNode($: ModuleApi): Promise<string> {
  const folder = (await $.env.get("CLAUDE_CONFIG_DIR")) ?? `${await $.env.get("HOME")}/.claude`;
  const noted = await $.fs.read(`${folder}/data/plimsoll/node`).catch(() => "");
  return noted.trim() || "node";
}

/** The session goes on as without us, and the person is told so once. An engine that hangs is not started again: it could cost its limit again. */
async function giveUp($: ModuleApi, problem: string): Promise<void> {
  if (isOff) return;
  isOff = true;
  waiting = [];
  unsaved = [];
  // A polite signal does not reach a process that hangs.
  if (running) void $.process.run(["kill", "-9", String(running.pid)]).catch(() => undefined);
  running = undefined;
  if (isLeaving) return;
  await setLine($);
  placeStatus($, { text: undefined });
  $.ui.log(`Plimsoll is off in this session, and Claude Code goes on without it: ${problem}. Run: plimsoll doctor`);
}

/** Hands the engine an event, does what it asks for, and returns its answer. Where that fails before the client has carried on, it does so alone. */
export async function askEngine(
  $: ModuleApi,
  next: Next,
  raised: Raised,
  alone: (e: JsonObject) => unknown = next,
): Promise<unknown> {
  let below: Promise<unknown> | undefined = raised.isPassed ? Promise.resolve(raised.result) : undefined;
  const isEnd = raised.event === "session.end";
  // A `/clear` ends a session too, and the process goes on under another id.
  if (isEnd) isLeaving = !["clear", "resume"].includes(String(raised.e.reason));
  const engine = isEnd ? running : ((await startEngine($)) ?? (await startEngine($)));
  if (!engine || engine !== running) {
    if (isEnd) unsaved = [];
    return below ?? alone(raised.e);
  }
  const at = engine.sent;
  const events = gather(engine, raised);
  const carryOn = async (e: JsonObject): Promise<unknown> => {
    raised.e = e;
    below = next(e);
    const result = await below;
    return raised.event === "session.append" ? true : result;
  };
  const { signal } = next;
  const converse = async (): Promise<Reply | undefined> => {
    for (let body: object = { at, events }; ; ) {
      const sent = stopped;
      const reply = await post($, engine, { ...body, stopped: sent }, isEnd ? END_LIMIT_S : LIMIT_S, signal);
      if (!reply) return;
      stopped = stopped.filter((one) => !sent.includes(one));
      const answers = await performAll($, reply.ops, carryOn);
      if (reply.isDone) return reply;
      body = { of: reply.of, answers };
    }
  };
  // Whatever a hook asks of the client after the person has stopped its event is never answered.
  const whenStopped = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });
  const reply = await Promise.race([converse(), whenStopped]);
  if (reply) {
    Object.assign(rule, reply.rule);
    unsaved = unsaved.filter((row) => Number(row.at) > rule.saved).slice(-MOST_UNSAVED);
    if (!reply.isSame) return reply.value;
  } else if (signal.aborted) {
    stopped.push({ at, upTo: at + events.length });
    // What the client had carried on with was not stopped, and may not have been sent.
    waiting = [...events.filter((one) => one.isPassed), ...waiting];
  }
  return below ?? alone(raised.e);
}

/** Hands the engine an event that nothing waits for, with the next that something does wait for. */
export function noteEvent($: ModuleApi, next: Next, raised: Raised): void {
  if (isOff) return;
  waiting.push({ ...raised, isPassed: true });
  gathering ??= setTimeout(() => {
    const last = waiting.pop();
    if (last) void askEngine($, next, last).catch(() => undefined);
  }, GATHER_MS);
}

/** What goes to the engine with an event: the rows before it, and to a restarted one first what it had not saved. */
function gather(engine: Engine, raised: Raised): readonly Raised[] {
  const events = [...waiting, raised];
  waiting = [];
  clearTimeout(gathering);
  gathering = undefined;
  if (crashes && engine.sent === 0) {
    // One that never saved anything reads the conversation itself.
    const again = rule.saved ? unsaved.map((row) => ({ ...row, isPassed: true, isAgain: true })) : [];
    events.unshift({ event: "engine.restart", e: { opening: rule.opening } }, ...again);
    unsaved = [];
    rule.saved = 0;
  }
  for (const one of events) {
    one.at = ++engine.sent;
    if (one.event === "session.append") unsaved.push(one);
    if (one.event === "session.end") unsaved = [];
  }
  return events;
}

interface Reply {
  readonly of: number;
  readonly ops: readonly Op[];
  readonly isDone?: boolean;
  /** The answer is what the client has answered. */
  readonly isSame?: boolean;
  readonly value?: unknown;
  readonly rule?: Partial<typeof rule>;
}

/** `undefined` if the engine is lost, or the person has stopped the event. Another process may have the port of one that has ended, so nothing is sent there. */
async function post(
  $: ModuleApi,
  engine: Engine,
  body: object,
  limitS: number,
  signal?: AbortSignal,
): Promise<Reply | undefined> {
  if (engine !== running) return;
  const gone = ended.then(() => undefined);
  const init = { method: "POST", headers: { authorization: engine.token }, body: JSON.stringify(body) };
  const answering = $.http.fetch(`http://127.0.0.1:${engine.port}/`, init).catch(() => gone);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitS * 1000);
  });
  const answered = await Promise.race([answering, gone, late]).finally(() => clearTimeout(timer));
  try {
    if (answered?.status === 200) return JSON.parse(answered.text);
  } catch {
    // Said below.
  }
  if (engine === running && !signal?.aborted)
    await giveUp($, answered ? UNREADABLE : `it did not answer for ${limitS} seconds`);
  return undefined;
}

/** What the engine wants outside of an event. */
async function answerAside($: ModuleApi, { of, ops }: Reply): Promise<void> {
  const engine = running;
  const answers = await performAll($, ops);
  if (engine) await post($, engine, { of, answers }, LIMIT_S);
}
