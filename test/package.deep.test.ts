/** If red: the installed package lacks a file, a type or a command. */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { beforeAll, describe, expect, it } from "vitest";
import { hasPostgres, openPostgres } from "./gateway/postgres.ts";
import { needs } from "./support/needs.ts";
import { packPackage } from "./support/packed-package.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const { folder } = createTemporaryFolder();
const { exports }: { readonly exports: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(path.resolve(import.meta.dirname, "../package.json"), "utf8"),
);
const SUBPATHS = Object.keys(exports)
  .filter((name) => !name.endsWith(".json"))
  .map((name) => path.posix.join("plimsoll", name));
/** Somewhere that no other project lies above, so that nothing of ours is found by chance. */
const project = path.join(folder, "empty");
const home = path.join(folder, "home");
const environment = { PATH: process.env.PATH ?? "", HOME: home, LANG: "C.UTF-8" };
const program = path.join(project, "node_modules/.bin/plimsoll");

beforeAll(() => {
  for (const each of [project, home]) mkdirSync(each, { recursive: true });
  writeFileSync(path.join(project, "package.json"), "{}");
  const words = ["install", "--offline", "--no-audit", "--no-fund", packPackage(folder)];
  const { status, stderr } = spawnSync("npm", words, { cwd: project, env: environment, encoding: "utf8" });
  expect(status, stderr).toBe(0);
});

function run(words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: project, env: environment, encoding: "utf8" });
  expect(status, stderr).toBe(0);
  return stdout;
}

/** Starts what serves until it is told to end, waits for a word of it, asks something, and ends it. */
async function serve(words: readonly string[], said: RegExp, ask: (found: string) => Promise<void>): Promise<void> {
  const child = spawn(program, words, { cwd: project, env: environment });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let heard = "";
  for (const pipe of [child.stdout, child.stderr]) pipe.on("data", (bytes) => (heard += bytes));
  try {
    await expect.poll(() => heard).toMatch(said);
    await ask(said.exec(heard)?.[1] ?? "");
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

describe("the packed package, installed into an empty folder", () => {
  it("is one package of less than 10 MB on the disk", () => {
    const packages = readdirSync(path.join(project, "node_modules")).filter((name) => !name.startsWith("."));
    expect(packages).toEqual(["plimsoll"]);
    const [kilobytes] = spawnSync("du", ["-sk", "node_modules"], { cwd: project, encoding: "utf8" }).stdout.split("\t");
    expect(Number(kilobytes) * 1024).toBeLessThan(10e6);
  });

  it("says something of the sample before there is a session", () => {
    expect(run([])).toContain("this is the sample session that comes with Plimsoll");
    expect(run(["now", "--json"])).toContain('"isSample": true');
  });

  it("is a library by every subpath, for programs of ES modules and of CommonJS", () => {
    const text = SUBPATHS.map((name) => `await import("${name}");`).join("\n");
    writeFileSync(path.join(project, "import.mjs"), `${text}\nconsole.log("all there")`);
    writeFileSync(path.join(project, "require.cjs"), 'console.log(typeof require("plimsoll").compact)');
    const runFile = (file: string) => spawnSync(process.execPath, [file], { cwd: project, encoding: "utf8" });
    expect(runFile("import.mjs")).toMatchObject({ stdout: "all there\n", stderr: "" });
    expect(runFile("require.cjs").stdout).toBe("function\n");
  });

  it.for(["5.4", "7.0"])(
    "has types that TypeScript %s takes strictly, its own and every library's",
    (version, { skip }) => {
      const compiler = path.join(folder, `typescript-${version}`);
      mkdirSync(compiler);
      const words = [
        "install",
        "--no-audit",
        "--no-fund",
        "--prefix",
        compiler,
        `typescript@${version}`,
        "@types/node@20",
      ];
      // With the person's own settings: where packages come from is written there.
      const { status, stderr } = spawnSync("npm", words, { cwd: compiler, encoding: "utf8" });
      skip(status !== 0, `npm cannot fetch typescript@${version} here: ${stderr.trim().split("\n").at(-1)}`);
      const uses = SUBPATHS.map(
        (name, at) => `import * as m${at} from "${name}";\nexport const n${at} = Object.keys(m${at});`,
      );
      writeFileSync(path.join(project, "types.mts"), uses.join("\n"));
      const tsc = path.join(compiler, "node_modules/typescript/bin/tsc");
      const strict = ["--strict", "--skipLibCheck", "false", "--noEmit", "--target", "es2022", "--lib", "es2023,dom"];
      const types = ["--types", "node", "--typeRoots", path.join(compiler, "node_modules/@types")];
      for (const [module, resolution] of [
        ["nodenext", "nodenext"],
        ["esnext", "bundler"],
      ] as const) {
        const asked = [...strict, ...types, "--module", module, "--moduleResolution", resolution, "types.mts"];
        expect(spawnSync(process.execPath, [tsc, ...asked], { cwd: project, encoding: "utf8" }).stdout, module).toBe(
          "",
        );
      }
    },
  );

  it("serves the page", () =>
    serve(["dashboard", "--no-open", "--port", "0"], /(http:\/\/127\.0\.0\.1:\d+\/\S*)/, async (url) => {
      const page = await fetch(url);
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<title>")]);
    }));

  it("is a gateway, with a store in files", () =>
    serve(["gateway", "--port", "0", "--json"], /"url": "([^"]+)"/, async (url) => {
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
    }));

  needs(hasPostgres, "no PostgreSQL for this machine").it(
    "is a gateway with a database, whose driver it brings",
    async () => {
      const postgres = await openPostgres();
      try {
        run(["gateway", "--migrate", "--store", postgres.url]);
        await serve(["gateway", "--port", "0", "--json", "--store", postgres.url], /"url": "([^"]+)"/, async (url) => {
          expect((await fetch(`${url}/readyz`)).status).toBe(200);
        });
      } finally {
        await postgres.remove();
      }
    },
  );

  it("is a server for MCP clients", async () => {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StdioClientTransport({ command: program, args: ["mcp"], cwd: project, env: environment }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("recall");
    await client.close();
  });
});
