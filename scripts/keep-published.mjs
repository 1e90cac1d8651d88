// Leaves in a fresh build only the modules that the package's exports reach, by their code or by their types. The programs are
// bundles of their own, so the modules they are made of would be installed by everybody and imported by nobody.
import { readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";

/** As the compiler writes them: what stands behind `from`, and imports for their effect or for a type. */
const IMPORTED = /(?:\bfrom\s*|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+)"/g;

/** @param {string} folder of the build  @param {Readonly<Record<string, string>>} exports as `package.json` has them, below `dist/` */
export function keepPublished(folder, exports) {
  const kept = new Set();
  const keep = (module) => {
    if (kept.has(module)) return;
    kept.add(module);
    for (const end of [".js", ".d.ts"]) {
      const text = readFileSync(path.join(folder, `${module}${end}`), "utf8");
      for (const [, target] of text.matchAll(IMPORTED)) keep(path.join(path.dirname(module), stripEnd(target)));
    }
  };
  for (const target of Object.values(exports)) if (target.startsWith("./dist/")) keep(stripEnd(target.slice(7)));
  remove(folder, "", kept);
}

function stripEnd(file) {
  return file.replace(/(?:\.d)?\.[jt]sx?$/, "");
}

function remove(folder, below, kept) {
  for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = path.join(below, entry.name);
    if (entry.isDirectory()) remove(folder, name, kept);
    else if (!kept.has(stripEnd(name))) rmSync(path.join(folder, name));
  }
  if (readdirSync(path.join(folder, below)).length === 0) rmdirSync(path.join(folder, below));
}
