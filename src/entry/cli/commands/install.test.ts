/** If red: plimsoll install damages the person's settings, asks nothing first, or leaves something behind. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";

const temporary = createTemporaryFolder();
const ROOT = path.resolve(import.meta.dirname, "../../../..");

interface World {
  readonly home: string;
  readonly directory: string;
  readonly file: string;
}

/** A home of its own; `undefined` as settings makes none. */
function createWorld(settings?: string): World {
  const home = temporary.name("-home");
  const directory = path.join(home, "project");
  mkdirSync(path.join(home, ".claude"), { recursive: true });
  mkdirSync(directory);
  const file = path.join(home, ".claude", "settings.json");
  if (settings !== undefined) writeFileSync(file, settings);
  return { home, directory, file };
}

/** A client that says its version and notes what it is asked to do. */
function createClient({ home }: World, version: string): string {
  const client = path.join(home, "claude");
  writeFileSync(
    client,
    `#!/bin/sh\n[ "$1" = --version ] && echo "${version} (Claude Code)" || echo "$@" >> ${home}/asked\n`,
  );
  chmodSync(client, 0o755);
  return client;
}

const run = ({ home, directory }: World, ...words: readonly string[]) =>
  runPlimsoll(words, { environment: { HOME: home }, directory });
const read = ({ file }: World): string => readFileSync(file, "utf8");
const listBackups = ({ file }: World): readonly string[] =>
  readdirSync(path.dirname(file)).filter((name) => name.includes("plimsoll-backup"));

