import { readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";

/**
 * Changes that a test makes to a build: another value for a constant, or code that a function begins with. What is changed is found by
 * its name in the syntax tree, so that a line may move or be written anew; a name that is no longer there fails the build.
 */
export function patchSources(patches) {
  return {
    name: "patch-sources",
    setup(setup) {
      for (const { file, name, code } of patches) {
        const source = path.resolve(file);
        const contents = change(file, name, code);
        const filter = new RegExp(`${path.basename(file).replaceAll(".", "\\.")}$`);
        setup.onLoad({ filter }, ({ path: loaded }) => (loaded === source ? { contents, loader: "ts" } : undefined));
      }
    },
  };
}

function change(file, name, code) {
  const text = readFileSync(file, "utf8");
  const declared = parseSync(file, text).program.body.flatMap((statement) => {
    const declaration = statement.declaration ?? statement;
    return declaration.type === "VariableDeclaration" ? declaration.declarations : declaration;
  });
  const found = declared.find(({ id }) => id?.name === name);
  if (!found) throw new Error(`${file} declares no ${name}`);
  const { start, end } = found.type === "FunctionDeclaration" ? { start: found.body.start + 1 } : found.init;
  return text.slice(0, start) + code + text.slice(end ?? start);
}
