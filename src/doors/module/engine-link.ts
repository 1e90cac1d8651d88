import type { JsonObject } from "../../core/json.ts";
import type { ModuleApi, Next } from "./module-api.ts";
import { ENGINE_FORMAT } from "./names.ts";
import { type Op, performAll, setLine } from "./perform-ops.ts";
import { rule } from "./rule.ts";
import { placeStatus } from "./screen.ts";
import { settleWithin, whenStopped } from "./wait.ts";

/** The engine's process. Only its own standard output says where it listens, and only the client reads that. */
interface Engine {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  /** What the client is to offer: without an engine there is no tool and no command. */
  readonly tool: JsonObject;
  readonly commands: readonly JsonObject[];
  /** Resolves when it has ended or is given up. */
  readonly gone: Promise<undefined>;
  isGone: boolean;
  /** Events that were sent to it: it takes them in their order, however they arrive. */
  sent: number;
}

/** One event for the engine; `isPassed` if the client has already carried on with it, and then with which result. */
interface Raised {
  readonly event: string;
  readonly e: JsonObject;
  readonly isPassed?: boolean;
  readonly result?: unknown;
  /** An earlier engine has seen it. */
  readonly isAgain?: boolean;
}

/** How long the client waits for an engine that hangs; then it is given up, so this is paid once. A busy machine is no hang: folding 16 MB there was seen to take seconds. */
const LIMIT_S: Readonly<Record<string, number>> & { readonly start: number } = { start: 10, "session.end": 3 };
const OTHER_LIMIT_S = 15;
/** Rows that nothing depends on travel together. */
const GATHER_MS = 150;
/** Rows that a restarted engine is told again; it saves every two seconds. */
const MOST_UNSAVED = 500;

const UNREADABLE = "its engine said what cannot be read";
/** Told to end, as the client does before it says that the session ends: no crash, and no news. */
const LEFT = "it was told to end";

let starting: Promise<Engine | undefined> | undefined;
let running: Engine | undefined;
let crashes = 0;
let isOff = false;
let isLeaving = false;
let waiting: Raised[] = [];
let gathering: ReturnType<typeof setTimeout> | undefined;
let unsaved: { readonly at: number; readonly raised: Raised }[] = [];

/** Starts the engine of this process, once; nothing has to wait for it. `undefined` if there is none. */
export function startEngine($: ModuleApi): Promise<Engine | undefined> {
  starting ??= settleWithin(start($), LIMIT_S.start).then(async (engine) => {
    if (engine === undefined) await giveUp($, "its engine did not start");
    return engine;
  });
  return starting;
}

/** One that crashes before it listens has an heir. */
function start($: ModuleApi): Promise<Engine | undefined> {
  return new Promise((resolve) => {
    void follow($, resolve).then(async (problem) => resolve(await onEnded($, problem)));
  });
}

/** The client ends: what happens to the engine now is no news. */
export function leaveEngine(): void {
  isLeaving = true;
}

/** Reads what the engine says by itself, up to its end; returns what was wrong, if that is known. */
async function follow($: ModuleApi, listen: (engine: Engine) => void): Promise<string | undefined> {
  const [node] = await Promise.all([findNode($), avoidProxy($)]);
  let problem: string | undefined = `it needs Node 20 or later, and "${node}" could not be started`;
  let engine: Engine | undefined;
  let hasLeft = false;
  let leave = (): void => undefined;
  const gone = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined);
  });
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
        if (message.problem !== undefined) return message.problem;
        if (message.isLeaving) {
          hasLeft = true;
          if (engine !== undefined) engine.isGone = true;
          continue;
        }
        if (message.ops !== undefined) void answerAside($, message);
        else if (message.format !== ENGINE_FORMAT) return "it was updated during this session, so start a new one";
        else {
          const found: Engine = { ...message, gone, isGone: false, sent: 0 };
          engine = found;
          running = found;
          listen(found);
        }
      }
    }
  } catch {
    problem ??= UNREADABLE;
  } finally {
    if (engine !== undefined) engine.isGone = true;
    leave();
  }
  return hasLeft ? LEFT : problem;
}

/** A proxy must never see what goes to the engine: for the client, this machine's own address is no exception. */
async function avoidProxy($: ModuleApi): Promise<void> {
  const [given, ...proxies] = await Promise.all([
    $.env.get("no_proxy").then(async (small) => small || (await $.env.get("NO_PROXY")) || ""),
    $.env.get("http_proxy"),
    $.env.get("HTTP_PROXY"),
    $.env.get("all_proxy"),
    $.env.get("ALL_PROXY"),
  ]);
  const hosts = given.split(/[\s,]+/).filter((host) => host !== "");
  if (!proxies.some((proxy) => proxy) || hosts.includes("*")) return;
  const direct = [...new Set([...hosts, "127.0.0.1"])].join(",");
  await $.env.set("no_proxy", direct);
  await $.env.set("NO_PROXY", direct);
}

/** The Node that `plimsoll install` wrote down, since a client that was not started from a shell may not find one. */
async function findNode($: ModuleApi): Promise<string> {
  const [moved, home] = await Promise.all([$.env.get("CLAUDE_CONFIG_DIR"), $.env.get("HOME")]);
  const noted = await $.fs.read(`${moved ?? `${home}/.claude`}/data/plimsoll/node`).catch(() => "");
  return noted.trim() || "node";
}

/** A process that crashed is started again, once. */
async function onEnded($: ModuleApi, problem: string | undefined): Promise<Engine | undefined> {
  if (isOff || isLeaving) return undefined;
  if ((problem === undefined || problem === LEFT) && ++crashes === 1) {
    await setLine($, undefined);
    starting = undefined;
    // Needed again only if the session goes on.
    return problem === LEFT ? undefined : startEngine($);
  }
  await giveUp($, problem ?? "its engine crashed twice");
  return undefined;
}

