import { execFile } from "node:child_process";
import { access, lstat, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { ClientPort } from "./client-port.ts";

const run = promisify(execFile);

/** Files, variables, the clock and processes: what the engine has of its own. */
export const nodeClient: Pick<ClientPort, "plugin" | "fs" | "env" | "clock" | "process"> = {
  plugin: { root: path.dirname(__dirname) },
  fs: {
    read: (file) => readFile(file, "utf8"),
    async write(file, text) {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeFile(file, text, { mode: 0o600 });
    },
    async list(folder) {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.map((entry) => ({
        name: entry.name,
        kind: entry.isFile() ? "file" : entry.isDirectory() ? "dir" : "other",
      }));
    },
    exists: (file) =>
      access(file).then(
        () => true,
        () => false,
      ),
    async stat(file) {
      const own = await lstat(file);
      const target = own.isSymbolicLink() ? await stat(file).catch(() => own) : own;
      const kind = target.isFile() ? "file" : target.isDirectory() ? "dir" : "other";
      return { kind, size: target.size, isLink: own.isSymbolicLink() };
    },
  },
  env: { get: async (name) => process.env[name] },
  clock: { after: (ms, then) => void setTimeout(() => void then().catch(() => undefined), ms).unref() },
  process: {
    run: async ([program = "", ...args]) => {
      const { stdout, stderr } = await run(program, args, { maxBuffer: 4 << 20, timeout: 30_000 });
      return { exitCode: 0, stdout, stderr };
    },
  },
};
