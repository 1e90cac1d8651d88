// Builds what the package exports: one module a subpath and the few they share, because hundreds of small files take twice their
// size of a disk. The types stay as the compiler wrote them, those that the exports reach.
import { readdirSync, readFileSync, rmdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { platformHash } from "./native-hash.mjs";

/** As the compiler writes them: what stands behind `from`, and imports for their effect or for a type. */
const IMPORTED = /(?:\bfrom\s*|\bimport\s*\(?\s*)"(\.{1,2}\/[^"]+)"/g;

/** @param {string} folder with the compiler's types  @param {Readonly<Record<string, string>>} exports as `package.json` has them */
export async function buildLibrary(folder, exports) {
  const modules = Object.values(exports).flatMap((target) => /^\.\/dist\/(.*)\.js$/.exec(target)?.[1] ?? []);
  keepReachedTypes(folder, modules);
  await build({
    entryPoints: modules.map((module) => `src/${module}.ts`),
    outbase: "src",
    outdir: folder,
    chunkNames: "shared/[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node20",
    format: "esm",
    charset: "utf8",
    legalComments: "none",
    plugins: [platformHash],
  });
}

function keepReachedTypes(folder, modules) {
  const kept = new Set();
  const keep = (module) => {
    const file = `${module}.d.ts`;
    if (kept.has(file)) return;
    kept.add(file);
    const text = readFileSync(path.join(folder, file), "utf8");
    for (const [, target] of text.matchAll(IMPORTED))
      keep(path.join(path.dirname(module), target.replace(/(?:\.d)?\.[jt]sx?$/, "")));
  };
  for (const module of modules) keep(module);
  removeOthers(folder, "", kept);
}

function removeOthers(folder, below, kept) {
  for (const entry of readdirSync(path.join(folder, below), { withFileTypes: true })) {
    const name = path.join(below, entry.name);
    if (entry.isDirectory()) removeOthers(folder, name, kept);
    else if (!kept.has(name)) rmSync(path.join(folder, name));
  }
  if (readdirSync(path.join(folder, below)).length === 0) rmdirSync(path.join(folder, below));
}
