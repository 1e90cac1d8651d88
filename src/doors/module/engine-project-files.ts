import type { ProjectFiles } from "../../files/project-reader.ts";
import type { Engine } from "./engine.ts";

/** Through the engine. Absent is one thing; there and not to be read whole, a link or too long, is another. */
export function engineProjectFiles($: Engine): ProjectFiles {
  return {
    async read(path, maxBytes) {
      const status = await $.fs.stat(path).catch(() => undefined);
      if (status === undefined) return undefined;
      if (status.isLink) return { problem: "is a link" };
      // A pipe in the place of a file, which a project can bring, would be waited for without end.
      if (status.kind !== "file") return { problem: "is not a regular file" };
      if (status.size > maxBytes) return { problem: `is larger than ${maxBytes} bytes` };
      return $.fs.read(path).then(
        (text) => ({ text }),
        () => ({ problem: "cannot be read" }),
      );
    },
    async list(folder) {
      const entries = await $.fs.list(folder).catch(() => []);
      return entries.map(({ name }) => name);
    },
    exists: (path) => $.fs.exists(path).catch(() => false),
  };
}
