import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { isObject, type JsonObject, listField, objectField, parseObject, textField } from "../../core/json.ts";
import type { CarryOn } from "./client-port.ts";
import { describeRule, handleEvent, saveSession } from "./events.ts";
import { createExchange, type EventExchange, type ExchangeReply } from "./exchange.ts";

/** The engine as a process of its own: it answers the module's events on this machine's loopback address, until its client ends. */

const token = randomBytes(24).toString("base64url");
const open = new Map<number, EventExchange>();
let count = 0;
/** Rows that came together are followed before the event that came with them, and before any later one. */
let followed: Promise<unknown> = Promise.resolve();

function say(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function begin(events: readonly JsonObject[]): EventExchange {
  const of = ++count;
  const exchange = createExchange(of, (reply) => say(reply));
  open.set(of, exchange);
  void answerAll(exchange, events).then((outcome) => {
    exchange.end(outcome);
    // Its last wishes may still be on their way.
    setTimeout(() => open.delete(of), FORGET_MS).unref();
  });
  return exchange;
}

const FORGET_MS = 600_000;

async function answerAll(exchange: EventExchange, events: readonly JsonObject[]): Promise<Partial<ExchangeReply>> {
  const rows = events.slice(0, -1);
  const before = followed;
  followed = before.then(async () => {
    for (const row of rows) await answerOne(exchange, row);
  });
  await followed;
  const last = events.at(-1);
  if (last === undefined) return { isSame: true };
  return { ...(await answerOne(exchange, last)), rule: await describeRule() };
}

async function answerOne(exchange: EventExchange, raised: JsonObject): Promise<Partial<ExchangeReply>> {
  const event = textField(raised, "event");
  const isPassed = raised.isPassed === true;
  const next: CarryOn = isPassed ? async () => raised.result : exchange.next;
  const value = await handleEvent(exchange.client, event, objectField(raised, "e") ?? {}, next);
  const isSame = value === (isPassed ? raised.result : exchange.below());
  return isSame ? { isSame } : { value };
}

async function take(body: JsonObject): Promise<ExchangeReply> {
  if (typeof body.of !== "number") return begin(listField(body, "events").filter(isObject)).reply();
  const exchange = open.get(body.of);
  if (exchange === undefined) throw new Error("there is no such exchange");
  const reply = exchange.reply();
  exchange.answer(listField(body, "answers"));
  return reply;
}

const expected = Buffer.from(token);

function isOurs({ headers, method }: IncomingMessage): boolean {
  const given = Buffer.from(headers.authorization ?? "");
  return method === "POST" && given.length === expected.length && timingSafeEqual(given, expected);
}

const server = createServer((request, response) => {
  if (!isOurs(request)) return void response.writeHead(403).end("this address is not for you");
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    take(parseObject(Buffer.concat(pieces).toString())).then(
      (reply) => response.end(JSON.stringify(reply)),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") say({ port: address.port, token, pid: process.pid });
});

async function leave(): Promise<void> {
  const { client } = createExchange(0, () => undefined);
  await saveSession(client).catch(() => undefined);
  process.exit(0);
}

// However the client ends: it says so, its end of the pipe closes, or it is gone.
process.on("SIGTERM", () => void leave());
process.stdout.on("error", () => void leave());
const parent = process.ppid;
setInterval(() => process.ppid !== parent && void leave(), 1000).unref();
