import path from "node:path";
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { ClientPort } from "../client-port.ts";

/** Something that the module does for the engine: its name, and what it takes. */
interface Op {
  readonly name: string;
  readonly text?: string;
  readonly given?: unknown;
  readonly status?: { readonly text: string; readonly hint: string | undefined };
  readonly line?: (LineValues & { readonly own: LineValues }) | undefined;
}

interface LineValues {
  readonly window: string | undefined;
  readonly percent: string | undefined;
}

export interface ExchangeReply {
  readonly of: number;
  readonly ops: readonly Op[];
  readonly isDone?: boolean;
  readonly isSame?: boolean;
  readonly value?: unknown;
  readonly rule?: JsonObject;
}

interface Asked {
  readonly op: Op;
  settle(answer: unknown): void;
}

/** One event of the client, from its arrival to its answer: the engine's wishes go out with each reply, and come back answered. */
export interface EventExchange {
  readonly client: ClientPort;
  /** Lets the client carry on with the event. */
  next(e: JsonObject): Promise<unknown>;
  /** What the client has answered, if it was asked to carry on. */
  below(): unknown;
  /** Resolves with what the module has to do next. */
  reply(): Promise<ExchangeReply>;
  answer(answers: readonly unknown[]): void;
  /** The person has stopped the event: what the client was asked, and is asked from now on, fails. */
  stop(): void;
  end(outcome: Partial<ExchangeReply>): void;
}

const STOPPED = "the person has stopped it";

/**
 * `sendAside` takes what is wanted after the event was answered, when no reply is left to put it into. `aside`: who asks for what no event
 * waits for; without one, this exchange itself.
 */
export function createExchange(
  of: number,
  sendAside: (reply: ExchangeReply) => void,
  aside?: ClientPort["model"],
): EventExchange {
  let wanted: Asked[] = [];
  let sent: readonly Asked[] = [];
  let outcome: Partial<ExchangeReply> | undefined;
  let waiting: ((reply: ExchangeReply) => void) | undefined;
  let isOver = false;
  let isStopped = false;
  let isFlushing = false;
  let below: unknown;

  const take = (): readonly Op[] => {
    sent = wanted;
    wanted = [];
    return sent.map(({ op }) => op);
  };

  // What is asked for in one turn of the loop travels together.
  const flush = (): void => {
    if (isFlushing) return;
    isFlushing = true;
    setImmediate(() => {
      isFlushing = false;
      if (isOver && wanted.length > 0 && sent.length === 0) return sendAside({ of, ops: take() });
      if (waiting === undefined || (wanted.length === 0 && outcome === undefined)) return;
      const resolve = waiting;
      waiting = undefined;
      isOver = outcome !== undefined;
      resolve({ of, ops: take(), ...outcome, ...(isOver ? { isDone: true } : {}) });
      // Nothing of the last reply is answered.
      if (isOver) sent = [];
    });
  };

  const want = (op: Op): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isStopped) return reject(new Error(STOPPED));
      wanted.push({
        op,
        settle: (answer) => {
          const { error, value } = isObject(answer) ? answer : { error: undefined, value: undefined };
          if (typeof error === "string") reject(new Error(error));
          else resolve(value);
        },
      });
      flush();
    });

  return {
    client: createClient(want, aside),
    async next(e) {
      below = await want({ name: "next", given: e });
      return below;
    },
    below: () => below,
    reply: () =>
      new Promise((resolve) => {
        waiting = resolve;
        if (wanted.length > 0 || outcome !== undefined) flush();
      }),
    answer(answers) {
      const asked = sent;
      sent = [];
      for (const [at, { settle }] of asked.entries()) settle(answers[at]);
      if (wanted.length > 0) flush();
    },
    stop() {
      isStopped = true;
      const asked = [...sent, ...wanted];
      [sent, wanted] = [[], []];
      for (const { settle } of asked) settle({ error: STOPPED });
    },
    end(given) {
      outcome = given;
      flush();
    },
  };
}

/** An exchange of no event: what it is asked for goes out at once, and its answers come back whenever they do. */
export function createAsideExchange(of: number, sendAside: (reply: ExchangeReply) => void): EventExchange {
  const exchange = createExchange(of, sendAside);
  exchange.end({});
  void exchange.reply();
  return exchange;
}

/** What the client started us with: its own values. */
const OWN_LINE: LineValues = {
  window: process.env.CLAUDE_CODE_AUTO_COMPACT_WINDOW,
  percent: process.env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE,
};

function createClient(want: (op: Op) => Promise<unknown>, aside?: ClientPort["model"]): ClientPort {
  const fork: ClientPort["model"]["fork"] = (request) => want({ name: "fork", given: request });
  const text = async (name: string): Promise<string> => String(await want({ name }));
  // Nothing waits for these, and nothing is answered: the module does them in order.
  const quietly = (op: Op): void => void want(op).catch(() => undefined);
  return {
    plugin: { root: path.dirname(__dirname) },
    session: {
      id: () => text("id"),
      root: () => text("root"),
      model: () => text("model"),
      messages: (args) => want({ name: "messages", given: args }),
      usage: () => want({ name: "usage" }),
      version: async () => {
        const answered = await want({ name: "version" });
        return { version: isObject(answered) && typeof answered.version === "string" ? answered.version : "" };
      },
      append: (row) => want({ name: "append", given: row }),
    },
    model: { fork, forkAside: aside?.fork ?? fork },
    ui: {
      status: (shown, hint) => quietly({ name: "status", status: { text: shown, hint } }),
      log: (line) => quietly({ name: "log", text: line }),
      ask: async (question, options) => String(await want({ name: "ask", text: question, given: options })),
      line: (values) => quietly({ name: "line", line: values && { ...values, own: OWN_LINE } }),
    },
  };
}
