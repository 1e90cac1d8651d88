// Builds `dist/`: the library as plain modules with their types (tsc), then the CLI as one file (esbuild), because a
// command that a person waits for should not pay for a hundred small file reads.
import { spawnSync } from "node:child_process";
import { chmodSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const typescript = path.dirname(createRequire(import.meta.url).resolve("typescript/package.json"));

// Built aside and moved into place, so that a failed build leaves the last good one alone.
const next = `dist.${process.pid}`;
const compiled = spawnSync(
  process.execPath,
  [path.join(typescript, "bin", "tsc"), "-p", "tsconfig.build.json", "--outDir", next],
  {
    stdio: "inherit",
  },
);
if (compiled.status !== 0) {
  rmSync(next, { recursive: true, force: true });
  process.exit(compiled.status ?? 1);
}

// The MCP SDK is larger than everything else together, and one command in twenty needs it: a file of its own, loaded then.
// So is the database's driver.
const probeApart = {
  name: "probe-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/(?:mcp-probe|postgres-store)\.ts$/ }, ({ kind, path: file }) =>
      kind === "dynamic-import" ? { path: `./${path.basename(file, ".ts")}.cjs`, external: true } : undefined,
    ),
};

// CommonJS starts in three quarters of the time that the same bundle takes as a module.
await build({
  entryPoints: {
    plimsoll: "src/cli/plimsoll.ts",
    "scan-worker": "src/cli/scan-worker.ts",
    "mcp-probe": "src/cli/audit/mcp-probe.ts",
    "postgres-store": "src/gateway/store/postgres-store.ts",
  },
  plugins: [probeApart],
  external: ["pg-native"],
  outdir: next,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minify: true,
  legalComments: "none",
  define: { "import.meta.url": "importMetaUrl" },
  banner: { js: 'const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
});
chmodSync(path.join(next, "plimsoll.cjs"), 0o755);
rmSync("dist", { recursive: true, force: true });
renameSync(next, "dist");
