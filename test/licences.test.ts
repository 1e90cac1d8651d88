/** If red: the package ships code of others without its licence. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { build, type Metafile } from "esbuild";
import { describe, expect, it } from "vitest";
import { createHookProgram } from "./support/hook-program.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const { plugin } = createHookProgram();

/** Which packages a program brings inside itself, by a bundle that is made only to ask. */
async function listPackages(entry: string): Promise<readonly string[]> {
  const { metafile }: { readonly metafile: Metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: "asked.js",
    bundle: true,
    write: false,
    metafile: true,
    platform: entry.endsWith(".tsx") ? "browser" : "node",
    jsx: "automatic",
    jsxImportSource: "preact",
    external: ["pg-native"],
    logLevel: "error",
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs: of }) => Object.entries(of));
  const names = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([file]) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(names)].sort();
}

/** The packages of which a file has the text, with a word that every licence has. */
function listTexts(file: string): readonly string[] {
  const parts = readFileSync(file, "utf8").split(/^-{80}$/m);
  return parts.flatMap((part, index) => {
    const name = /^\n(\S+) \S+ \(.*\)\n$/.exec(part)?.[1];
    return name !== undefined && /permi(?:ssion|tted)/i.test(parts[index + 1] ?? "") ? [name] : [];
  });
}

describe("the licences of what is bundled", () => {
  it("are in the package, each with its text", async () => {
    const entries = [
      "src/entry/mcp/serve.ts",
      "src/entry/cli/audit/mcp-probe.ts",
      "src/entry/gateway/store/postgres-store.ts",
      "src/entry/dashboard/page/main.tsx",
    ];
    const packages = (await Promise.all(entries.map(listPackages))).flat();
    for (const known of ["zod", "ajv", "pg", "preact", "@modelcontextprotocol/sdk"]) expect(packages).toContain(known);
    const texts = listTexts(path.join(ROOT, "dist/THIRD-PARTY-LICENSES.txt"));
    expect(packages.filter((name) => !texts.includes(name))).toEqual([]);
  });

  it("are in the plugin of the command hooks, whose server contains them", async () => {
    const texts = listTexts(path.join(plugin, "THIRD-PARTY-LICENSES.txt"));
    const server = await listPackages("src/entry/mcp/main.ts");
    // The validator stays out of that build.
    const absent = ["ajv", "ajv-formats", "fast-deep-equal", "fast-uri", "json-schema-traverse"];
    expect(server.filter((name) => !texts.includes(name) && !absent.includes(name))).toEqual([]);
    expect(texts).toContain("zod");
  });
});
