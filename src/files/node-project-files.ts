import { lstatSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { quietly } from "../core/quietly.ts";
import { errorCode } from "../core/render-failure.ts";
import { listEntries } from "./list-files.ts";
import { appendPrivateFile, openStateFolder, readPlainFile, StoreError, writeAtomically } from "./private-files.ts";
import type { ProjectStore } from "./save-project-state.ts";
import { holdLock } from "./with-lock.ts";

/** Project files through Node: one writer at a time among all processes, readable by their owner only, written atomically. */
export const nodeProjectFiles: ProjectStore = {
  async read(file, maxBytes) {
    const found = readPlainFile(file, maxBytes);
    if (found === undefined) return undefined;
    return found.problem === undefined ? { text: found.text } : { problem: found.problem };
  },
  list: async (folder) => listEntries(folder).map(({ name }) => name),
  async kindOf(place) {
    const status = quietly(() => lstatSync(place), undefined);
    if (status?.isSymbolicLink()) return "link";
    return status && (status.isFile() ? "file" : status.isDirectory() ? "folder" : "other");
  },
  async write(file, text, options = { isDurable: true }) {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeAtomically(file, text, options);
  },
  async append(file, text) {
    try {
      appendPrivateFile(file, text);
      return true;
    } catch (error) {
      if (error instanceof StoreError || NOT_A_FILE.includes(errorCode(error))) return false;
      throw error;
    }
  },
  remove: async (file) => rmSync(file, { force: true }),
  alone: (folder, run) => holdLock(path.join(openStateFolder(path.dirname(folder)), ".lock"), run),
};

/** A link, a folder, or a pipe without a reader: text cannot be appended. */
const NOT_A_FILE: readonly (string | undefined)[] = ["ELOOP", "EMLINK", "EISDIR", "ENXIO"];