describe("plimsoll install", () => {
  it("declares the marketplace and switches the plugin on, keeping every other byte", async () => {
    const world = createWorld('{\n\t"zeta": 1.0,\n\t"model": "opus", "permissions": {"allow": []}\n}');
    expect(await run(world, "install", "--yes", "--classic")).toMatchObject({ exitCode: 0, remarks: "" });
    expect(read(world)).toMatch(/^\{\n\t"zeta": 1\.0,\n\t"model": "opus", "permissions": \{"allow": \[\]\},\n\t"extra/);
    expect(JSON.parse(read(world))).toMatchObject({
      model: "opus",
      extraKnownMarketplaces: { plimsoll: { source: { source: "directory", path: ROOT } } },
      enabledPlugins: { "plimsoll-classic@plimsoll": true },
    });
  });

  it("keeps a copy of what was there, and the file's mode", async () => {
    const before = '{"a": 1}';
    const world = createWorld(before);
    chmodSync(world.file, 0o640);
    await run(world, "install", "--yes", "--module");
    const [backup = ""] = listBackups(world);
    expect(backup).toMatch(/^settings\.json\.plimsoll-backup-\d{8}T\d{6}Z$/);
    expect(readFileSync(path.join(path.dirname(world.file), backup), "utf8")).toBe(before);
    expect(statSync(world.file).mode & 0o777).toBe(0o640);
  });

  it("does nothing the second time, and makes no second copy", async () => {
    const world = createWorld("{}");
    await run(world, "install", "--yes", "--module");
    const [text, backups] = [read(world), listBackups(world)];
    const { output, exitCode } = await run(world, "install", "--yes", "--module");
    expect({ output, exitCode }).toEqual({
      output: "plimsoll@plimsoll: already installed, nothing to change.\n",
      exitCode: 0,
    });
    expect([read(world), listBackups(world)]).toEqual([text, backups]);
  });

  it.each(['{"a": 1,}', "// mine\n{}", "", "[]", '{"enabledPlugins": []}'])("never touches %j", async (text) => {
    const world = createWorld(text);
    const { exitCode, remarks } = await run(world, "install", "--yes", "--module");
    expect({ exitCode, text: read(world), backups: listBackups(world) }).toEqual({ exitCode: 2, text, backups: [] });
    expect(remarks).toMatch(/settings\.json.*nothing was changed/);
  });

  it("shows the diff, says how to go on and changes nothing where it can ask nobody", async () => {
    const world = createWorld('{"a": 1}');
    const { exitCode, output, remarks } = await run(world, "install", "--module");
    expect(exitCode).toBe(1);
    expect(output).toContain('- {"a": 1}\n+ {"a": 1, "extraKnownMarketplaces"');
    expect(remarks).toContain("--yes");
    expect(read(world)).toBe('{"a": 1}');
  });

  it.each([
    ["2.1.325", ["plimsoll@plimsoll"]],
    ["2.1.304", ["plimsoll-classic@plimsoll"]],
    ["2.1.139", ["plimsoll-classic@plimsoll"]],
  ])("chooses for Claude Code %s: %j", async (version, plugins) => {
    const world = createWorld();
    const client = createClient(world, version);
    const { output } = await run(world, "install", "--yes", "--json", "--program", client);
    expect(JSON.parse(output)).toMatchObject({ status: "installed", plugins, client: { path: client, version } });
    expect(JSON.parse(read(world)).enabledPlugins).toEqual({ [plugins[0] ?? ""]: true });
    expect(readFileSync(path.join(world.home, "asked"), "utf8")).toBe(
      `plugin marketplace add ${ROOT}\nplugin install ${plugins[0]} --scope user\n`,
    );
  });

  it("switches the plugin when the client was updated", async () => {
    const world = createWorld('{\n  "a": 1\n}\n');
    await run(world, "install", "--yes", "--program", createClient(world, "2.1.197"));
    await run(world, "install", "--yes", "--program", createClient(world, "2.1.325"));
    expect(JSON.parse(read(world)).enabledPlugins).toEqual({ "plimsoll@plimsoll": true });
    await run(world, "uninstall", "--yes");
    expect(read(world)).toBe('{\n  "a": 1\n}\n');
  });

  it("puts marked hooks into the settings of a client that cannot run the plugins, of events that it knows", async () => {
    const own = { hooks: { SessionStart: [{ hooks: [{ type: "command", command: "mine" }] }] } };
    const before = JSON.stringify(own, null, 2);
    const world = createWorld(before);
    const client = createClient(world, "1.0.70");
    await run(world, "install", "--yes", "--program", client);
    const { hooks, enabledPlugins } = JSON.parse(read(world));
    expect(enabledPlugins).toBeUndefined();
    expect(Object.keys(hooks)).not.toContain("SessionEnd");
    expect(hooks.SessionStart).toMatchObject([own.hooks.SessionStart[0], { hooks: [{ type: "command" }] }]);
    expect(hooks.SessionStart[1].hooks[0].command).toMatch(/^node "?\/.*\/dist\/hook\.cjs"? SessionStart # plimsoll$/);
    expect((await run(world, "install", "--yes", "--program", client)).output).toContain("already installed");
    writeFileSync(world.file, read(world).replace('"mine"', '"mine too"'));
    await run(world, "uninstall", "--yes");
    expect(read(world)).toBe(before.replace('"mine"', '"mine too"'));
  });

  it.each([
    [["--module"], "2.1.197", "update it (claude update), or install without --module"],
    [[], "1.0.20", "has no hooks: update it"],
    [["--module", "--classic"], "2.1.325", "not both"],
    [["--scope", "project"], "2.1.325", "claude plugin install plimsoll@plimsoll --scope project"],
    [["--constructor"], "2.1.325", "has no option --constructor: see: plimsoll install --help"],
  ])("refuses %j with Claude Code %s", async (words, version, hint) => {
    const world = createWorld("{}");
    const { exitCode, remarks } = await run(
      world,
      "install",
      "--yes",
      "--program",
      createClient(world, version),
      ...words,
    );
    expect({ exitCode, hint: remarks.includes(hint), text: read(world) }).toEqual({
      exitCode: 2,
      hint: true,
      text: "{}",
    });
  });

  it("refuses a client that is not there", async () => {
    const { exitCode, remarks } = await run(createWorld(), "install", "--program", "/nowhere/claude");
    expect({ exitCode, remarks }).toMatchObject({ exitCode: 2, remarks: expect.stringContaining("--program") });
  });

  it("adds a status line only when asked, and only where there is none", async () => {
    const [free, taken] = [createWorld("{}"), createWorld('{"statusLine": {"type": "command", "command": "mine"}}')];
    expect((await run(free, "install", "--yes", "--classic")).output).toContain("plimsoll install --status-line");
    expect(JSON.parse(read(free)).statusLine).toBeUndefined();
    await run(free, "install", "--yes", "--classic", "--status-line");
    expect(JSON.parse(read(free)).statusLine.command).toMatch(/statusline\.cjs # plimsoll$/);
    const { output } = await run(taken, "install", "--yes", "--classic", "--status-line");
    expect(output).toContain("stays as it is");
    expect(JSON.parse(read(taken)).statusLine.command).toBe("mine");
  });

  it("writes through a link in the home", async () => {
    const world = createWorld();
    const real = temporary.name(".json");
    writeFileSync(real, "{}");
    symlinkSync(real, world.file);
    await run(world, "install", "--yes", "--module");
    expect(readFileSync(real, "utf8")).toContain("plimsoll@plimsoll");
  });

  it("goes away again to the last byte, from any settings", async () => {
    await fc.assert(
      fc.asyncProperty(arbitrarySettings(), async (text) => {
        const world = createWorld(text);
        await run(world, "install", "--yes", "--classic", "--status-line");
        expect(read(world)).not.toBe(text);
        expect(await run(world, "uninstall", "--yes")).toMatchObject({ exitCode: 0 });
        expect(read(world)).toBe(text);
      }),
      { numRuns: 60 },
    );
  });

  it("gives every documented field as JSON, and no field that is not documented", async () => {
    const { output } = await run(createWorld(), "install", "--dry-run", "--json");
    expect(Object.keys(JSON.parse(output))).toEqual(readDocumented("install"));
  });
});

function readDocumented(command: string): readonly string[] | undefined {
  const section = readFileSync(path.join(ROOT, "docs/reference/json.md"), "utf8").split(
    `## \`plimsoll ${command} --json\``,
  )[1];
  return /`\{ ([^}]*) \}`/.exec(section?.split("\n## ")[0] ?? "")?.[1]?.split(/,\s+/);
}

/** What people have in their settings, next to things of the same kind as ours, in any layout. */
function arbitrarySettings(): fc.Arbitrary<string> {
  const other = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  const near = fc.record(
    {
      enabledPlugins: fc.dictionary(fc.stringMatching(/^[a-z]+@[a-z]+$/), fc.boolean(), { maxKeys: 2 }),
      extraKnownMarketplaces: fc.constantFrom({}, { acme: { source: { source: "github", repo: "acme/x" } } }),
      statusLine: fc.constant({ type: "command", command: "mine" }),
      hooks: fc.constantFrom({}, { Stop: [] }, { Stop: [{ hooks: [{ type: "command", command: "mine" }] }] }),
    },
    { requiredKeys: [] },
  );
  const layout = fc.constantFrom("", " ", "  ", "\t");
  return fc
    .tuple(other, near, layout, fc.boolean(), fc.constantFrom("", "\n", "\r\n"))
    .map(([a, b, indent, isLast, end]) => {
      const text = JSON.stringify(isLast ? { ...a, ...b } : { ...b, ...a }, null, indent).replaceAll("{}", "{ }");
      return (end === "\r\n" ? text.replaceAll("\n", "\r\n") : text) + end;
    });
}
