import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isObject } from "../../../core/json.ts";
import type { ServerTransport } from "../../../hosts/baseline.ts";
import type { ListedTool } from "../../../recorded/audit/weigh-tools.ts";
import { isLoopbackUrl } from "../../gateway/http/choose-proxy.ts";
import { TimeSpentError, within } from "../../gateway/request/patience.ts";

/** The only file that imports the SDK. It is a bundle of its own, loaded when a server is actually started. */

export interface ProbeOptions {
  readonly timeoutMs: number;
  readonly directory: string;
  /** The environment the client would start the server with; we add nothing. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type Probe =
  | { readonly status: "measured"; readonly tools: readonly ListedTool[]; readonly instructions: string }
  | { readonly status: "failed"; readonly why: string; readonly lastError: string };

/** Guards against a server whose list of tools never ends. */
const MOST_PAGES = 100;

/** Starts a server, lists its tools and ends it. Never throws: a failure is part of the result. */
export async function probeServer(transport: ServerTransport, options: ProbeOptions): Promise<Probe> {
  const opened = openTransport(transport, options);
  const client = new Client({ name: "plimsoll", version: "0" }, { capabilities: {} });
  const server = opened instanceof ServerProcess ? opened : undefined;
  try {
    return await within(options.timeoutMs, listAll(client, opened, options.timeoutMs));
  } catch (error) {
    const isLate = error instanceof TimeSpentError;
    const message = isLate ? `no answer within ${options.timeoutMs / 1000} s` : toError(error).message;
    // A server that has exited could not answer; one that still runs just did not.
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
    for (const { name, description = "", inputSchema } of listed.tools)
      tools.push({ name, description, inputSchema: isObject(inputSchema) ? inputSchema : {} });
    cursor = listed.nextCursor;
    if (cursor === undefined) return { status: "measured", tools, instructions };
  }
  throw new Error(`the server lists more than ${MOST_PAGES} pages of tools`);
}

function openTransport(transport: ServerTransport, { directory, environment }: ProbeOptions): Transport {
  if (transport.kind === "stdio") {
    const { command, args } = transport;
    const env = { ...environment, ...transport.env };
    return new ServerProcess(() => spawn(command, args, { env, cwd: directory, detached: true, windowsHide: true }));
  }
  const url = new URL(transport.url);
  const options = { requestInit: { headers: { ...transport.headers } }, fetch: fetchOnLoopback };
  return transport.kind === "sse"
    ? new SSEClientTransport(url, options)
    : new StreamableHTTPClientTransport(url, options);
}

/** Keeps requests on this machine, even if a local server redirects us elsewhere. */
async function fetchOnLoopback(url: string | URL, init?: RequestInit): Promise<Response> {
  if (!isLoopbackUrl(String(url))) throw new Error(`the server redirects to another machine, ${new URL(url).hostname}`);
  return await fetch(url, { ...init, redirect: "error" });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** How long a server may take to end after its input is closed, and again after SIGTERM. */
const CLOSE_MS = 400;
const TERM_MS = 1500;
const STDERR_CHARACTERS = 4000;

/** A server in its own process group, ended as a whole: the SDK's transport would leave alive what `npx` started below it. */
class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** How it ended, as text; empty while it runs. */
  ending = "";
  readonly #spawn: () => ChildProcessWithoutNullStreams;
  readonly #buffer = new ReadBuffer();
  #child: ChildProcessWithoutNullStreams | undefined;
  #exit: Promise<void> = Promise.resolve();
  #stderr = "";

  constructor(spawnServer: () => ChildProcessWithoutNullStreams) {
    this.#spawn = spawnServer;
  }

  start(): Promise<void> {
    const child = this.#spawn();
    this.#child = child;
    if (child.pid !== undefined) guardGroup(child.pid);
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    child.stderr.on("data", (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString("utf8")).slice(-STDERR_CHARACTERS);
    });
    // A server that has exited closes its pipes; the exit event reports that.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on("error", () => undefined);
    this.#exit = new Promise((resolve) => {
      child.once("close", (code, signal) => {
        this.ending = signal ? `was ended by ${signal}` : `exited with status ${code}`;
        resolve();
        this.onclose?.();
      });
    });
    return new Promise((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", reject);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve) => {
      if (this.#child?.stdin.write(serializeMessage(message)) !== false) resolve();
      else this.#child.stdin.once("drain", resolve);
    });
  }

  async close(): Promise<void> {
    const pid = this.#child?.pid;
    this.#child?.stdin.end();
    await this.#waitForExit(CLOSE_MS);
    if (pid === undefined) return;
    // Also if the server ended by itself: processes that it started may still run.
    if (endGroup(pid, "SIGTERM")) await this.#waitForExit(TERM_MS);
    endGroup(pid, "SIGKILL");
    releaseGroup(pid);
  }

  /** The last line that it wrote to stderr. */
  get lastError(): string {
    return this.#stderr.trimEnd().split("\n").at(-1)?.trim() ?? "";
  }

  #take(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
    } catch (error) {
      // More than ten megabytes without a line end: this is not an MCP server.
      this.onerror?.(toError(error));
      return;
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage();
        if (message === null) return;
        this.onmessage?.(message);
      } catch (error) {
        // A line outside the protocol, such as a greeting; the next line may be valid.
        this.onerror?.(toError(error));
      }
    }
  }

  #waitForExit(atMostMs: number): Promise<void> {
    return within(atMostMs, this.#exit).catch(() => undefined);
  }
}

/** Returns whether there was anything left to end. */
function endGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

const groups = new Set<number>();
const SIGNALS: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];

/** A process group of its own does not receive the terminal's Ctrl-C, so we end the servers when we are ended. */
function guardGroup(pid: number): void {
  if (groups.size === 0) {
    for (const signal of SIGNALS) process.on(signal, endAllAndLeave);
    process.on("exit", endAll);
  }
  groups.add(pid);
}

function releaseGroup(pid: number): void {
  groups.delete(pid);
  if (groups.size > 0) return;
  for (const signal of SIGNALS) process.off(signal, endAllAndLeave);
  process.off("exit", endAll);
}

function endAll(): void {
  for (const pid of groups) endGroup(pid, "SIGKILL");
}

function endAllAndLeave(signal: NodeJS.Signals): void {
  endAll();
  for (const name of SIGNALS) process.off(name, endAllAndLeave);
  process.kill(process.pid, signal);
}
