import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../test/support/temporary-folder.ts";

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
    run: (...words) => runPlimsoll(["install", ...words], { environment: { HOME: home }, directory: home }),
  };
}

describe("plimsoll install --host", () => {
  it("puts one line into OpenCode's plugin folder, once, and shows it first where asked", async () => {
    const { file, run } = createHome();
    expect((await run("--host", "opencode", "--dry-run")).output).toContain("would hold one line");
    expect(existsSync(file)).toBe(false);
    expect(await run("--host", "opencode")).toMatchObject({ exitCode: 0 });
    expect(readFileSync(file, "utf8")).toMatch(/^export \{ default \} from ".*\/dist\/opencode\.js";\n$/);
    expect(JSON.parse((await run("--host", "opencode", "--json")).output)).toMatchObject({ status: "already", file });
  });

  it("leaves a file of somebody else's where it is", async () => {
    const { file, run } = createHome();
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "export default 1;\n");
    expect((await run("--host", "opencode")).exitCode).not.toBe(0);
    expect(readFileSync(file, "utf8")).toBe("export default 1;\n");
  });

  it("says what to type for pi, and changes nothing", async () => {
    const { home, run } = createHome();
    expect((await run("--host", "pi")).output).toMatch(/pi install \//);
    expect(existsSync(path.join(home, ".pi"))).toBe(false);
  });
});
