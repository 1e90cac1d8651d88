// Builds `dist/`: the types (tsc), the library as one module a subpath (esbuild), then the CLI as one file, because a command
// that a person waits for should not pay for a hundred small file reads. `--program` builds only what a person runs.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildAboard } from "./build-in-agent.mjs";
import { buildLibrary } from "./build-library.mjs";
import { buildServer } from "./build-server.mjs";
import { buildStatusLine } from "./build-status-line.mjs";
import { createLicences } from "./licences.mjs";
import { nativeHash } from "./native-hash.mjs";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);
const typescript = path.dirname(createRequire(import.meta.url).resolve("typescript/package.json"));

// `npm start` asks for the program alone: the library and its types take most of the time.
const isProgramOnly = process.argv.includes("--program");
// A person who waits sees why; a log does not need to.
if (process.stderr.isTTY || isProgramOnly) process.stderr.write("Building Plimsoll (a few seconds)\n");

// Built aside and moved into place, so that a failed build leaves the last good one alone.
const next = `dist.${process.pid}`;
if (!isProgramOnly) {
  const words = [path.join(typescript, "bin", "tsc"), "-p", "tsconfig.build.json", "--outDir", next];
  const { status } = spawnSync(process.execPath, words, { stdio: "inherit" });
  if (status !== 0) {
    rmSync(next, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
  await buildLibrary(next, JSON.parse(readFileSync("package.json", "utf8")).exports);
}

const licences = createLicences();

// The MCP SDK and the database driver are larger than everything else together, and few commands need them: files of their own.
const APART = {
  "mcp-probe.ts": "./mcp-probe.cjs",
  "serve.ts": "./mcp-server.cjs",
  "postgres-store.ts": "./postgres-store.cjs",
};
const sdkApart = {
  name: "sdk-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/(?:mcp-probe|mcp\/serve|postgres-store)\.ts$/ }, ({ kind, path: target }) =>
      kind === "dynamic-import" ? { path: APART[path.basename(target)], external: true } : undefined,
    ),
};

// CommonJS starts in three quarters of the time that the same bundle takes as a module.
await build({
  entryPoints: {
    plimsoll: "src/entry/cli/plimsoll.ts",
    "scan-worker": "src/entry/cli/scan-worker.ts",
    "replay-worker": "src/entry/cli/replay/replay-worker.ts",
    "dashboard-worker": "src/entry/dashboard/engine-worker.ts",
    "reading-thread": "src/entry/gateway/thread/reading-thread.ts",
    "mcp-probe": "src/entry/cli/audit/mcp-probe.ts",
    "postgres-store": "src/entry/gateway/store/postgres-store.ts",
  },
  plugins: [sdkApart, nativeHash, licences.plugin],
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
await buildAboard(next);
await buildStatusLine(path.join(next, "statusline.cjs"));
await buildServer(path.join(next, "mcp-server.cjs"), "src/entry/mcp/serve.ts", licences);
chmodSync(path.join(next, "plimsoll.cjs"), 0o755);
// The manual page comes out of the definitions, so the program itself writes it.
const manual = spawnSync(process.execPath, [path.join(next, "plimsoll.cjs"), "man"], { encoding: "utf8" });
if (manual.status !== 0) throw new Error(`the manual page could not be written: ${manual.stderr}`);
writeFileSync(path.join(next, "plimsoll.1"), manual.stdout);

// The dashboard's page: one script and one sheet, for browsers of the last few years.
const page = "src/entry/dashboard/page";
await build({
  entryPoints: [
    { in: `${page}/main.tsx`, out: "page" },
    { in: `${page}/page.css`, out: "page" },
  ],
  outdir: path.join(next, "page"),
  bundle: true,
  platform: "browser",
  target: "es2022",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  plugins: [licences.plugin],
  minify: true,
  legalComments: "none",
});
for (const name of ["index.html", "icon.svg"]) copyFileSync(path.join(page, name), path.join(next, "page", name));
writeFileSync(path.join(next, "THIRD-PARTY-LICENSES.txt"), licences.render());
if (isProgramOnly) {
  cpSync(next, "dist", { recursive: true });
  rmSync(next, { recursive: true, force: true });
} else {
  rmSync("dist", { recursive: true, force: true });
  renameSync(next, "dist");
}
