import { readFileSync } from "node:fs";
import path from "node:path";

/** Faults that a test plants; a line that is no longer there fails the build, so that none is planted in vain. */
export function patchSources(patches) {
  return {
    name: "patch-sources",
    setup(setup) {
      for (const { file, find, replace } of patches) {
        const source = path.resolve(file);
        const text = readFileSync(source, "utf8");
        if (text.split(find).length !== 2) throw new Error(`${file} does not hold exactly once: ${find}`);
        const filter = new RegExp(`${path.basename(file).replaceAll(".", "\\.")}$`);
        setup.onLoad({ filter }, ({ path: loaded }) =>
          loaded === source ? { contents: text.replace(find, () => replace), loader: "ts" } : undefined,
        );
      }
    },
  };
}
