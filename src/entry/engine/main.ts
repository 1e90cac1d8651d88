import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { type JsonObject, parseObject } from "../../core/json.ts";
import { readSettings } from "../../files/project-settings.ts";
import { ENGINE_FORMAT } from "../module/names.ts";
import { RECALL_OR_DONE_SPEC, RECALL_SPEC, SLASH_COMMANDS } from "./link/offers.ts";
import { say } from "./link/say.ts";

/**
 * The engine as a process of its own: it answers the module's events on this machine's loopback address, until its client ends. It says
 * where it listens before it reads the rest of its code: the client goes on starting meanwhile.
 */

const token = randomBytes(24).toString("base64url");
let load: (rest: Promise<typeof import("./link/answer-events.ts")>) => void = () => undefined;
const rest = new Promise<typeof import("./link/answer-events.ts")>((resolve) => {
  load = resolve;
});

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
    rest
      .then(({ take }) => take(parseObject(Buffer.concat(pieces).toString())))
      .then(
        (reply) => response.end(JSON.stringify(reply)),
        (error) => response.writeHead(500).end(String(error)),
      );
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address === null || typeof address !== "object") return;
  say({ format: ENGINE_FORMAT, port: address.port, token, pid: process.pid, offers: listOffers(process.env) });
  load(import("./link/answer-events.ts"));
});

/** What the module does before it sends anything: without an engine the model is offered no tool, so its requests are the client's own. */
function listOffers(env: NodeJS.ProcessEnv): readonly JsonObject[] {
  const { HOME = "", CLAUDE_CONFIG_DIR = `${HOME}/.claude` } = env;
  const { mayAsk } = readSettings(env, CLAUDE_CONFIG_DIR, process.cwd()).settings;
  const direct = listDirectHosts(env);
  return [
    ...(direct === undefined ? [] : [{ name: "direct", text: direct }]),
    { name: "tool", given: mayAsk ? RECALL_OR_DONE_SPEC : RECALL_SPEC },
    // Another plugin may have a command of this name.
    ...SLASH_COMMANDS.map((given) => ({ name: "command", given })),
  ];
}

/** A proxy must never see what comes to us; for the client, this machine's own address is no exception. `undefined` if nothing has to change. */
function listDirectHosts(env: NodeJS.ProcessEnv): string | undefined {
  const hosts = (env.no_proxy || env.NO_PROXY || "").split(/[\s,]+/).filter((host) => host !== "");
  const proxy = env.http_proxy || env.HTTP_PROXY || env.all_proxy || env.ALL_PROXY;
  if (!proxy || hosts.includes("*")) return undefined;
  return [...new Set([...hosts, "127.0.0.1"])].join(",");
}

const leave = (): void => void rest.then(({ leave: end }) => end());

// However the client ends: it says so, its end of the pipe closes, or it is gone.
process.on("SIGTERM", () => leave());
process.on("SIGHUP", () => leave());
process.stdout.on("error", () => leave());
const parent = process.ppid;
setInterval(() => process.ppid !== parent && leave(), 1000).unref();
