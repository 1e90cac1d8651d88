import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isGuarded } from "../../src/policy/trust/agreement.ts";
import { putAgreed } from "../support/agree.ts";

/** A HOME and a project of its own for the runs of one session. */
export interface Workspace {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  /** Writes into the project; what Plimsoll would ask about counts as agreed to. */
  writeFile(path: string, content: string | Uint8Array): Promise<void>;
  /** Writes into the project what came with it. */
  plantFile(path: string, content: string): Promise<void>;
  /** Writes into the HOME, such as `.claude/settings.json`. */
  writeHome(path: string, content: string): Promise<void>;
  readHome(path: string): Promise<string>;
  remove(): Promise<void>;
}

export async function createWorkspace(): Promise<Workspace> {
  // The client resolves links before it names a project's folder, and so do we: macOS keeps its temporary folder behind one.
  const root = await realpath(await mkdtemp(join(tmpdir(), "plimsoll-")));
  const home = join(root, "home");
  const cwd = join(root, "demo");
  await mkdir(home);
  await mkdir(cwd);
  return {
    root,
    home,
    cwd,
    async writeFile(path, content) {
      await writeInto(cwd, path, content);
      if (typeof content === "string" && isGuarded(path)) putAgreed(cwd, path, content, join(home, ".claude"));
    },
    plantFile: (path, content) => writeInto(cwd, path, content),
    writeHome: (path, content) => writeInto(home, path, content),
    readHome: (path) => readFile(join(home, path), "utf8"),
    // A client that was told to end may still be writing its last lines.
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}

async function writeInto(folder: string, path: string, content: string | Uint8Array): Promise<void> {
  const target = join(folder, path);
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, content);
}
