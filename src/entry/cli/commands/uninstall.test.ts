/** If red: plimsoll uninstall takes away something of the person's own or leaves hooks behind. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";

const temporary = createTemporaryFolder();

function createHome(settings?: string): string {
  const home = temporary.name("-home");
  mkdirSync(path.join(home, ".claude"), { recursive: true });
  mkdirSync(path.join(home, "project"));
  if (settings !== undefined) writeFileSync(locate(home), settings);
  return home;
}

const locate = (home: string): string => path.join(home, ".claude", "settings.json");
const read = (home: string): string => readFileSync(locate(home), "utf8");
const run = (home: string, ...words: readonly string[]) =>
  runPlimsoll(words, { environment: { HOME: home }, directory: path.join(home, "project") });

/** What sessions and commands leave behind. */
async function record(home: string): Promise<void> {
  const data = path.join(home, ".claude", "data");
  for (const folder of ["plimsoll/sessions/s1", "compressed_context"])
    mkdirSync(path.join(data, folder), { recursive: true });
  writeFileSync(path.join(data, "plimsoll", "sessions", "s1", "state.json"), "x".repeat(200_000));
  writeFileSync(path.join(data, "compressed_context", "0a1b2c3d4e5f.json"), "{}");
  await run(home, "budget", "--day", "20");
  await run(home, "statusline", "--segments", "load,today", "--save");
}

