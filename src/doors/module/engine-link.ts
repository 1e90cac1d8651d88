import type { JsonObject } from "../../core/json.ts";
import type { ModuleApi, Next } from "./module-api.ts";
import { placeStatus, type ShownStatus } from "./screen.ts";

/** Where the engine listens. Only its own standard output says so, and only the client reads that. */
interface Address {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

/** One event for the engine; `isPassed` if the client has already carried on with it, and then with which result. */
interface Raised {
  readonly event: string;
  readonly e: JsonObject;
  readonly isPassed?: boolean;
  readonly result?: unknown;
}

/** What the engine wants to be asked before the client carries on. Until it has said so, about everything. */
export const rule = { holdsRows: true, holdsCalls: true, foldFrom: 0, isRetelling: false };

/** What the client's own values are, and whether the engine has set others to start a compaction. */
const line: { window?: string | undefined; percent?: string | undefined; isLowered: boolean } = { isLowered: false };

const START_MS = 10_000;
/** A hung engine costs at most this, once. */
const LIMIT_MS: Readonly<Record<string, number>> = { "session.compact": 30_000, "session.end": 3_000 };
const OTHER_LIMIT_MS = 5_000;
const MOST_RESTARTS = 1;
/** Rows that nothing depends on travel together. */
const GATHER_MS = 150;

let engine: Promise<Address | undefined> | undefined;
let restarts = 0;
let isOver = false;
let waiting: Raised[] = [];
let gathering: ReturnType<typeof setTimeout> | undefined;

/** Starts the engine of this process, once; nothing has to wait for it. */
export function startEngine($: ModuleApi): Promise<Address | undefined> {
  engine ??= new Promise((resolve) => {
    void follow($, resolve).then((problem) => {
      resolve(undefined);
      return onEnded($, problem);
    });
  });
  return engine;
}

export const isLineLowered = (): boolean => line.isLowered;

/** The client ends: what happens to the engine now is no news. */
export function leaveEngine(): void {
  isOver = true;
}

/** Reads what the engine says by itself, up to its end; returns what was wrong. */
async function follow($: ModuleApi, listen: (address: Address) => void): Promise<string> {
  let problem = "its process ended";
  let rest = "";
  try {
    const [node] = await Promise.all([findNode($), prepare($)]);
    const argv = [node, `${$.plugin.root}/engine/engine.cjs`];
    for await (const { stream, text } of $.process.spawn({ argv })) {
      if (stream !== "stdout") continue;
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const message of lines.filter((one) => one !== "").map((one) => JSON.parse(one))) {
        if (message.problem !== undefined) problem = message.problem;
        else if (message.port === undefined) void answer($, message);
        else listen({ url: `http://127.0.0.1:${message.port}/`, token: message.token, pid: message.pid });
      }
    }
  } catch (error) {
    problem = error instanceof Error ? error.message : String(error);
  }
  return problem;
}

/** What the client's own values are, before the first of ours. A proxy must never see what goes to the engine: for the client, this machine's own address is no exception. */
async function prepare($: ModuleApi): Promise<void> {
  const [window, percent, ...proxies] = await Promise.all([
    $.env.get("CLAUDE_CODE_AUTO_COMPACT_WINDOW"),
    $.env.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"),
    $.env.get("http_proxy"),
    $.env.get("HTTP_PROXY"),
    $.env.get("all_proxy"),
    $.env.get("ALL_PROXY"),
  ]);
  Object.assign(line, { window, percent });
  if (!proxies.some((proxy) => proxy)) return;
  const direct = (await $.env.get("no_proxy")) || (await $.env.get("NO_PROXY")) || "";
  if (direct.split(/[\s,]+/).some((host) => host === "127.0.0.1" || host === "*")) return;
  const more = direct === "" ? "127.0.0.1" : `${direct},127.0.0.1`;
  await $.env.set("no_proxy", more);
  await $.env.set("NO_PROXY", more);
}

/** The Node that `plimsoll install` wrote down, since a client that was not started from a shell may not find one. */
async function findNode($: ModuleApi): Promise<string> {
  const [moved, home] = await Promise.all([$.env.get("CLAUDE_CONFIG_DIR"), $.env.get("HOME")]);
  const noted = await $.fs.read(`${moved ?? `${home}/.claude`}/data/plimsoll/node`).catch(() => "");
  return noted.trim() || "node";
}

/** The session goes on as without us after a second failure, and the person is told so once. */
async function onEnded($: ModuleApi, problem: string): Promise<void> {
  if (isOver) return;
  engine = undefined;
  await setLine($, undefined);
  if (++restarts <= MOST_RESTARTS && problem === "its process ended") {
    void startEngine($);
    return;
  }
  isOver = true;
  engine = Promise.resolve(undefined);
  placeStatus($, { text: undefined, isQuiet: false });
  $.ui.log(`Plimsoll is off in this session, which goes on without it: ${problem} · plimsoll doctor says what to do`);
}

