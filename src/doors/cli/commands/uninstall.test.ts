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

  it("works from the settings alone where its notes and copies are gone", async () => {
    const home = createHome('{\n  "a": 1\n}\n');
    await run(home, "install", "--yes", "--module");
    rmSync(path.join(home, ".claude", "data"), { recursive: true });
    for (const name of readdirSync(path.join(home, ".claude")).filter((name) => name.includes("backup")))
      rmSync(path.join(home, ".claude", name));
    await run(home, "uninstall", "--yes");
    expect(JSON.parse(read(home))).toEqual({ a: 1, enabledPlugins: {}, extraKnownMarketplaces: {} });
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

  it("leaves the data and says where they are; --purge shows their size and removes them", async () => {
    const home = createHome("{}");
    const data = path.join(home, ".claude", "data", "plimsoll");
    await run(home, "install", "--yes", "--module");
    mkdirSync(path.join(data, "sessions", "s1"), { recursive: true });
    writeFileSync(path.join(data, "sessions", "s1", "state.json"), "x".repeat(200_000));
    const cold = path.join(home, ".claude", "data", "compressed_context");
    mkdirSync(cold);
    for (const name of ["0a1b2c3d4e5f.json", "notes.txt"]) writeFileSync(path.join(cold, name), "{}");
    expect((await run(home, "uninstall", "--yes")).output).toContain(`stay in ${data}`);
    expect((await run(home, "uninstall", "--purge", "--dry-run")).output).toContain("1 file, 0.2 MB");
    expect(existsSync(data)).toBe(true);
    await run(home, "uninstall", "--purge", "--yes");
    expect(existsSync(data)).toBe(false);
    expect(readdirSync(cold)).toEqual(["notes.txt"]);
  });

  it("keeps the marketplace known while a project still uses it", async () => {
    const home = createHome('{"a": 1}');
    await run(home, "install", "--yes", "--module");
    await run(home, "install", "--yes", "--module", "--scope", "project");
    expect((await run(home, "uninstall", "--yes")).output).toContain("the marketplace stays known");
    expect(JSON.parse(read(home))).toMatchObject({ a: 1, extraKnownMarketplaces: { plimsoll: {} } });
    await run(home, "uninstall", "--yes", "--scope", "project");
    expect(JSON.parse(read(home))).toEqual({ a: 1 });
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
    await run(home, "install", "--yes", "--client", client);
    expect(read(home)).toContain('\t"b": [1,2],\n');
    await run(home, "uninstall", "--yes", "--client", client);
    expect(read(home)).toBe(before);
  });

  it("gives every documented field as JSON, and no field that is not documented", async () => {
    const json = readFileSync(new URL("../../../../docs/json.md", import.meta.url), "utf8");
    const section = json.split("## `plimsoll uninstall --json`")[1]?.split("\n## ")[0] ?? "";
    const { output } = await run(createHome(), "uninstall", "--json");
    expect(Object.keys(JSON.parse(output))).toEqual(/`\{ ([^}]*) \}`/.exec(section)?.[1]?.split(/,\s+/));
  });
});
