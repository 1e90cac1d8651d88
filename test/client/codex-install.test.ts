/** If red: `plimsoll install --agent codex` breaks the file of settings of Codex, or does not take itself out again. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { createFolder } from "../gateway/open-gateway.ts";
import { runPlimsoll } from "../support/fake-terminal.ts";
import { fetchCodex } from "./run-codex.ts";

const CONFIG = `# my own words
model = "gpt-5.6"   # for now

[mcp_servers.docs]
command = "x"   # keep me
args = [
  "a",  # one
]

# last words
[tui]
notifications = true
`;

describe("plimsoll install --agent codex, with the real Codex", () => {
  let program = "";
  beforeAll(async () => {
    program = await fetchCodex();
  });

  function open(config?: string) {
    const home = createFolder();
    const folder = path.join(home, ".codex");
    const file = path.join(folder, "config.toml");
    mkdirSync(folder);
    if (config !== undefined) writeFileSync(file, config);
    const environment = { HOME: home, PATH: `${path.dirname(program)}:${process.env.PATH}` };
    return {
      home,
      file,
      cached: path.join(folder, "plugins/cache/plimsoll/plimsoll-classic/0.1.0/dist/codex.cjs"),
      read: () => readFileSync(file, "utf8"),
      backups: () => readdirSync(folder).filter((name) => name.includes("backup")),
      run: (...words: string[]) => runPlimsoll(words, { environment, directory: home }),
    };
  }

  it("shows it, asks first, does it once, mends it, and leaves the file as it was when it goes", async () => {
    const { home, read, run, cached, backups } = open(CONFIG);
    const shown = await run("install", "--agent", "codex", "--dry-run");
    expect(shown.output).toMatch(
      /would contain:[\s\S]*enabled = true[\s\S]*codex plugin add plimsoll-classic@plimsoll/,
    );
    expect(await run("install", "--agent", "codex")).toMatchObject({ exitCode: 1 });
    expect([read(), backups()]).toEqual([CONFIG, []]);
    expect(await run("install", "--agent", "codex", "--yes")).toMatchObject({ exitCode: 0 });
    const installed = read();
    expect(installed.startsWith(CONFIG)).toBe(true);
    expect(JSON.parse((await run("install", "--agent", "codex", "--yes", "--json")).output).status).toBe("already");
    expect([read(), backups().length]).toEqual([installed, 1]);
    writeFileSync(cached, "of another version");
    expect((await run("doctor")).output).toContain("is not the one in this package");
    expect(JSON.parse((await run("install", "--agent", "codex", "--yes", "--json")).output).status).toBe("installed");
    expect(readFileSync(cached, "utf8")).not.toBe("of another version");
    const { output } = await run("doctor");
    expect(output).toMatch(
      /Codex\n {2}agent +0\.166\.0, .*\n {2}plimsoll +plimsoll-classic@plimsoll from .*\n {2}hooks +no run yet/,
    );
    expect(await run("uninstall", "--agent", "codex", "--yes")).toMatchObject({ exitCode: 0 });
    expect(read()).toBe(CONFIG);
    expect(
      readdirSync(home, { recursive: true, encoding: "utf8" }).filter((name) => name.includes("plimsoll")),
    ).toEqual([]);
    expect((await run("uninstall", "--agent", "codex", "--yes")).output).toContain("does not mention Plimsoll");
  });

  it("leaves no file where there was none", async () => {
    const { file, run } = open();
    expect(await run("install", "--agent", "codex", "--yes")).toMatchObject({ exitCode: 0 });
    expect(existsSync(file)).toBe(true);
    expect(await run("uninstall", "--agent", "codex", "--yes")).toMatchObject({ exitCode: 0 });
    expect(existsSync(file)).toBe(false);
  });

  it("says what is wrong with a file that Codex cannot read, and changes nothing", async () => {
    const { read, run, backups } = open(`${CONFIG}broken = = 1\n`);
    const { exitCode, remarks } = await run("install", "--agent", "codex", "--yes");
    expect(exitCode).not.toBe(0);
    expect(remarks).toMatch(/nothing was changed \(.*config\.toml:13.*fix what Codex reports, then run this again/);
    expect([read(), backups()]).toEqual([`${CONFIG}broken = = 1\n`, []]);
  });
});
