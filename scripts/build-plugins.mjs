// Builds the plugins that a client runs: plain files without dependencies, the same bytes for the same sources.
// `plugin-classic` is for clients without hooks modules. `plugin` is the hooks module.
// `--classic FOLDER` and `--module FOLDER` build one of them elsewhere: for tests. The module takes a list of patches as JSON.
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildServer } from "./build-server.mjs";
import { buildStatusLine } from "./build-status-line.mjs";
import { clientCodex } from "./client-codex.mjs";
import { createLicences } from "./licences.mjs";
import { nativeHash } from "./native-hash.mjs";
import { oneVendor } from "./one-vendor.mjs";
import { patchSources } from "./patch-sources.mjs";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
process.chdir(root);

/** Texts that every plugin carries, copied from the one place where they are written. */
function copyTexts(plugin) {
  copyFileSync("LICENSE", path.join(plugin, "LICENSE"));
  for (const folder of ["contexts", "skills"]) {
    rmSync(path.join(plugin, folder), { recursive: true, force: true });
    cpSync(folder, path.join(plugin, folder), { recursive: true });
  }
}

/** CommonJS, because it starts in three quarters of the time that the same bundle takes as a module. */
const CLASSIC = {
  bundle: true,
  platform: "node",
  target: "node18",
  format: "cjs",
  minify: true,
  legalComments: "none",
  logLevel: "warning",
  // Said once for a whole file, and not again in each of its modules.
  tsconfigRaw: { compilerOptions: { alwaysStrict: false } },
  banner: { js: '"use strict";' },
};

/**
 * The command hooks of each client. Events of every tool call are `hot`: their code is in the file that every event loads, and nothing
 * else is. What is asked for together lies together in `files`; what has no file of its own there is in `rest`, and what the client is
 * not asked about is left out.
 */
const HOOKS_OF = {
  claudeCode: {
    entry: "src/entry/hook/main.ts",
    file: "hook",
    hot: ["events/post-tool-use", "events/pre-tool-use", "events/subagent-start"],
    files: {
      "fold/fold-result": "fold",
      "guard-ignored": "guard",
      "load/follow-load": "advice",
      "block-at-red": "advice",
      "answer-after-call": "advice",
      "project-layer": "trust",
    },
    rest: "session",
    leavesOut: [],
    swaps: [oneVendor],
  },
  // Files of its own: what it takes to understand each other is none of the other client's business.
  codex: {
    entry: "src/entry/hook/codex-main.ts",
    file: "codex",
    hot: ["events/post-tool-use"],
    files: { "fold/fold-result": "codex-fold", "project-layer": "codex-trust" },
    rest: "codex-session",
    leavesOut: [
      "events/pre-tool-use",
      "events/subagent-start",
      "events/subagent-stop",
      "guard-ignored",
      "block-at-red",
    ],
    swaps: [clientCodex],
  },
};

/**
 * Reading 100 KB of code takes Node 6 ms, a fifth of its whole start. So `import()` of anything that is not hot becomes a
 * `require` of another file at that moment, and inside that file the parts are again made ready one by one.
 */
async function buildHooks(folder, { entry, file: main, hot, files, rest, leavesOut, swaps }) {
  const cold = new Set();
  const nameFile = (part) => files[part] ?? rest;
  const split = (inline) => splitDynamicImports({ cold, inline, nameFile });
  await build({ ...CLASSIC, entryPoints: [entry], outfile: `${folder}/${main}.cjs`, plugins: [...swaps, split(hot)] });
  // What the smaller files ask for is found while they are built, so the one that holds the rest comes last.
  for (const file of [...new Set(Object.values(files)), rest]) {
    const parts = [...cold].filter((part) => nameFile(part) === file && !leavesOut.includes(part)).sort();
    const lines = parts.map((part) => `${JSON.stringify(part)}: () => require("./${part}.ts")`);
    await build({
      ...CLASSIC,
      stdin: {
        contents: `module.exports = { ${lines.join(", ")} };`,
        resolveDir: "src/entry/hook",
        sourcefile: `${file}.cjs`,
      },
      outfile: `${folder}/${file}.cjs`,
      plugins: [nativeHash, ...swaps, ...(file === rest ? [] : [split([])])],
      ...(file === rest ? WITH_URL : {}),
    });
  }
}

async function buildClassic(plugin) {
  const folder = path.join(plugin, "dist");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const client of Object.values(HOOKS_OF)) await buildHooks(folder, client);
  await writeHooks(path.join(plugin, "hooks"));
  await buildStatusLine(`${folder}/statusline.cjs`);
  const licences = createLicences();
  await buildServer(`${folder}/mcp.cjs`, "src/entry/mcp/main.ts", licences);
  writeFileSync(path.join(plugin, "THIRD-PARTY-LICENSES.txt"), licences.render());
  copyTexts(plugin);
}

