import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";

/** The largest downloads are some hundred MB. npm gives up on a connection that says nothing for a minute. */
const INSTALL_TIMEOUT_MS = 10 * 60_000;
const FETCH_TIMEOUT_MS = 60_000;
const ATTEMPTS = 3;

export interface Wanted {
  /** Of the folder in the cache. */
  readonly name: string;
  /** As npm takes them, with exact versions: whoever runs the tests runs the same clients. */
  readonly packages: readonly string[];
  /** What is started, below the folder; `null` where it is not there. */
  find(folder: string): Promise<string | null>;
}

/** Returns what was looked for in packages that are downloaded once, into a cache outside the tree. */
export async function fetchPackages({ name, packages, find }: Wanted): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "plimsoll", "clients");
  const folder = join(cache, name);
  const present = await find(folder);
  if (present !== null) return present;
  await mkdir(cache, { recursive: true });
  const release = await takeLock(join(cache, `${name}.lock`));
  try {
    const found = (await find(folder)) ?? (await install({ name, packages, find }, { cache, folder }));
    return found;
  } finally {
    await release();
  }
}

/** Installs next to the final place and renames, so that a broken download never looks like a client. */
async function install(
  { name, packages, find }: Wanted,
  at: { readonly cache: string; readonly folder: string },
): Promise<string> {
  const loose = packages.filter((wanted) => !/.@\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(wanted));
  if (loose.length > 0) throw new Error(`no exact version: ${loose.join(" ")}`);
  const temporary = await mkdtemp(join(at.cache, `${name}-`));
  try {
    await runNpm(packages, temporary);
    await rm(at.folder, { recursive: true, force: true });
    await rename(temporary, at.folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  const found = await find(at.folder);
  if (found === null) throw new Error(`${packages.join(" ")} has nothing to start on this platform`);
  return found;
}

/** Install scripts stay off: npm 11 asks for their approval, and what we start needs none. */
async function runNpm(packages: readonly string[], prefix: string, attempt = 1): Promise<void> {
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const args = ["install", "--prefix", prefix, `--fetch-timeout=${FETCH_TIMEOUT_MS}`, ...flags, ...packages];
  try {
    // npm ends late or never when it is asked to while it unpacks.
    await promisify(execFile)("npm", args, { cwd: prefix, timeout: INSTALL_TIMEOUT_MS, killSignal: "SIGKILL" });
  } catch (error) {
    if (attempt < ATTEMPTS) return runNpm(packages, prefix, attempt + 1);
    // Addresses are left out: where packages come from is the user's own business.
    const reason = String(error).replaceAll(/\b(?:https?|git|ssh):\/\/\S+/g, "<address>");
    throw new Error(`could not install ${packages.join(" ")}: ${reason}`);
  }
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
  return (owner > 0 && !isAlive(owner)) || Date.now() - bornMs > ATTEMPTS * INSTALL_TIMEOUT_MS;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