/** Hands the engine an event and does what it asks for. `undefined` if there is no engine: the client then carries on alone. */
export async function askEngine(
  $: ModuleApi,
  next: Next,
  raised: Raised,
): Promise<{ readonly value: unknown } | undefined> {
  const address = await within(startEngine($), START_MS);
  if (address === undefined) return undefined;
  const events = [...gather(), raised];
  let result = raised.result;
  const carryOn = async (e: JsonObject): Promise<unknown> => {
    result = await next(e);
    return raised.event === "session.append" ? true : result;
  };
  try {
    let reply = await post($, address, { events }, raised.event);
    for (;;) {
      const answers = await perform($, carryOn, reply.ops);
      if (reply.isDone) break;
      reply = await post($, address, { of: reply.of, answers }, raised.event);
    }
    Object.assign(rule, reply.rule);
    return { value: reply.isSame ? result : reply.value };
  } catch (error) {
    void $.process.run(["kill", "-9", String(address.pid)]).catch(() => undefined);
    if (result !== undefined) return { value: result };
    throw error;
  }
}

/** Hands the engine an event that nothing waits for, with the next that something does wait for. */
export function tellEngine($: ModuleApi, next: Next, raised: Raised): void {
  waiting.push(raised);
  gathering ??= setTimeout(() => {
    const last = waiting.pop();
    if (last !== undefined) void askEngine($, next, last).catch(() => undefined);
  }, GATHER_MS);
}

function gather(): readonly Raised[] {
  const gathered = waiting;
  waiting = [];
  clearTimeout(gathering);
  gathering = undefined;
  return gathered;
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

async function post($: ModuleApi, { url, token }: Address, body: JsonObject | object, event: string): Promise<Reply> {
  const init = { method: "POST", headers: { authorization: token }, body: JSON.stringify(body) };
  const answered = await within($.http.fetch(url, init), LIMIT_MS[event] ?? OTHER_LIMIT_MS);
  if (answered?.status !== 200) throw new Error(answered === undefined ? "the engine hangs" : answered.text);
  return JSON.parse(answered.text);
}

/** What the engine wants outside of an event. */
async function answer($: ModuleApi, { of, ops }: Reply): Promise<void> {
  const answers = await perform($, async () => undefined, ops);
  const address = await engine;
  if (of !== undefined && address !== undefined) await post($, address, { of, answers }, "");
}

/** A name, and what its call takes: the engine and this module come from one folder, so neither checks the other. */
interface Op {
  readonly name: string;
  readonly text: string;
  readonly given: JsonObject;
  readonly status: ShownStatus;
  readonly line?: LineValues;
}

interface LineValues {
  readonly window: string;
  readonly percent: string;
}

/** In order; those that take long run next to each other. */
function perform(
  $: ModuleApi,
  next: (e: JsonObject) => Promise<unknown>,
  ops: readonly Op[],
): Promise<readonly object[]> {
  return Promise.all(
    ops.map(async (op) => {
      try {
        return { value: await performOne($, next, op) };
      } catch (error) {
        return { error: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}

/** Each call is spelled, because the client reads here what this module may do. */
function performOne($: ModuleApi, next: (e: JsonObject) => Promise<unknown>, op: Op): unknown {
  switch (op.name) {
    case "next":
      return next(op.given);
    case "id":
      return $.session.id();
    case "root":
      return $.session.root();
    case "model":
      return $.session.model();
    case "version":
      return $.session.version();
    case "usage":
      return $.session.usage();
    case "messages":
      return $.session.messages(op.given);
    case "append":
      return $.session.append(op.given);
    case "fork":
      return $.model.fork(op.given);
    case "ask":
      return $.ui.ask(op.text, op.given);
    case "log":
      return $.ui.log(op.text);
    case "status":
      return placeStatus($, op.status);
    case "line":
      return setLine($, op.line);
    default:
      throw new Error(`the engine asks for ${op.name}, which this module does not know`);
  }
}

/** Where the client compacts: before every request it reads both variables anew. Without values its own again. */
async function setLine($: ModuleApi, given: LineValues | undefined): Promise<void> {
  if (given === undefined && !line.isLowered) return;
  line.isLowered = given !== undefined;
  await $.env.set("CLAUDE_CODE_AUTO_COMPACT_WINDOW", given === undefined ? line.window : given.window);
  await $.env.set("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", given === undefined ? line.percent : given.percent);
}

/** `undefined` after the limit. */
async function within<Value>(work: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
