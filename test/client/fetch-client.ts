import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

export type ClientVersion = "2.1.325" | "2.1.197";

/** Newest first: 2.1.325 records its own requests and has hooks modules, 2.1.197 is the newest that npm gives to Node 20. */
export const CLIENT_VERSIONS: readonly ClientVersion[] = ["2.1.325", "2.1.197"];

const PACKAGE = "@anthropic-ai/claude-code";

/** The download is about 100 MB. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** Returns the path of the client's native binary, downloaded once into a cache outside the tree. */
export async function fetchClient(version: ClientVersion): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "plimsoll", "clients");
  const folder = join(cache, version);
  const present = await findBinary(folder);
  if (present !== null) return present;
  await mkdir(cache, { recursive: true });
  const release = await takeLock(join(cache, `${version}.lock`));
  try {
    const binary = (await findBinary(folder)) ?? (await install(version, { cache, folder }));
    return binary;
  } finally {
    await release();
  }
}

/** Installs beside the final place and renames, so that a broken download never looks like a client. */
async function install(
  version: ClientVersion,
  at: { readonly cache: string; readonly folder: string },
): Promise<string> {
  const temporary = await mkdtemp(join(at.cache, `${version}-`));
  try {
    await runNpm(version, temporary);
    await rm(at.folder, { recursive: true, force: true });
    await rename(temporary, at.folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  const binary = await findBinary(at.folder);
  if (binary === null) throw new Error(`${PACKAGE}@${version} has no native binary for this platform`);
  return binary;
}

/**
 * Install scripts stay off: npm 11 asks for their approval, and all that this package's script does is to copy the
 * platform's binary, which we start where it lies.
 */
async function runNpm(version: ClientVersion, prefix: string): Promise<void> {
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const args = ["install", "--prefix", prefix, ...flags, `${PACKAGE}@${version}`];
  try {
    await promisify(execFile)("npm", args, { cwd: prefix, timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    // Addresses are left out: where packages come from is the user's own business.
    const reason = String(error).replaceAll(/\b(?:https?|git|ssh):\/\/\S+/g, "<address>");
    throw new Error(`could not install ${PACKAGE}@${version}: ${reason}`);
  }
}

async function findBinary(folder: string): Promise<string | null> {
  const scope = join(folder, "node_modules", "@anthropic-ai");
  const names = await readdir(scope).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith("claude-code-"))) {
    for (const file of ["claude", "claude.exe"]) {
      const binary = join(scope, name, file);
      const isThere = await access(binary).then(
        () => true,
        () => false,
      );
      if (isThere) return binary;
    }
  }
  return null;
}

/** A folder is the lock, since `mkdir` is atomic everywhere; a lock whose process has died is taken over. */
async function takeLock(path: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await mkdir(path);
      await writeFile(join(path, "pid"), String(process.pid));
      return () => rm(path, { recursive: true, force: true });
    } catch {
      if (await isStale(path)) await rm(path, { recursive: true, force: true });
      else await wait(500);
    }
  }
}

/** Too old counts as well: the owner may have died before it could write its name. */
async function isStale(path: string): Promise<boolean> {
  const owner = Number(await readFile(join(path, "pid"), "utf8").catch(() => "0"));
  const bornMs = await stat(path).then(
    (entry) => entry.mtimeMs,
    () => Date.now(),
  );
  return (owner > 0 && !isAlive(owner)) || Date.now() - bornMs > INSTALL_TIMEOUT_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
