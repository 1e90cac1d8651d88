/** If red: `plimsoll install` puts the wrong plugin into the client, or leaves something behind when it goes. */

import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { answer } from "../api/replies.ts";
import { createScriptedApi } from "../api/scripted-api.ts";
import { runPlimsoll } from "../support/fake-terminal.ts";
import { createBuildersProject } from "../support/packed-package.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";
import { CLIENT_VERSIONS, type ClientVersion, fetchClient } from "./fetch-client.ts";
import { runClient } from "./run-client.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const PLUGINS: Readonly<Record<ClientVersion, string>> = {
  "2.1.325": "plimsoll@plimsoll",
  "2.1.197": "plimsoll-classic@plimsoll",
};

const temporary = createTemporaryFolder();
/** Where the packed package is installed, once for both clients: packing takes longer than all else here. */
let builders: string | undefined;
function installPacked(): string {
  builders ??= createBuildersProject(temporary.name(""));
  return path.join(builders, "node_modules/plimsoll");
}

const opened: Workspace[] = [];

async function open(): Promise<Workspace> {
  const workspace = await createWorkspace();
  opened.push(workspace);
  return workspace;
}

afterEach(async () => {
  for (const workspace of opened.splice(0)) await workspace.remove();
});

/** Nothing but what stands here: no credential, and an address where nobody listens. */
function renderEnvironment(home: string) {
  return {
    HOME: home,
    PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`,
    TMPDIR: home,
    IS_SANDBOX: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    ANTHROPIC_API_KEY: "sk-ant-made-up",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
  };
}

const plimsoll = ({ home, cwd }: Workspace, ...words: readonly string[]) =>
  runPlimsoll(words, { environment: renderEnvironment(home), directory: cwd, nowMs: Date.now });

async function ask({ home, cwd }: Workspace, version: ClientVersion, ...words: readonly string[]): Promise<string> {
  const options = { env: renderEnvironment(home), cwd, timeout: 60_000 };
  return (await promisify(execFile)(await fetchClient(version), words, options)).stdout;
}

/** What the client says that it has, by its own account. */
async function listPlugins(workspace: Workspace, version: ClientVersion): Promise<unknown> {
  return JSON.parse(await ask(workspace, version, "plugin", "list", "--json"));
}

describe.each(CLIENT_VERSIONS)("installing into the client %s", (version) => {
  it("accepts the marketplace", async () => {
    expect(await ask(await open(), version, "plugin", "validate", ROOT)).toMatch(/Validation passed\s*$/);
  });

  it("takes the plugins from the packed package by its own commands, without ours", async () => {
    const workspace = await open();
    const packed = installPacked();
    for (const folder of ["", "plugin", "plugin-classic"])
      expect(await ask(workspace, version, "plugin", "validate", path.join(packed, folder))).toMatch(
        /Validation passed\s*$/,
      );
    await ask(workspace, version, "plugin", "marketplace", "add", packed);
    await ask(workspace, version, "plugin", "install", PLUGINS[version]);
    expect(await listPlugins(workspace, version)).toMatchObject([{ id: PLUGINS[version], enabled: true }]);
    await ask(workspace, version, "plugin", "uninstall", PLUGINS[version]);
    expect(await listPlugins(workspace, version)).toEqual([]);
  });

  it("has the right plugin on after install, the same settings after a second one, and none after uninstall", async () => {
    const workspace = await open();
    const before = '{\n\t"env": {"DEMO": "1"},\n\t"cleanupPeriodDays": 30\n}\n';
    await workspace.writeHome(".claude/settings.json", before);
    const file = path.join(workspace.home, ".claude", "settings.json");
    const client = await fetchClient(version);

    expect(await plimsoll(workspace, "install", "--yes", "--program", client)).toMatchObject({
      exitCode: 0,
      remarks: "",
    });
    expect(await listPlugins(workspace, version)).toMatchObject([
      { id: PLUGINS[version], scope: "user", enabled: true },
    ]);
    const after = readFileSync(file, "utf8");
    expect(after.startsWith('{\n\t"env": {"DEMO": "1"},\n\t"cleanupPeriodDays": 30,\n')).toBe(true);

    expect((await plimsoll(workspace, "install", "--yes", "--program", client)).output).toContain("already installed");
    expect(readFileSync(file, "utf8")).toBe(after);
    expect((await plimsoll(workspace, "doctor", "--program", client)).output).toContain(PLUGINS[version]);

    expect(await plimsoll(workspace, "uninstall", "--yes", "--program", client)).toMatchObject({ exitCode: 0 });
    expect(await listPlugins(workspace, version)).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe(before);
    const left = readdirSync(workspace.home, { recursive: true, encoding: "utf8" });
    expect(left.filter((name) => name.includes("plimsoll"))).toEqual([]);
  });
});

it("switches the plugin when the client is updated", async () => {
  const workspace = await open();
  for (const version of ["2.1.197", "2.1.325"] as const) {
    await plimsoll(workspace, "install", "--yes", "--program", await fetchClient(version));
    expect(await listPlugins(workspace, version)).toMatchObject([{ id: PLUGINS[version], enabled: true }]);
  }
});

it("is taken up from the settings alone by the next session, where no client could be asked", async () => {
  const workspace = await open();
  const { home, cwd } = workspace;
  await plimsoll(workspace, "install", "--yes", "--classic");
  const api = await createScriptedApi({ main: [answer("Aye.")] });
  await runClient({ version: "2.1.325", prompts: ["Ready?"], home, cwd, apiUrl: api.url });
  await api.close();
  const { doors: entryPoints } = JSON.parse((await plimsoll(workspace, "doctor", "--json")).output);
  expect(entryPoints).toContainEqual(expect.objectContaining({ door: "hook", event: "SessionStart", isAlive: true }));
});
