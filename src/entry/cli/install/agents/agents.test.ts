/** If red: installing into OpenCode, pi or Codex overwrites a file of somebody else or leaves a line behind. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";

const temporary = createTemporaryFolder();

function createHome(): {
  readonly home: string;
  readonly file: string;
  run(...words: string[]): ReturnType<typeof runPlimsoll>;
} {
  const home = temporary.name("-home");
  mkdirSync(home);
  const file = path.join(home, ".config/opencode/plugin/plimsoll.js");
  return {
    home,
    file,
    run: (...words) => runPlimsoll(words, { environment: { HOME: home }, directory: home }),
  };
}

describe("plimsoll install --agent", () => {
  it("puts one line into OpenCode's plugin folder, once, and shows it first where asked", async () => {
    const { file, run } = createHome();
    expect((await run("install", "--agent", "opencode", "--dry-run")).output).toContain("would contain:");
    expect(existsSync(file)).toBe(false);
    expect(await run("install", "--agent", "opencode")).toMatchObject({ exitCode: 0 });
    expect(readFileSync(file, "utf8")).toMatch(/^export \{ default \} from ".*\/dist\/opencode\.js";\n$/);
    expect(JSON.parse((await run("install", "--agent", "opencode", "--json")).output)).toMatchObject({
      status: "already",
      file,
    });
  });

  it("leaves a file of somebody else's where it is", async () => {
    const { file, run } = createHome();
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "export default 1;\n");
    expect((await run("install", "--agent", "opencode")).exitCode).not.toBe(0);
    expect(readFileSync(file, "utf8")).toBe("export default 1;\n");
  });

  it("says what to type for pi, and changes nothing", async () => {
    const { home, run } = createHome();
    expect((await run("install", "--agent", "pi")).output).toMatch(/pi install \//);
    expect(existsSync(path.join(home, ".pi"))).toBe(false);
  });

  it("takes the line out again, and says where there is none", async () => {
    const { file, run } = createHome();
    await run("install", "--agent", "opencode");
    expect((await run("uninstall", "--agent", "opencode", "--dry-run")).output).toContain("would no longer contain:");
    expect(existsSync(file)).toBe(true);
    expect(await run("uninstall", "--agent", "opencode")).toMatchObject({ exitCode: 0 });
    expect(existsSync(file)).toBe(false);
    expect((await run("uninstall", "--agent", "opencode")).output).toContain("does not mention Plimsoll");
    expect((await run("uninstall", "--agent", "pi")).output).toMatch(/pi remove \//);
  });

  it("is about the one agent that the person uses, where Claude Code is not found", async () => {
    const { home, file, run } = createHome();
    const use = (folder: string) => mkdirSync(path.join(home, folder), { recursive: true });
    use(".gemini/tmp");
    expect((await run("install", "--dry-run")).remarks).toContain("Plimsoll cannot run inside Gemini CLI");
    use(".local/share/opencode");
    expect(await run("install", "--dry-run")).toMatchObject({
      output: expect.stringContaining(`${file} would contain:`),
      remarks: expect.stringContaining("Claude Code was not found here, so this is about the agent opencode."),
    });
    expect((await run("install", "--module", "--dry-run")).output).toContain("enabledPlugins");
    use(".pi/agent");
    expect((await run("install", "--dry-run")).remarks).toContain(
      "plimsoll install --agent pi, or plimsoll install --agent opencode",
    );
    use(".claude");
    expect((await run("install", "--dry-run")).output).toContain("enabledPlugins");
    expect(existsSync(file)).toBe(false);
  });

  it("refuses what is about Claude Code alone", async () => {
    const { run } = createHome();
    const { exitCode, remarks } = await run("install", "--agent", "codex", "--classic");
    expect([exitCode, remarks]).toEqual([
      2,
      expect.stringContaining("--classic is for Claude Code only: leave it out"),
    ]);
  });

  it("says what to do where Codex is not found, and where it has no plugins yet, and leaves its file as it was", async () => {
    const { home, run } = createHome();
    const file = path.join(home, ".codex/config.toml");
    mkdirSync(path.dirname(file));
    writeFileSync(file, "# mine\n");
    expect((await run("install", "--agent", "codex", "--yes")).remarks).toContain(
      "put it on PATH, or pass its path: plimsoll install --agent codex --program PATH",
    );
    const old = path.join(home, "codex");
    writeFileSync(
      old,
      `#!/bin/sh\n[ "$1" = plugin ] || exit 0\necho "error: unrecognized subcommand 'plugin'" >&2; echo > ${file}; exit 2\n`,
      {
        mode: 0o755,
      },
    );
    const { exitCode, remarks } = await run("install", "--agent", "codex", "--yes", "--program", old);
    expect([exitCode, remarks]).toEqual([2, expect.stringContaining("has no plugins: update it")]);
    // Also where it writes before it fails.
    expect(readFileSync(file, "utf8")).toBe("# mine\n");
  });
});