describe("plimsoll uninstall", () => {
  it("takes away the file that install made", async () => {
    const home = createHome();
    await run(home, "install", "--yes", "--module");
    expect(existsSync(locate(home))).toBe(true);
    await run(home, "uninstall", "--yes");
    expect(existsSync(locate(home))).toBe(false);
  });

  it("leaves what others have written since, in every layout that it is written in", async () => {
    const home = createHome('{\n  "a": 1\n}\n');
    await run(home, "install", "--yes", "--classic", "--status-line");
    writeFileSync(
      locate(home),
      read(home).replace('"a": 1', '"a": 2').replace('": true\n', '": true,\n    "x@y": true\n'),
    );
    await run(home, "uninstall", "--yes");
    expect(read(home)).toBe('{\n  "a": 2,\n  "enabledPlugins": {\n    "x@y": true\n  }\n}\n');
  });

  it("leaves what others have written between two installs", async () => {
    const home = createHome('{\n  "a": 1\n}\n');
    await run(home, "install", "--yes", "--module");
    writeFileSync(locate(home), read(home).replace('"a": 1', '"a": 2'));
    await run(home, "install", "--yes", "--classic", "--status-line");
    expect(read(home)).toContain("statusLine");
    await run(home, "uninstall", "--yes");
    expect(JSON.parse(read(home))).toEqual({ a: 2 });
  });

  it("works from the settings alone where its notes and copies are gone", async () => {
    const home = createHome('{\n  "a": 1\n}\n');
    await run(home, "install", "--yes", "--module");
    rmSync(path.join(home, ".claude", "data"), { recursive: true });
    for (const name of readdirSync(path.join(home, ".claude")).filter((name) => name.includes("backup")))
      rmSync(path.join(home, ".claude", name));
    await run(home, "uninstall", "--yes");
    expect(JSON.parse(read(home))).toEqual({ a: 1 });
  });

  it("undoes what an earlier version wrote into a project's file, and says in which projects the person's own install is left", async () => {
    const home = createHome();
    await run(home, "install", "--yes", "--module");
    const file = path.join(home, "project", ".claude", "settings.json");
    mkdirSync(path.dirname(file));
    writeFileSync(file, '{ "enabledPlugins": { "plimsoll@plimsoll": true }, "b": {} }');
    const notes = path.join(home, ".claude/data/plimsoll/install.json");
    const known = JSON.parse(readFileSync(notes, "utf8"));
    const older = { path: file, beforeSha256: "", afterSha256: "", made: [["enabledPlugins"]] };
    writeFileSync(notes, JSON.stringify({ ...known, files: [...known.files, older] }));
    const plugins = path.join(home, ".claude", "plugins");
    mkdirSync(plugins);
    const own = [{ scope: "project", projectPath: "/srv/keel" }];
    writeFileSync(
      path.join(plugins, "installed_plugins.json"),
      JSON.stringify({ plugins: { "plimsoll@plimsoll": own } }),
    );
    const { output } = await run(home, "uninstall", "--yes");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ b: {} });
    expect(output).toContain("still switched on in /srv/keel: run claude plugin uninstall");
  });

  it("leaves an empty object of the person's own, and no file of its own in which the client left empty ones", async () => {
    const theirs = createHome('{ "extraKnownMarketplaces": {}, "a": 1 }');
    await run(theirs, "uninstall", "--yes");
    expect(JSON.parse(read(theirs))).toEqual({ extraKnownMarketplaces: {}, a: 1 });
    const ours = createHome();
    await run(ours, "install", "--yes", "--module");
    writeFileSync(locate(ours), '{ "enabledPlugins": {}, "extraKnownMarketplaces": {} }');
    await run(ours, "uninstall", "--yes");
    expect(existsSync(locate(ours))).toBe(false);
  });

  it("does nothing the second time", async () => {
    const home = createHome("{}");
    await run(home, "install", "--yes", "--module");
    await run(home, "uninstall", "--yes");
    const before = readdirSync(path.join(home, ".claude"));
    const { output, exitCode } = await run(home, "uninstall");
    expect({ exitCode, isQuiet: output.startsWith("Plimsoll is not installed here") }).toEqual({
      exitCode: 0,
      isQuiet: true,
    });
    expect(readdirSync(path.join(home, ".claude"))).toEqual(before);
  });

  it("asks first: without --yes and a person it changes nothing", async () => {
    const home = createHome("{}");
    await run(home, "install", "--yes", "--module");
    const before = read(home);
    const { exitCode, output } = await run(home, "uninstall");
    expect({ exitCode, text: read(home) }).toEqual({ exitCode: 1, text: before });
    expect(output).toContain('-     "plimsoll@plimsoll": true');
  });

  it("leaves the home as it was before the install, whatever was recorded since", async () => {
    const home = createHome("{}");
    const list = () => readdirSync(home, { recursive: true, encoding: "utf8" }).sort();
    mkdirSync(path.join(home, ".claude", "projects", "p"), { recursive: true });
    writeFileSync(path.join(home, ".claude", "projects", "p", "s1.jsonl"), "");
    const before = list();
    await run(home, "install", "--yes", "--module");
    await record(home);
    expect(list().length).toBeGreaterThan(before.length + 5);
    const planned = (await run(home, "uninstall", "--dry-run")).output;
    expect(planned).toMatch(/Would be removed, .* \(\d+ files, 0\.2 MB\):/);
    const { output } = await run(home, "uninstall", "--yes");
    expect(output).toContain(path.join(home, ".claude", "plimsoll.json"));
    expect(output).not.toContain("backup: ");
    expect(list()).toEqual(before);
  });

  it("leaves what was recorded where that is asked for, and removes it the next time", async () => {
    const home = createHome("{}");
    await run(home, "install", "--yes", "--module");
    await record(home);
    expect((await run(home, "uninstall", "--keep", "--yes")).output).toContain("What Plimsoll recorded stays");
    const data = path.join(home, ".claude", "data");
    expect(readdirSync(path.join(data, "plimsoll"))).toContain("sessions");
    expect(existsSync(path.join(data, "plimsoll", "install.json"))).toBe(false);
    writeFileSync(path.join(data, "compressed_context", "notes.txt"), "The person's own.");
    await run(home, "uninstall", "--yes");
    expect(readdirSync(data, { recursive: true, encoding: "utf8" })).toEqual([
      "compressed_context",
      path.join("compressed_context", "notes.txt"),
    ]);
  });

  it("removes nothing that another agent still uses, and all of it with the last one", async () => {
    const home = createHome("{}");
    mkdirSync(path.join(home, ".config"));
    writeFileSync(path.join(home, ".config", "own"), "");
    await run(home, "install", "--yes", "--module");
    await run(home, "install", "--agent", "opencode");
    await record(home);
    expect((await run(home, "uninstall", "--yes")).output).toContain("OpenCode still uses it");
    expect(existsSync(path.join(home, ".claude", "data", "plimsoll", "sessions"))).toBe(true);
    expect(await run(home, "uninstall", "--agent", "opencode")).toMatchObject({ exitCode: 1 });
    await run(home, "uninstall", "--agent", "opencode", "--yes");
    expect(readdirSync(home, { recursive: true }).sort()).toEqual(
      [".claude", path.join(".claude", "settings.json"), ".config", path.join(".config", "own"), "project"].sort(),
    );
  });

  it("puts the person's own text back after the client has written the settings its way", async () => {
    const before = '{\n\t"b": [1,2],\n\t"a": 1\n}';
    const home = createHome(before);
    const client = path.join(home, "claude");
    const rewrite =
      "const f=process.argv[1];const fs=require('fs');fs.writeFileSync(f,JSON.stringify(JSON.parse(fs.readFileSync(f))))";
    writeFileSync(
      client,
      `#!/bin/sh\n[ "$1" = --version ] && echo 2.1.325 || "${process.execPath}" -e "${rewrite}" ${locate(home)}\n`,
    );
    chmodSync(client, 0o755);
    await run(home, "install", "--yes", "--program", client);
    expect(read(home)).toContain('\t"b": [1,2],\n');
    await run(home, "uninstall", "--yes", "--program", client);
    expect(read(home)).toBe(before);
  });

  it("gives every documented field as JSON, and no field that is not documented", async () => {
    const json = readFileSync(new URL("../../../../docs/reference/json.md", import.meta.url), "utf8");
    const section = json.split("## `plimsoll uninstall --json`")[1]?.split("\n## ")[0] ?? "";
    const { output } = await run(createHome(), "uninstall", "--json");
    expect(Object.keys(JSON.parse(output))).toEqual(/`\{ ([^}]*) \}`/.exec(section)?.[1]?.split(/,\s+/));
  });
});
