// The status line as one small file without dependencies: it is drawn after every message, so it loads nothing else.
import { build } from "esbuild";
import { oneVendor } from "./one-vendor.mjs";

export function buildStatusLine(outfile) {
  return build({
    entryPoints: ["src/entry/hook/statusline-main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node18",
    format: "cjs",
    minify: true,
    // The same value in sixteen bytes less.
    define: { "Number.POSITIVE_INFINITY": "Infinity" },
    legalComments: "none",
    logLevel: "warning",
    plugins: [oneVendor],
  });
}
