// Builds `dist/`: the library as plain modules with their types (tsc), then the CLI as one file (esbuild), because a
// command that a person waits for should not pay for a hundred small file reads.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const typescript = path.dirname(createRequire(import.meta.url).resolve("typescript/package.json"));

rmSync("dist", { recursive: true, force: true });
const compiled = spawnSync(process.execPath, [path.join(typescript, "bin", "tsc"), "-p", "tsconfig.build.json"], { stdio: "inherit" });
if (compiled.status !== 0) process.exit(compiled.status ?? 1);

const entry = "src/cli/plimsoll.ts";
if (existsSync(entry)) {
  await build({
    entryPoints: [entry],
    outfile: "dist/cli/plimsoll.js",
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    legalComments: "none",
    allowOverwrite: true,
  });
  chmodSync("dist/cli/plimsoll.js", 0o755);
}
