import { readFileSync } from "node:fs";
import path from "node:path";

/** Changes that a test makes to a build; a line that is no longer there fails it, so that none is made in vain. */
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
