import { openAgreedFiles, type TrustedPlace } from "../../files/agreed-files.ts";
import { locateTrust } from "../../files/node-agreement.ts";
import type { ProjectStore } from "../../files/save-project-state.ts";
import type { ClientPort } from "./client-port.ts";
import { lacksIgnoreRule } from "./read-regular.ts";
import { runTool } from "./run-tool.ts";

/** The most that the engine reads at once. */
const MAX_READ_BYTES = 4 * 1024 * 1024;

interface SessionPlace {
  readonly root: string;
  readonly folder: string;
}

export function liveProjectFiles($: ClientPort, live: SessionPlace): ProjectStore {
  return openAgreedFiles(engineProjectFiles($), trustOf(live));
}

export function trustOf({ root, folder }: SessionPlace): TrustedPlace {
  return locateTrust(root, folder.slice(0, folder.lastIndexOf("/sessions/")));
}

/** Files through the engine. A missing file differs from one that cannot be read whole, such as a link or one that is too long. */
export function engineProjectFiles($: ClientPort): ProjectStore {
  const read: ProjectStore["read"] = async (path, maxBytes) => {
    const status = await $.fs.stat(path).catch(() => undefined);
    if (status === undefined) return undefined;
    if (status.isLink) return { problem: "is a link" };
    // A project can contain a pipe in place of a file, and reading it would never end.
    if (status.kind !== "file") return { problem: "is not a regular file" };
    if (status.size > maxBytes) return { problem: `is larger than ${maxBytes} bytes` };
    return $.fs.read(path).then(
      (text) => ({ text }),
      () => ({ problem: "cannot be read" }),
    );
  };
  const kindOf: ProjectStore["kindOf"] = async (path) => {
    const status = await $.fs.stat(path).catch(() => undefined);
    if (status === undefined) return undefined;
    if (status.isLink) return "link";
    return status.kind === "file" ? "file" : status.kind === "dir" ? "folder" : "other";
  };
  return {
    read,
    kindOf,
    async list(folder) {
      const entries = await $.fs.list(folder).catch(() => []);
      return entries.map(({ name }) => name);
    },
    write: (path, text) => $.fs.write(path, text),
    // The engine cannot append.
    async append(path, text) {
      const before = await read(path, MAX_READ_BYTES);
      if (before !== undefined && "problem" in before) return false;
      await $.fs.write(path, (before?.text ?? "") + text);
      return true;
    },
    // Nor remove.
    async remove(path) {
      await runTool($, "rm", ["-f", "--", path]);
    },
    /** One session is one process, which saves one thing after another; the engine has no locks. */
    async alone(folder, run) {
      const ignore = `${folder}/.gitignore`;
      if (await lacksIgnoreRule($, ignore)) await $.fs.write(ignore, "*\n");
      return run();
    },
  };
}
