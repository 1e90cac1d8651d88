// Builds what other agents load into their own process: one small file each, without dependencies.
// Run by itself it takes a folder: for tests.
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { nativeHash } from "./native-hash.mjs";

export async function buildAboard(folder) {
  await build({
    entryPoints: { pi: "src/entry/pi/register.ts", opencode: "src/entry/opencode/register.ts" },
    outdir: folder,
    plugins: [nativeHash],
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    minify: true,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const target = path.resolve(process.argv[2]);
  process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), ".."));
  await buildAboard(target);
}
