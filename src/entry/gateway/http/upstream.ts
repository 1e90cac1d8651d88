import http from "node:http";
import https from "node:https";
import { Socket } from "node:net";
import tls from "node:tls";
import { filterHeaders, findTransferCoding, listValues, TOKEN_HEADER } from "./filter-headers.ts";

interface UpstreamOptions {
  readonly url: URL;
  readonly proxy?: URL | undefined;
  readonly idleMs: number;
}

interface Forwarded {
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  readonly rawHeaders: readonly string[];
  /** Opens a new connection: one kept connection was dead, and others may be. */
  readonly isFresh?: boolean;
}

export interface Upstream {
  /** Opens a request. `bodyBytes` if the body is at hand; otherwise its length is as the client declared. */
  open(forwarded: Forwarded, bodyBytes?: number): http.ClientRequest;
  close(): void;
}

/** The API behind the gateway. Connections are kept; only the target address is added to what is sent. */
export function createUpstream({ url, proxy, idleMs }: UpstreamOptions): Upstream {
  const isSecure = url.protocol === "https:";
  const settings = { keepAlive: true, maxFreeSockets: 256, scheduling: "lifo" } as const;
  const createAgent = (options: http.AgentOptions): http.Agent => {
    const created = isSecure ? new https.Agent(options) : new http.Agent(options);
    if (proxy) tunnelThrough(created, { url, proxy, idleMs });
    return created;
  };
  const agent = createAgent(settings);
  const fresh = createAgent({ keepAlive: false });
  const base = url.pathname.replace(/\/$/, "");
  return {
    open({ method, path, rawHeaders, isFresh = false }, bodyBytes) {
      const without = ["host", "expect", TOKEN_HEADER, ...(bodyBytes === undefined ? [] : ["content-length"])];
      const headers = ["Host", url.host, ...filterHeaders(rawHeaders, without)];
      const coding = findTransferCoding(rawHeaders);
      if (coding !== undefined) headers.push("Transfer-Encoding", coding);
      else if (bodyBytes !== undefined) headers.push("Content-Length", String(bodyBytes));
      else if (listValues(rawHeaders, "transfer-encoding").length > 0) headers.push("Transfer-Encoding", "chunked");
      const outgoing = (isSecure ? https : http).request({
        agent: isFresh ? fresh : agent,
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ""),
        port: portOf(url),
        method,
        path: base + path,
        headers,
      });
      // No other protocol was requested.
      outgoing.once("upgrade", (_answer, socket) => {
        socket.destroy();
        outgoing.emit("error", new Error("the upstream changed the protocol"));
      });
      outgoing.setTimeout(idleMs, () => outgoing.destroy(new Error("the upstream was silent for too long")));
      return outgoing;
    },
    close() {
      for (const each of [agent, fresh]) each.destroy();
    },
  };
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === "https:" ? "443" : "80");
}

/** A proxy that has not connected by then never does. */
const CONNECT_MS = 30_000;

/** Opens every connection of the agent through `CONNECT`, so that the proxy sees only an address. */
function tunnelThrough(agent: http.Agent, { url, proxy, idleMs }: UpstreamOptions & { readonly proxy: URL }): void {
  const authority = `${url.hostname}:${portOf(url)}`;
  const secure = (socket: Socket): Socket =>
    url.protocol === "https:" ? tls.connect({ socket, servername: url.hostname }) : socket;
  agent.createConnection = (_options, done) => {
    const asked = (proxy.protocol === "https:" ? https : http).request({
      hostname: proxy.hostname,
      port: portOf(proxy),
      method: "CONNECT",
      path: authority,
      headers: { host: authority, ...renderCredentials(proxy) },
      agent: false,
    });
    asked.once("connect", (answer, socket) => {
      clearTimeout(timer);
      if (answer.statusCode === 200) done?.(null, secure(socket));
      else {
        socket.destroy();
        done?.(new Error(`the proxy answered CONNECT with ${answer.statusCode}`), socket);
      }
    });
    const timeoutMs = Math.min(idleMs, CONNECT_MS);
    const timer = setTimeout(() => asked.destroy(new Error("the proxy was silent for too long")), timeoutMs);
    asked.once("close", () => clearTimeout(timer));
    // The type asks for a socket although there is none; it is not used after an error.
    asked.once("error", (error) => done?.(error, new Socket()));
    asked.end();
    return undefined;
  };
}

/** Credentials in the proxy's address are for the proxy. */
function renderCredentials({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === "") return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}
