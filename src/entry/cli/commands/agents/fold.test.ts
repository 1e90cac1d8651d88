/** If red: plimsoll fold shows another preview than the session would get, or does not keep the original when asked. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { repeat } from "../../../../../test/support/preview.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";

const temporary = createTemporaryFolder();
const HOME = temporary.name("-home");
const LOG = `${repeat(300, (n) => `2026-01-02 03:04:05 INFO handled ${n}`)}\n2026-01-02 03:04:06 ERROR out of \u001b[31mink\n`;

function createProject(text = LOG): string {
  const directory = temporary.name("-project");
  mkdirSync(directory);
  writeFileSync(path.join(directory, "out.txt"), text);
  return directory;
}

const fold = (directory: string, ...words: readonly string[]) =>
  runPlimsoll(["fold", ...words], { directory, environment: { HOME } });

describe("plimsoll fold", () => {
  it("[R60] prints what would stand in the output's place, and stores nothing", async () => {
    const directory = createProject();
    const { output, exitCode } = await fold(directory, "out.txt");
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^\[FOLDED: Bash output — 301 lines, \d+ chars\]\nPreview \(log\):\n/);
    expect(output).toMatch(/ERROR out of ink\nFull output: out\.txt\n/);
    expect(output).not.toContain("plimsoll:");
    expect(existsSync(path.join(directory, ".plimsoll"))).toBe(false);
  });

  it("keeps the original where asked, byte for byte", async () => {
    const directory = createProject();
    const {
      path: kept,
      handle,
      sha256,
      isDue,
    } = JSON.parse((await fold(directory, "out.txt", "--store", "--json")).output);
    expect({ kept, isDue }).toEqual({
      kept: ".plimsoll/artifacts/artifact-1970-01-01T00-00-00-000Z-Bash.md",
      isDue: true,
    });
    expect(handle).toBe(`plimsoll:${sha256.slice(0, 12)}`);
    expect(readFileSync(path.join(directory, kept), "utf8")).toMatch(new RegExp(`\\n\\n${LOG.slice(0, 30)}`));
  });

  it("takes the tool, the command, a budget and a style", async () => {
    const directory = createProject();
    const { output } = await fold(directory, "out.txt", "--tool", "Grep", "--budget", "300", "--style", "classic");
    expect(output).toMatch(/^\[FOLDED: Grep output[\s\S]+Preview \(first 10 lines\):/);
    expect(output.length).toBeLessThanOrEqual(301);
  });

  it("says whether folding is due at all", async () => {
    const { output } = await fold(createProject("short\n"), "out.txt", "--json");
    expect(JSON.parse(output)).toMatchObject({ isDue: false, text: "short\n" });
  });

  it("gives every documented field as JSON, and no field that is not documented", async () => {
    const section = readFileSync(new URL("../../../../../docs/reference/json.md", import.meta.url), "utf8")
      .split("## `plimsoll fold FILE --json`")[1]
      ?.split("\n## ")[0];
    const documented = /`\{ ([^}]*) \}`/.exec(section ?? "")?.[1]?.split(", ");
    expect(Object.keys(JSON.parse((await fold(createProject(), "out.txt", "--json")).output))).toEqual(documented);
  });

  it.each([
    [[], "needs a file"],
    [["a", "b"], "unexpected argument"],
    [["missing.txt"], "there is no file missing.txt"],
    [["."], "not a regular file"],
    [["out.txt", "--budget", "100"], "at least 240"],
    [["out.txt", "--budget", "many"], "whole number"],
    [["out.txt", "--style", "fancy"], "content, classic"],
  ])("refuses %j", async (words, hint) => {
    const { exitCode, remarks } = await fold(createProject(), ...words);
    expect({ exitCode, hint: remarks.includes(hint) ? hint : remarks }).toEqual({ exitCode: 2, hint });
  });

  it("refuses bytes that are no text", async () => {
    const directory = createProject();
    writeFileSync(path.join(directory, "out.txt"), Uint8Array.from([0xff, 0xfe, 0x00]));
    expect(await fold(directory, "out.txt")).toMatchObject({
      exitCode: 2,
      remarks: "plimsoll: out.txt is not UTF-8 text\n",
    });
  });
});
