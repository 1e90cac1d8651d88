/** If red: the plugin does not fit the OpenCode that people install. */

import { execFile } from "node:child_process";
import { access, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { fetchPackages } from "../client/fetch-packages.ts";

const VERSION = "1.18.33";
const ROOT = join(import.meta.dirname, "../..");

function fetchTypes(): Promise<string> {
  return fetchPackages({
    name: `opencode-plugin-${VERSION}`,
    packages: [`@opencode-ai/plugin@${VERSION}`],
    find: async (folder) => {
      const modules = join(folder, "node_modules");
      return access(join(modules, "@opencode-ai/plugin/package.json")).then(
        () => modules,
        () => null,
      );
    },
  });
}

/** `Config` of version 1 does not name `compaction`, which the client takes: that hook is tried in the client alone. */
const PROGRAM = `
import type { Hooks, PluginInput } from "@opencode-ai/plugin";
import plugin from "${ROOT}/src/entry/opencode/register.ts";

type Ours = Awaited<ReturnType<typeof plugin.server>>;
declare const ours: Ours;
declare const input: PluginInput;
export const served: Promise<Ours> = plugin.server(input);
export const hooks: Pick<Hooks, "tool.execute.after" | "chat.params" | "experimental.chat.messages.transform"> = ours;
`;

const OPTIONS = {
  compilerOptions: {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, target: "es2024" },
    ...{
      module: "nodenext",
      moduleResolution: "nodenext",
      types: ["node"],
      typeRoots: [join(ROOT, "node_modules/@types")],
    },
  },
  files: ["check.ts"],
};

/** What the compiler has against a program; empty where nothing. */
async function compile(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-types-"));
  try {
    await symlink(await fetchTypes(), join(folder, "node_modules"));
    await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
    await writeFile(join(folder, "check.ts"), program);
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(OPTIONS));
    const run = promisify(execFile)(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder], { cwd: folder });
    return await run.then(
      () => "",
      ({ stdout }: { stdout: string }) => stdout,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

it("fits the types that OpenCode publishes", async () => {
  expect(await compile(PROGRAM)).toBe("");
  expect(await compile(`${PROGRAM}\nexport const wrong: Pick<Hooks, "chat.params"> = { "chat.params": 1 };`)).toContain(
    "error TS",
  );
});