/** The session goes on as without us, and the person is told so once. An engine that hangs is not started again: it could cost its limit again. */
async function giveUp($: ModuleApi, problem: string): Promise<void> {
  if (isOff) return;
  isOff = true;
  starting = Promise.resolve(undefined);
  waiting = [];
  unsaved = [];
  // A polite signal does not reach a process that hangs.
  if (running?.isGone === false) void $.process.run(["kill", "-9", String(running.pid)]).catch(() => undefined);
  if (running !== undefined) running.isGone = true;
  if (isLeaving) return;
  await setLine($, undefined);
  placeStatus($, { text: undefined });
  $.ui.log(`Plimsoll is off in this session, and Claude Code goes on without it: ${problem}. Run: plimsoll doctor`);
}

/** Events that the person has stopped: the engine waits neither for them nor for their answers. */
let stopped: { readonly at: number; readonly upTo: number }[] = [];

/** Hands the engine an event and does what it asks for. `undefined` if that failed before the client carried on: it then does so alone. */
export async function askEngine(
  $: ModuleApi,
  next: Next,
  raised: Raised,
): Promise<{ readonly value: unknown } | undefined> {
  if (starting === undefined && raised.event === "session.end") return undefined;
  const engine = await startEngine($);
  if (engine === undefined || engine.isGone) return undefined;
  const events = gather(engine, raised);
  const { sent } = engine;
  let kept = raised.e;
  let below: Promise<unknown> | undefined = raised.isPassed ? Promise.resolve(raised.result) : undefined;
  const carryOn = async (e: JsonObject): Promise<unknown> => {
    kept = e;
    below = next(e);
    const result = await below;
    return raised.event === "session.append" ? true : result;
  };
  const settle = async (): Promise<{ readonly value: unknown } | undefined> => below && { value: await below };
  const at = sent - events.length;
  const { signal } = next;
  try {
    for (let body: object = { at, events }; ; ) {
      const told = stopped;
      stopped = [];
      const reply = await post($, engine, { ...body, stopped: told }, { event: raised.event, signal });
      const answers = reply && (await Promise.race([performAll($, carryOn, reply.ops), whenStopped(signal)]));
      if (signal.aborted && !reply?.isDone) stopped = [...stopped, ...told, { at, upTo: sent }];
      if (reply === undefined || answers === undefined) return await settle();
      if (reply.isDone) {
        Object.assign(rule, reply.rule);
        unsaved = unsaved.filter((row) => row.at > rule.saved);
        return reply.isSame ? await settle() : { value: reply.value };
      }
      body = { of: reply.of, answers };
    }
  } finally {
    if (below !== undefined) keep(sent, { ...raised, e: kept, isPassed: true });
  }
}

/** Hands the engine an event that nothing waits for, with the next that something does wait for. */
export function tellEngine($: ModuleApi, next: Next, raised: Raised): void {
  if (isOff) return;
  waiting.push(raised);
  gathering ??= setTimeout(() => {
    const last = waiting.pop();
    if (last !== undefined) void askEngine($, next, last).catch(() => undefined);
  }, GATHER_MS);
}

/** What goes to the engine with an event: the rows before it, and to a restarted one first what it had not saved. */
function gather(engine: Engine, raised: Raised): readonly Raised[] {
  const isRestarted = crashes > 0 && engine.sent === 0;
  const told = waiting;
  waiting = [];
  clearTimeout(gathering);
  gathering = undefined;
  // One that never saved anything reads the conversation itself.
  const again = isRestarted && rule.saved > 0 ? unsaved.map(({ raised: row }) => ({ ...row, isAgain: true })) : [];
  const restart = { event: "engine.restart", e: { opening: rule.opening } };
  const events = [...(isRestarted ? [restart] : []), ...again, ...told, raised];
  engine.sent += events.length;
  if (isRestarted) {
    rule.saved = 0;
    unsaved = [];
    for (const one of again) keep(engine.sent, one);
  }
  for (const one of told) keep(engine.sent, one);
  return events;
}

function keep(at: number, raised: Raised): void {
  if (raised.event === "session.end") unsaved = [];
  else if (raised.event === "session.append" && at > rule.saved && !isOff)
    unsaved = [...unsaved, { at, raised }].slice(-MOST_UNSAVED);
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

interface Posted {
  readonly event: string;
  readonly signal?: AbortSignal;
}

/** `undefined` if the person has stopped the event, or if the engine is lost: another process may have its port by then, so nothing is sent to one that has ended. */
async function post($: ModuleApi, engine: Engine, body: object, { event, signal }: Posted): Promise<Reply | undefined> {
  if (engine.isGone) return undefined;
  const init = { method: "POST", headers: { authorization: engine.token }, body: JSON.stringify(body) };
  const answering = $.http.fetch(`http://127.0.0.1:${engine.port}/`, init).catch(() => engine.gone);
  const limitS = LIMIT_S[event] ?? OTHER_LIMIT_S;
  const answered = await settleWithin(Promise.race([answering, engine.gone, whenStopped(signal)]), limitS);
  if (answered === undefined) {
    if (!engine.isGone && !signal?.aborted) await giveUp($, `its engine did not answer for ${limitS} seconds`);
    return undefined;
  }
  try {
    if (answered.status === 200) return JSON.parse(answered.text);
  } catch {
    // Reported below.
  }
  await giveUp($, UNREADABLE);
  return undefined;
}

/** What the engine wants outside of an event. */
async function answerAside($: ModuleApi, { of, ops }: Reply): Promise<void> {
  const answers = await performAll($, async () => undefined, ops);
  if (of !== undefined && running !== undefined) await post($, running, { of, answers }, { event: "" });
}
