// Builds what measures the product: `lab/dist/main.cjs` with its thread, which take recorded sessions, and the benchmarks next to their
// sources, which read files that lie there. Nothing of it is published.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const absWorkingDir = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const SHARED = { absWorkingDir, bundle: true, platform: "node", target: "node20", logLevel: "error" };

export async function buildLab(outdir) {
  await build({
    ...SHARED,
    entryPoints: { main: "lab/main.ts", "replay-worker": "lab/replay/worker.ts" },
    outdir,
    outExtension: { ".js": ".cjs" },
    format: "cjs",
    external: ["pg-native"],
    // Files of the project are found from here as from `test/client`: two folders up.
    define: { "import.meta.url": "importMetaUrl", "import.meta.dirname": "__dirname" },
    banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
  });
  return path.join(outdir, "main.cjs");
}

export async function buildBench() {
  const outfile = path.join(absWorkingDir, "lab/bench/main.bundle.mjs");
  await build({
    ...SHARED,
    entryPoints: ["lab/bench/main.ts"],
    outfile,
    format: "esm",
    external: ["@modelcontextprotocol/*", "http-proxy"],
  });
  return outfile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildLab(path.resolve(process.argv[2] ?? "lab/dist"));
