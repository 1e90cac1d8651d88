import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JsonObject } from "../../../core/json.ts";
import { isObject } from "../../../core/json-fields.ts";
import type { ServerTransport } from "../../../hosts/baseline.ts";
import type { ListedTool } from "../../../recorded/audit/weigh-tools.ts";
import { isLoopbackUrl } from "./is-loopback.ts";
import { ServerProcess } from "./server-process.ts";

/** The only file that knows the SDK: a bundle of its own, loaded when a server is really started. */

export interface ProbeOptions {
  readonly timeoutMs: number;
  readonly directory: string;
  /** What the client would start the server with; nothing of ours is added. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type Probe =
  | { readonly status: "measured"; readonly tools: readonly ListedTool[]; readonly instructions: string }
  | { readonly status: "failed"; readonly why: string; readonly lastError: string };

/** A server that pages without end is no server to wait for. */
const MOST_PAGES = 100;

/** Starts a server, lists its tools and ends it. Never throws: what went wrong is the answer. */
export async function probeServer(transport: ServerTransport, options: ProbeOptions): Promise<Probe> {
  const opened = openTransport(transport, options);
  const client = new Client({ name: "plimsoll", version: "0" }, { capabilities: {} });
  const server = opened instanceof ServerProcess ? opened : undefined;
  try {
    return await withTimeout(listAll(client, opened, options.timeoutMs), options.timeoutMs);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // An answer that does not come and one that cannot come are told apart by whether the server still runs.
    const why = server?.ending ? `the server ${server.ending}` : message;
    return { status: "failed", why, lastError: server?.lastError ?? "" };
  } finally {
    await client.close().catch(() => undefined);
    await opened.close().catch(() => undefined);
  }
}

async function listAll(client: Client, transport: Transport, timeoutMs: number): Promise<Probe> {
  await client.connect(transport, { timeout: timeoutMs });
  const tools: ListedTool[] = [];
  const instructions = client.getInstructions() ?? "";
  if (!client.getServerCapabilities()?.tools) return { status: "measured", tools, instructions };
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const listed = await client.listTools(cursor === undefined ? {} : { cursor }, { timeout: timeoutMs });
    tools.push(...listed.tools.map(parseTool));
    cursor = listed.nextCursor;
    if (cursor === undefined) return { status: "measured", tools, instructions };
  }
  throw new Error(`lists more than ${MOST_PAGES} pages of tools`);
}

function parseTool(tool: { name: string; description?: string | undefined; inputSchema: unknown }): ListedTool {
  const inputSchema: JsonObject = isObject(tool.inputSchema) ? tool.inputSchema : {};
  return { name: tool.name, description: tool.description ?? "", inputSchema };
}

function openTransport(transport: ServerTransport, { directory, environment }: ProbeOptions): Transport {
  if (transport.kind === "stdio") {
    const given = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return new ServerProcess({
      command: transport.command,
      args: transport.args,
      environment: { ...Object.fromEntries(given), ...transport.env },
      directory,
    });
  }
  const url = new URL(transport.url);
  const options = { requestInit: { headers: { ...transport.headers } }, fetch: fetchOnLoopback };
  return transport.kind === "sse"
    ? new SSEClientTransport(url, options)
    : new StreamableHTTPClientTransport(url, options);
}

/** Nothing leaves this machine, not even where a server on it sends us elsewhere. */
async function fetchOnLoopback(url: string | URL, init?: RequestInit): Promise<Response> {
  if (!isLoopbackUrl(String(url))) throw new Error(`leads away from this machine, to ${new URL(url).hostname}`);
  return await fetch(url, { ...init, redirect: "error" });
}

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    // The loser of the race may still fail: nobody is waiting for it any more.
    work.catch(() => undefined);
  }
}
