import http from "node:http";
import type { AddressInfo } from "node:net";
import { type Access, judgeCaller, openAccess, type RefusedCaller } from "./access.ts";
import type { Connection, GatewayContext, HttpCall, MessageCall } from "./exchange.ts";
import { handleMessages } from "./handle-messages.ts";
import { once, sendError } from "./http/answer.ts";
import { createBodyPool } from "./http/body-pool.ts";
import { isLoopback } from "./http/choose-proxy.ts";
import { TOKEN_HEADER } from "./http/filter-headers.ts";
import { createMemoryRoom, createSweep, measureProcess } from "./http/memory-room.ts";
import { createPace } from "./http/pace.ts";
import { createSlices } from "./http/slices.ts";
import { createUpstream } from "./http/upstream.ts";
import { messagesWire } from "./messages-wire.ts";
import { createMetrics, type Totals } from "./metrics.ts";
import { answerOwn, OWN_ROUTES, passThrough, pathOf } from "./pass-through.ts";
import { createRequestPlanner, type RequestPlanner } from "./plan-request.ts";
import { type BaseLife, type CompactionSetting, createRequestPreparer } from "./prepare-request.ts";
import { createReader, createReaderBySize, type Reader } from "./reader.ts";
import { within } from "./request/patience.ts";
import { responsesWire } from "./responses/responses-wire.ts";
import { createCheck, type PartCheck } from "./start-check.ts";
import { type GatewayStore, watchStore } from "./store/gateway-store.ts";
import { keepWhileFull } from "./store/keep-while-full.ts";
import type { Telemetry } from "./telemetry.ts";
import { createThreadReader } from "./thread/thread-reader.ts";
import { SERVING, shareMemory, type ThreadSettings } from "./thread/thread-words.ts";
import { tryWarmUp } from "./warm-up.ts";

export interface GatewayOptions {
  readonly upstream: URL;
  readonly store: GatewayStore;
  readonly proxy?: URL | undefined;
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port?: number;
  /** Who may use it; required if others can reach the gateway. */
  readonly access?: Access;
  readonly planner?: RequestPlanner;
  readonly telemetry?: Telemetry | undefined;
  readonly compaction?: CompactionSetting;
  readonly baseLife?: BaseLife | undefined;
  readonly maxBodyBytes?: number;
  /** Memory that the process may use; by default the container's limit, or else the machine's memory. */
  readonly memoryBytes?: number;
  /** How long a request may be delayed by planning, and by storing what is removed from it. */
  readonly budgetMs?: number;
  /** How long the upstream may be silent. */
  readonly idleMs?: number;
  readonly headersTimeoutMs?: number;
  readonly nowMs?: () => number;
  /** The program of a thread that reads large bodies, with its settings. Without it, they are read in this thread. */
  readonly thread?: ReadingThread | undefined;
  /** The files found next to the program. A gateway that is part of another program has none of its own. */
  readonly files?: readonly PartCheck[];
}

export interface ReadingThread {
  readonly file: string;
  readonly settings: ThreadSettings;
  /** Smaller bodies are read in the serving thread; 256 KB by default. */
  readonly leastBytes?: number;
  readonly stuckMs?: number;
}

export interface Gateway {
  readonly url: string;
  totals(): Totals;
  /** The parts it needs and whether each is there. Without its store the gateway passes everything on and decides nothing new. */
  check(): Promise<readonly PartCheck[]>;
  /** Accepts nothing new, waits for requests in progress, and closes. */
  drain(graceMs?: number): Promise<void>;
}

const MAX_BODY_BYTES = 64_000_000;
/** The Messages API takes no request above 32 MB, so a larger one is sent unread: reading it for a refusal would hold up everyone else. */
const MAX_READ_BYTES = 32 * 1024 * 1024;
/** A compressed body can decode to any length, so a single one may take at most this fraction (1/n) of all memory. */
const DECODED_PARTS = 8;
const MAX_REMEMBERED_BYTES = 256 * 1024 * 1024;
/** A parsed body takes three times its size in the heap, and half of the heap is for remembered bodies. */
const REMEMBERED_PARTS = 6;
const BUDGET_MS = 50;
/** Reading a smaller body takes a few milliseconds, and passing it to another thread and back a fraction of one. */
const LARGE_BYTES = 256 * 1024;
const IDLE_MS = 15 * 60_000;
const HEADERS_TIMEOUT_MS = 15_000;
const GRACE_MS = 30_000;
const CHECK_MS = 1_000;
/** Interval for giving unused parts of users' limits back to all instances. */
const TIDY_MS = 1_000;