/** What the client is told of the events, out of the catalogue that answers them. */
async function writeHooks(folder) {
  const { outputFiles } = await build({
    ...CLASSIC,
    format: "esm",
    entryPoints: ["src/entry/hook/catalogue.ts"],
    external: ["./events/*"],
    write: false,
  });
  const { HOOKS } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const groups = Object.entries(HOOKS).map(([event, { seconds, matcher }]) => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in.
    const args = ["${CLAUDE_PLUGIN_ROOT}/dist/hook.cjs", event];
    const hook = { type: "command", command: "node", args, timeout: seconds };
    return [event, [{ ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }]];
  });
  const description = "Plimsoll as command hooks: one short process per event.";
  mkdirSync(folder, { recursive: true });
  const text = JSON.stringify({ description, hooks: Object.fromEntries(groups) }, null, 2);
  writeFileSync(
    path.join(folder, "hooks.json"),
    `${text.replace(/\[\n\s+("\$[^"]+"),\n\s+("[^"]+")\n\s+\]/g, "[$1, $2]")}\n`,
  );
}

/** For what looks for files next to itself. */
const WITH_URL = {
  define: { "import.meta.url": "importMetaUrl" },
  banner: { js: '"use strict";const importMetaUrl = require("node:url").pathToFileURL(__filename).href;' },
};

/** Of the dynamic imports only those of `inline` stay in the file; the others are noted in `cold`. */
function splitDynamicImports({ cold, inline, nameFile }) {
  const source = path.resolve("src/entry/hook");
  return {
    name: "split-dynamic-imports",
    setup(setup) {
      setup.onResolve({ filter: /^\.\.?\// }, ({ kind, path: target, resolveDir }) => {
        if (kind !== "dynamic-import") return undefined;
        const part = path.relative(source, path.resolve(resolveDir, target)).replace(/\.ts$/, "");
        if (inline.includes(part)) return undefined;
        cold.add(part);
        return { path: part, namespace: "cold" };
      });
      const isFile = { filter: /^\.\/[\w-]+\.cjs$/, namespace: "cold" };
      setup.onResolve(isFile, ({ path: target }) => ({ path: target, external: true }));
      setup.onLoad({ filter: /.*/, namespace: "cold" }, ({ path: part }) => ({
        contents: `module.exports = require("./${nameFile(part)}.cjs")[${JSON.stringify(part)}]();`,
        loader: "js",
      }));
    },
  };
}

const ENGINE = {
  "src/entry/engine/main.ts": "engine-main",
  "src/entry/engine/link/answer-events.ts": "engine-events",
};

/** What the engine reads once it listens is a file of its own. */
const engineEvents = {
  name: "engine-events",
  setup({ onResolve }) {
    onResolve({ filter: /\/answer-events\.ts$/ }, ({ kind }) =>
      kind === "dynamic-import" ? { path: "./engine-events.cjs", external: true } : undefined,
    );
  },
};

/** What the bundler writes for itself: the file of each part, which nobody has where the plugin is installed, and what may be left out. */
function dropNotes(file) {
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/^\/\/ src\/.*\n|\/\* @__PURE__ \*\/ |^\n/gm, ""));
}

/** The module, which the client reads whole at every start and so stays small and readable, and the engine that it starts, for Node. */
async function buildModule(plugin, patches = []) {
  const plugins = [patchSources(patches), oneVendor];
  const common = { bundle: true, legalComments: "none", logLevel: "warning", charset: "utf8" };
  await build({
    ...common,
    plugins,
    entryPoints: ["src/entry/module/register.ts"],
    outfile: path.join(plugin, "hooks/plimsoll.js"),
    platform: "neutral",
    target: "es2022",
    format: "esm",
  });
  dropNotes(path.join(plugin, "hooks/plimsoll.js"));
  for (const [entry, file] of Object.entries(ENGINE))
    await build({
      ...common,
      plugins: [...plugins, nativeHash, engineEvents],
      entryPoints: [entry],
      outfile: path.join(plugin, `engine/${file}.cjs`),
      platform: "node",
      target: "node20",
      format: "cjs",
      minify: true,
      // Becomes a `require`, which starts at once.
      supported: { "dynamic-import": false },
    });
  copyFileSync("src/entry/engine/launch.cjs", path.join(plugin, "engine/engine.cjs"));
  copyTexts(plugin);
}

const [option, elsewhere, patches] = process.argv.slice(2);
if (option === "--classic" && elsewhere !== undefined) await buildClassic(path.resolve(elsewhere));
else if (option === "--module" && elsewhere !== undefined)
  await buildModule(path.resolve(elsewhere), patches === undefined ? [] : JSON.parse(patches));
else {
  await buildClassic("plugin-classic");
  await buildModule("plugin");
}
