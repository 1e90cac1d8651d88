import { readFileSync, statSync, watchFile } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { renderCount } from "../../../core/render-count.ts";
import { errorCode, renderFailure } from "../../../core/render-failure.ts";
import { createAccess, type GatewayUser, parseUsers } from "../../gateway/access.ts";
import { type Gateway, type GatewayOptions, startGateway } from "../../gateway/gateway.ts";
import { chooseProxy } from "../../gateway/http/choose-proxy.ts";
import { createRequestPlanner } from "../../gateway/plan-request.ts";
import { checkFiles, THREAD_FILE } from "../../gateway/start-check.ts";
import { isDatabase, migrateDatabase, openStore } from "../../gateway/store/catalogue.ts";
import { createTelemetry } from "../../gateway/telemetry.ts";
import { CliError, type Invocation, parseWhole, type Terminal } from "../command.ts";
import { BASE_LIVES, COMPACTIONS, DEFAULT_UPSTREAM, POLICY_NAMES } from "./gateway-options.ts";

async function readGatewaySettings(
  { values }: Invocation,
  terminal: Terminal,
  defaultUpstream: string = DEFAULT_UPSTREAM,
): Promise<GatewayOptions & { readonly storeName: string }> {
  const upstream = parseUpstream(values.get("upstream") ?? defaultUpstream);
  const maxMegabytes = parseWhole(values, "max-body-mb", 1);
  const memoryMegabytes = parseWhole(values, "memory-mb", 64);
  const tokenFile = values.get("token-file");
  const given = values.get("store") ?? locateStore(terminal.environment);
  const store = isDatabase(given) ? given : path.resolve(terminal.directory, given);
  const planner = {
    lineTokens: parseWhole(values, "line", 1),
    policy: POLICY_NAMES.find((name) => name === values.get("policy")),
  };
  const compaction = COMPACTIONS.find((setting) => setting === values.get("compaction")) ?? "pass";
  const baseLife = BASE_LIVES.find((life) => life === values.get("base-life"));
  const memoryBytes = memoryMegabytes === undefined ? undefined : memoryMegabytes * 1_000_000;
  const folder = path.dirname(fileURLToPath(import.meta.url));
  const files = checkFiles(folder);
  const hasThread = files.some(({ name, isThere }) => name === "thread" && isThere);
  return {
    upstream,
    proxy: tryCall(() => chooseProxy(upstream, terminal.environment)),
    // A database's address may contain a password.
    storeName: isDatabase(given) ? "PostgreSQL" : store,
    store: await openNamedStore(store),
    planner: createRequestPlanner(planner),
    telemetry: createTelemetry(terminal.environment),
    compaction,
    baseLife,
    files,
    thread: hasThread
      ? { file: path.join(folder, THREAD_FILE), settings: { store, planner, compaction, baseLife, memoryBytes } }
      : undefined,
    ...(tokenFile !== undefined && { access: openAccessFile(path.resolve(terminal.directory, tokenFile), terminal) }),
    ...(maxMegabytes !== undefined && { maxBodyBytes: maxMegabytes * 1_000_000 }),
    ...(memoryBytes !== undefined && { memoryBytes }),
  };
}

export async function migrateGateway({ values }: Invocation): Promise<string> {
  const name = values.get("store") ?? "";
  if (!isDatabase(name)) throw new CliError("--migrate works only with a database: pass --store postgres://...");
  try {
    const steps = await migrateDatabase(name);
    return steps === 0
      ? "The database is up to date."
      : `The database is up to date. The migration took ${renderCount(steps, "step")}.`;
  } catch (error) {
    // Do not print the error: it may contain the address, and the address contains a password.
    const code = errorCode(error) || "no answer";
    throw CliError.failed(`the database could not be migrated (${code})`);
  }
}

function parseUpstream(given: string): URL {
  const url = tryCall(() => new URL(given), `--upstream takes an address such as ${DEFAULT_UPSTREAM}, not "${given}"`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new CliError(`--upstream takes an http or https address, not "${given}"`);
  return url;
}

function locateStore({ XDG_STATE_HOME, HOME }: Terminal["environment"]): string {
  if (!XDG_STATE_HOME && !HOME)
    throw new CliError("HOME is not set, so there is no folder for the ledger: pass --store DIR");
  return path.join(XDG_STATE_HOME || path.join(HOME ?? "", ".local", "state"), "plimsoll", "gateway");
}

/** A file where a folder should be, or a link that leads nowhere, is an error for the person to fix; other failures explain themselves. */
async function openNamedStore(name: string): Promise<GatewayOptions["store"]> {
  try {
    return await openStore(name);
  } catch (error) {
    const code = errorCode(error);
    if (isDatabase(name) || !["EEXIST", "ENOTDIR", "ENOENT"].includes(code)) throw error;
    const why = `the ledger cannot be stored in ${name}, because a file or a link is in the way`;
    throw new CliError(`${why}: pass a folder with --store DIR`);
  }
}

const OTHERS_MAY_READ = 0o077;

/** Reads the file again when it changes: a removed user must not keep access until a restart. An unreadable file changes nothing and is reported. */
function openAccessFile(file: string, terminal: Terminal): NonNullable<GatewayOptions["access"]> {
  const access = createAccess(readUsers(file), () => performance.now());
  watchFile(file, { interval: LOOK_MS, persistent: false }, () => {
    try {
      const users = readUsers(file);
      access.replace(users);
      terminal.remark(`Reloaded ${file}: ${renderCount(users.length, "user")}.\n`);
    } catch (error) {
      terminal.remark(`${renderFailure(error)}. The users are unchanged.\n`);
    }
  });
  return access;
}

const LOOK_MS = 1_000;

function readUsers(file: string): readonly GatewayUser[] {
  const status = statSync(file, { throwIfNoEntry: false });
  if (!status?.isFile())
    throw new CliError(`there is no file ${file}: create it with one line per user, in the form name token`);
  if (process.platform !== "win32" && (status.mode & OTHERS_MAY_READ) !== 0)
    throw new CliError(`other users can read ${file}: run chmod 600 on it first`);
  return tryCall(() => parseUsers(readFileSync(file, "utf8")));
}

/** A wrong setting is for the person to fix, so the error's sentence is shown to them. */
function tryCall<Value>(call: () => Value, sentence?: string): Value {
  try {
    return call();
  } catch (error) {
    throw new CliError(sentence ?? renderFailure(error));
  }
}

/** Starts a gateway with the person's options, or says why it cannot. Loaded only when needed. */
export async function openListener(
  invocation: Invocation,
  terminal: Terminal,
  { port, defaultUpstream }: { readonly port: number; readonly defaultUpstream?: string | undefined },
): Promise<{ readonly gateway: Gateway; readonly upstream: string; readonly store: string }> {
  const settings = await readGatewaySettings(invocation, terminal, defaultUpstream);
  const host = invocation.values.get("host") ?? "127.0.0.1";
  try {
    const gateway = await startGateway({ ...settings, host, port });
    return { gateway, upstream: settings.upstream.origin, store: settings.storeName };
  } catch (error) {
    const code = errorCode(error);
    if (code === "EADDRINUSE")
      throw new CliError(`port ${port} is taken: pass another --port, or --port 0 for any free port`);
    if (code === "EADDRNOTAVAIL") throw new CliError(`${host} is not an address of this machine`);
    if (error instanceof TypeError) throw new CliError(error.message);
    throw error;
  }
}