/** Starts a gateway. Rejects if the port is taken, or if others could reach it without a token. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host = "127.0.0.1", port = 0, access = openAccess, nowMs = Date.now, files = [] } = options;
  if (!isLoopback(host) && access === openAccess)
    throw new TypeError(
      `other machines can reach ${host}: give every user a token with --token-file, or listen on 127.0.0.1`,
    );
  const { compaction = "pass", maxBodyBytes = MAX_BODY_BYTES, budgetMs = BUDGET_MS } = options;
  const { baseLife, thread, telemetry, planner = createRequestPlanner() } = options;
  await tryWarmUp(planner);
  const upstream = createUpstream({ url: options.upstream, proxy: options.proxy, idleMs: options.idleMs ?? IDLE_MS });
  const onStoreError = (operation: string): void => metrics.add("store_errors", `operation="${operation}"`);
  const store = keepWhileFull(watchStore(options.store, onStoreError));
  const pool = createBodyPool();
  const slices = createSlices();
  const measured = measureProcess(options.memoryBytes);
  const { heapBytes, totalBytes } = measured.limits;
  const remembered = Math.min(MAX_REMEMBERED_BYTES, heapBytes / REMEMBERED_PARTS);
  const maxRememberedBytes = thread ? remembered / 2 : remembered;
  const used = new Float64Array(new SharedArrayBuffer(2 * Float64Array.BYTES_PER_ELEMENT));
  const start = thread && { ...thread.settings, budgetMs, maxRememberedBytes, used };
  const large = start && createThreadReader({ ...thread, start, onStoreError });
  const countLost = (): number => store.lost() + (large?.lost() ?? 0);
  const metrics = createMetrics(() => reader.figures(), countLost);
  const room = createMemoryRoom({
    ...measured,
    used: shareMemory(measured.used, used, SERVING),
    forget: () => reader.forget(),
  });
  const preparing = { store, pool, planner, slices, nowMs, budgetMs, compaction, baseLife, maxRememberedBytes };
  const small = createReader(createRequestPreparer(preparing), slices, room);
  const reader: Reader = large ? createReaderBySize(small, large, thread.leastBytes ?? LARGE_BYTES) : small;
  const context: GatewayContext = {
    upstream,
    pool,
    sweep: createSweep(),
    reader,
    store,
    metrics,
    accounts: new Set(),
    telemetry,
    compaction,
    maxBodyBytes,
    maxDecodedBytes: Math.min(maxBodyBytes, MAX_READ_BYTES, Math.floor(totalBytes / DECODED_PARTS)),
    room,
    pace: createPace(),
    slices,
    nowMs,
  };
  let isDraining = false;

  const check = createCheck({
    store,
    isThreadRunning: large?.isRunning,
    files,
    hasUsers: access !== openAccess,
    budget: { budgetMs, heapBytes, maxReadBytes: context.maxDecodedBytes },
  });

  const limits = access.share?.(store.shareUse);
  const tidying = limits && setInterval(limits.tidy, TIDY_MS).unref();

  const fault = (response: http.ServerResponse) => (): void => {
    metrics.add("incidents", 'cause="exception"');
    if (response.headersSent) response.socket?.destroySoon();
    else sendError(response, 502, "the request could not be handled");
  };
  const refuse = (
    { incoming, response }: Connection,
    { label, status, why, retryAfterSeconds }: RefusedCaller,
  ): void => {
    metrics.add("refused", `why="${label}"`);
    incoming.resume();
    sendError(response, status, why, retryAfterSeconds === undefined ? {} : { "retry-after": retryAfterSeconds });
  };
  const receive = async (incoming: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const connection = { incoming, response };
    const refusal = judgeCaller(incoming, access === openAccess);
    if (refusal) return refuse(connection, refusal);
    if (OWN_ROUTES.has(pathOf(incoming))) return answerOwn(connection, metrics, isDraining ? undefined : check);
    const admission = await access.admit(incoming.headers[TOKEN_HEADER]?.toString());
    if (admission.kind === "refused") return refuse(connection, admission);
    // The client left while other instances were asked.
    if (incoming.socket.destroyed) return admission.release();
    metrics.shift("active_requests", 1);
    onceOver(connection, () => {
      metrics.shift("active_requests", -1);
      admission.release();
    });
    route({ ...connection, user: admission.user }, context);
  };

  const server = http.createServer(
    {
      maxHeaderSize: 32_768,
      headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      requestTimeout: 300_000,
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 2_000,
    },
    (incoming, response) => {
      response.on("error", () => undefined);
      receive(incoming, response).catch(fault(response));
    },
  );
  server.on("connection", context.pace.connected);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    url: renderUrl(server.address()),
    totals: metrics.totals,
    check,
    async drain(graceMs = GRACE_MS) {
      isDraining = true;
      await closeServer(server, graceMs);
      // Requests that were cut off at the end are written down, too.
      const settle = async (): Promise<void> => {
        while (context.accounts.size > 0) await Promise.all(context.accounts);
      };
      await within(CHECK_MS, settle()).catch(() => undefined);
      upstream.close();
      clearInterval(tidying);
      await Promise.all([store.close(), large?.close(), telemetry?.close()]);
    },
  };
}

/** A response that is queued behind another one on its connection gets no event when the client leaves, so the socket is watched. */
function onceOver({ incoming, response }: Connection, over: () => void): void {
  const { socket } = incoming;
  // If the connection closes first, both events fire at the same time.
  const end = once(() => {
    socket.off("close", end);
    over();
  });
  socket.once("close", end);
  response.once("close", end);
}

const RESPONSES = { purpose: "messages", wire: responsesWire } as const;
const ROUTES = new Map<string, Pick<MessageCall, "purpose" | "wire">>([
  ["/v1/messages", { purpose: "messages", wire: messagesWire }],
  ["/v1/messages/count_tokens", { purpose: "count", wire: messagesWire }],
  ["/v1/responses", RESPONSES],
  // In some clients the API's base address ends before the version.
  ["/responses", RESPONSES],
]);

function route(call: HttpCall, context: GatewayContext): void {
  const { incoming, response } = call;
  const known = ROUTES.get(pathOf(incoming));
  if (known && incoming.method === "POST") void handleMessages({ ...call, ...known }, context);
  else if (known === RESPONSES && incoming.headers.upgrade !== undefined) {
    // A WebSocket cannot be made lighter here. Clients that are refused fall back to plain HTTP.
    context.metrics.add("refused", 'why="upgrade"');
    incoming.resume();
    sendError(response, 426, "WebSockets are not supported: send a POST request", { connection: "close" });
  } else passThrough(call, context);
}

function renderUrl(address: AddressInfo | string | null): string {
  if (typeof address !== "object" || address === null) return "";
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

const IDLE_LOOK_MS = 100;

/** Accepts nothing new, and waits for requests in progress until the grace period is over. */
async function closeServer(server: http.Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Kept connections become idle one after another.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_LOOK_MS);
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
