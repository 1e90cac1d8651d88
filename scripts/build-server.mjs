// The MCP server as one file. The SDK brings a JSON Schema validator for answers that a server asks of a client; this one asks
// for none, so the validator stays out: a third of the file, and of its start.
import { readFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";

const NO_VALIDATOR = "module.exports = class NoValidator { addFormat() {} }; module.exports.default = module.exports;";

const withoutValidator = {
  name: "without-validator",
  setup(setup) {
    setup.onResolve({ filter: /^ajv(?:-formats)?$/ }, ({ path }) => ({ path, namespace: "absent" }));
    setup.onLoad({ filter: /.*/, namespace: "absent" }, ({ path }) => ({
      contents: path === "ajv" ? NO_VALIDATOR : "module.exports = () => undefined;",
      loader: "js",
    }));
  },
};

/** Every page of a recall checks the whole original against its hash. */
const nativeHash = {
  name: "native-hash",
  setup(setup) {
    setup.onResolve({ filter: /\/sha256\.ts$/ }, () => ({ path: path.resolve("src/files/native-sha256.ts") }));
  },
};

export function buildServer(outfile, entry, licences) {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  return build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    target: "node18",
    format: "cjs",
    minify: true,
    legalComments: "none",
    logLevel: "warning",
    define: { PLIMSOLL_VERSION: JSON.stringify(version) },
    plugins: [withoutValidator, nativeHash, licences.plugin],
  });
}
