import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import path from "node:path";
import type { EngineThread } from "./engine-thread.ts";
import { parseQuestion } from "./question.ts";
import type { Refusals } from "./wire.ts";

export interface ServedPage {
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

export interface ServeOptions {
  /** 0 for any free port. */
  readonly port: number;
  readonly page: ReadonlyMap<string, PageFile>;
  readonly engine: Pick<EngineThread, "ask">;
  readonly events: ReturnType<typeof createEventStream>;
  onRefusal(refusals: Refusals): void;
}

/** Nothing external, nothing inline, no frames; no caching, and no referrer to other sites. */
const HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cache-control": "no-store",
};

const TEXT = "text/plain; charset=utf-8";
const LOOPBACK = "127.0.0.1";
const TOKEN_BYTES = 24;

/** Serves the page on loopback until it is closed. The token in the address is new each time. */
export async function serveDashboard(options: ServeOptions): Promise<ServedPage> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const refusals = { token: 0, host: 0, origin: 0, method: 0, fault: 0 };
  let port = options.port;
  const count = (why: keyof Refusals): void => {
    refusals[why]++;
    options.onRefusal({ ...refusals });
  };
  const fail = (answer: ServerResponse, error: unknown): void => {
    count("fault");
    if (answer.headersSent) return void answer.destroy();
    send(answer, 500, TEXT, error instanceof Error ? error.message : String(error));
  };
  const handle: RequestListener = (asked, answer) => {
    const { path, parameters } = parseTarget(asked.url ?? "/");
    const { host, origin } = asked.headers;
    const judgement = judgeRequest({ method: asked.method, path, host, origin }, { port, token });
    if ("refused" in judgement) {
      count(judgement.refused);
      return send(answer, 403, TEXT, "Refused. Open the address that plimsoll dashboard printed.\n");
    }
    // Without the trailing slash the page would look for its files next to the token.
    if (judgement.path === "") return void answer.writeHead(308, { ...HEADERS, location: `/${token}/` }).end();
    if (judgement.path === "/events") {
      answer.writeHead(200, { ...HEADERS, "content-type": "text/event-stream", connection: "keep-alive" });
      asked.once(
        "close",
        options.events.join((text) => answer.write(text)),
      );
      return;
    }
    const name = judgement.path === "/" ? "index.html" : judgement.path.slice(1);
    const file = options.page.get(name);
    if (file) return send(answer, 200, file.type, file.bytes);
    const question = name.startsWith("api/") ? parseQuestion(name.slice(4), parameters) : undefined;
    if (!question) return send(answer, 404, TEXT, "There is nothing here.\n");
    options.engine.ask(question).then(
      (text) => send(answer, text === undefined ? 404 : 200, "application/json", text ?? "null"),
      (error: unknown) => fail(answer, error),
    );
  };
  const server = createServer((asked, answer) => {
    // An error in one request must not stop the server.
    try {
      handle(asked, answer);
    } catch (error) {
      fail(answer, error);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port, LOOPBACK, resolve);
  });
  const address = server.address();
  if (address !== null && typeof address === "object") port = address.port;
  return {
    url: `http://${LOOPBACK}:${port}/${token}/`,
    port,
    close: () =>
      new Promise((resolve) => {
        options.events.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Split by hand: a target can be anything, and a URL parser throws on some, such as `//[`. */
function parseTarget(target: string) {
  const [path = "", ...rest] = target.split("?");
  return { path, parameters: new URLSearchParams(rest.join("?")) };
}

function send(answer: ServerResponse, status: number, type: string, text: string | Buffer): void {
  answer.writeHead(status, { ...HEADERS, "content-type": type }).end(text);
}

export interface AskedRequest {
  readonly method: string | undefined;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

/** The path after the token, empty if even the slash is missing; or why the request is refused. */
type RequestJudgement = { readonly path: string } | { readonly refused: Exclude<keyof Refusals, "fault"> };

/**
 * Allows only a page that was opened with the token, under the address it was given out with, and that asks from itself. A name
 * that a foreign server points at this machine is a foreign host, so DNS rebinding does not work.
 */
export function judgeRequest(
  { method, path, host, origin }: AskedRequest,
  { port, token }: { readonly port: number; readonly token: string },
): RequestJudgement {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !own.includes(host.toLowerCase())) return { refused: "host" };
  if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`) return { refused: "origin" };
  if (method !== "GET" && method !== "HEAD") return { refused: "method" };
  const [, given = "", ...rest] = path.split("/");
  if (!isSame(given, token)) return { refused: "token" };
  return { path: rest.length === 0 ? "" : `/${rest.join("/")}` };
}

/** Takes the same time for every guess, whatever its length. */
function isSame(given: string, token: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(token));
}

interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  "index.html": "text/html; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** The built page in memory: four files, by the names that the page uses. */
export function readPage(folder: string): ReadonlyMap<string, PageFile> {
  return new Map(
    Object.entries(TYPES).map(([name, type]) => [name, { type, bytes: readFileSync(path.join(folder, name)) }]),
  );
}

/** Keeps proxies from closing an idle connection. */
const HEARTBEAT_MS = 15_000;

/**
 * Server-sent events to every open page. A page that joins gets the last message of each name, then all later ones. `onWatched` is called
 * when the first page joins and when the last one leaves.
 */
export function createEventStream(onWatched: (isWatched: boolean) => void) {
  const listeners = new Set<(text: string) => void>();
  const last = new Map<string, string>();
  const beat = setInterval(() => {
    for (const write of listeners) write(": still here\n\n");
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    /** `data` is JSON without line feeds. */
    send(name: string, data: string): void {
      const text = `event: ${name}\ndata: ${data}\n\n`;
      last.set(name, text);
      for (const write of listeners) write(text);
    },
    /** Returns a function that leaves. */
    join(write: (text: string) => void): () => void {
      listeners.add(write);
      if (listeners.size === 1) onWatched(true);
      for (const text of last.values()) write(text);
      return () => {
        if (listeners.delete(write) && listeners.size === 0) onWatched(false);
      };
    },
    close(): void {
      clearInterval(beat);
      listeners.clear();
    },
  };
}
