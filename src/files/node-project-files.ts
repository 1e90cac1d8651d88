import { existsSync, readdirSync } from "node:fs";
import { readPlainFile } from "./private-files.ts";
import type { ProjectFiles } from "./project-reader.ts";

/** Through Node. Nothing here waits: a hook lives for some milliseconds. */
export const nodeProjectFiles: ProjectFiles = {
  async read(path, maxBytes) {
    const found = readPlainFile(path, maxBytes);
    return found === undefined || found.problem === undefined ? found : { problem: found.problem };
  },
  async list(folder) {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
  exists: async (path) => existsSync(path),
};
