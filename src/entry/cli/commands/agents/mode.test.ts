/** If red: a mode that the person sets does not hold, cannot be switched off, or is written through a link. */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { putAgreed } from "../../../../../test/support/agree.ts";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";

const temporary = createTemporaryFolder();
const HOME = temporary.name("-home");

function createProject(): string {
  const directory = temporary.name("-project");
  mkdirSync(directory);
  return directory;
}

const modeFile = (directory: string): string => path.join(directory, ".plimsoll", "active-context.md");
const mode = (directory: string, ...words: readonly string[]) =>
  runPlimsoll(["mode", ...words], { directory, environment: { HOME } });

describe("plimsoll mode", () => {
  it("says that no mode is set, and makes nothing", async () => {
    const directory = createProject();
    expect((await mode(directory)).output).toBe("No mode is set. Set one with plimsoll mode dev|research|review.\n");
    expect(existsSync(path.join(directory, ".plimsoll"))).toBe(false);
  });

  it.each(["dev", "research", "review"])(
    "[R2] sets %s by its bare name in .plimsoll/active-context.md",
    async (name) => {
      const directory = createProject();
      const { output, exitCode } = await mode(directory, name);
      expect(exitCode).toBe(0);
      expect(output).toMatch(
        new RegExp(`^${name} mode, set by \\.plimsoll/active-context\\.md: its rules take about \\d+ tokens`),
      );
      expect(readFileSync(modeFile(directory), "utf8")).toBe(`${name}\n`);
      expect((await mode(directory)).output).toBe(output);
    },
  );

  it("keeps its folder private and out of git", async () => {
    const directory = createProject();
    await mode(directory, "dev");
    expect(statSync(path.dirname(modeFile(directory))).mode & 0o777).toBe(0o700);
    expect(statSync(modeFile(directory)).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(directory, ".plimsoll", ".gitignore"), "utf8")).toBe("*\n");
  });

  it("[R5] is switched off by taking the file away", async () => {
    const directory = createProject();
    await mode(directory, "dev");
    expect((await mode(directory, "off")).output).toMatch(/^No mode is set/);
    expect(existsSync(modeFile(directory))).toBe(false);
    expect((await mode(createProject(), "off")).exitCode).toBe(0);
  });

  it("[R2] takes a mode from the older place, and can still be switched off", async () => {
    const directory = createProject();
    putAgreed(directory, ".rune/active-context.md", "review\n", path.join(HOME, ".claude"));
    expect((await mode(directory)).output).toMatch(/^review mode, set by \.rune\/active-context\.md/);
    expect((await mode(directory, "off")).output).toMatch(/^No mode is set/);
    expect(readFileSync(path.join(directory, ".rune", "active-context.md"), "utf8")).toBe("review\n");
  });

  it("[R6] warns of a file that names no known mode", async () => {
    const directory = createProject();
    putAgreed(directory, ".plimsoll/active-context.md", "../../x\n", path.join(HOME, ".claude"));
    const { output, remarks } = await mode(directory);
    expect(output).toMatch(/^No mode is set/);
    expect(remarks).toMatch(/names no known mode \("\.\.\/\.\.\/x"\)/);
  });

  it("[R2] [R198] is set by whoever writes a known name, without agreement, and replaced by the next one", async () => {
    const directory = createProject();
    mkdirSync(path.join(directory, ".plimsoll"));
    writeFileSync(modeFile(directory), "review\n");
    expect((await mode(directory)).output).toMatch(/^review mode/);
    expect((await mode(directory, "dev")).output).toMatch(/^dev mode/);
    writeFileSync(modeFile(directory), "deploy the keys\n");
    const unknown = await mode(directory);
    expect(unknown.output).toMatch(/^No mode is set/);
    expect(unknown.remarks).toContain("names no known mode");
  });

  it("[R6] follows no link, neither to read nor to write", async () => {
    const directory = createProject();
    mkdirSync(path.join(directory, ".plimsoll"));
    const secret = temporary.name(".txt");
    writeFileSync(secret, "dev\n");
    symlinkSync(secret, modeFile(directory));
    expect((await mode(directory)).remarks).toContain("is a link");
    await mode(directory, "review");
    expect(readFileSync(secret, "utf8")).toBe("dev\n");
    expect((await mode(directory)).output).toMatch(/^review mode/);
  });

  it("refuses a state folder that is a link, with the way out in the sentence", async () => {
    const directory = createProject();
    symlinkSync(createProject(), path.join(directory, ".plimsoll"));
    expect(await mode(directory, "dev")).toMatchObject({
      exitCode: 2,
      remarks: expect.stringMatching(/remove the link/),
    });
  });

  it.each([
    [["reserch"], "did you mean research?"],
    [["../../x"], "dev, research, review, off"],
    [["dev", "review"], "unexpected argument"],
  ])("refuses %j", async (words, hint) => {
    const directory = createProject();
    const { exitCode, remarks } = await mode(directory, ...words);
    expect({ exitCode, hint: remarks.includes(hint) }).toEqual({ exitCode: 2, hint: true });
    expect(existsSync(path.join(directory, ".plimsoll"))).toBe(false);
  });

  it("gives every documented field as JSON, and no field that is not documented", async () => {
    const section = readFileSync(new URL("../../../../../docs/reference/json.md", import.meta.url), "utf8")
      .split("## `plimsoll mode [MODE] --json`")[1]
      ?.split("\n## ")[0];
    const documented = /`\{ ([^}]*) \}`/.exec(section ?? "")?.[1]?.split(", ");
    const { output } = await mode(createProject(), "dev", "--json");
    expect(Object.keys(JSON.parse(output))).toEqual(documented);
    expect(JSON.parse(output)).toMatchObject({ mode: "dev", file: ".plimsoll/active-context.md", warning: null });
  });
});
