import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { repeat } from "../../../test/support/preview.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createArtifactStore } from "../../store/artifacts.ts";

const temporary = createTemporaryFolder();
const DAY_MS = 86_400_000;
const TEXT = `${repeat(450, (n) => `\tline ${n}\u001b[0m`)}\n`;

function createProject() {
  const directory = temporary.name("-project");
  mkdirSync(directory);
  const kept = createArtifactStore(directory, () => 0).keep({
    output: TEXT,
    tool: "Bash",
    command: "npm test",
    sessionId: "s1",
  });
  if (!kept.ok) throw new Error(kept.problem.detail);
  return { directory, ...kept.value };
}

const artifacts = (directory: string, ...words: readonly string[]) =>
  runPlimsoll(["artifacts", ...words], { directory, nowMs: () => 40 * DAY_MS });

describe("plimsoll artifacts", () => {
  it("lists what is kept", async () => {
    const { directory, handle } = createProject();
    const { output } = await artifacts(directory);
    expect(output).toContain(`${handle}  1970-01-01 00:00:00`);
    expect(output).toContain("Bash npm test");
    expect((await artifacts(directory, "list")).output).toBe(output);
  });

  it("shows an original: all of it, some lines, a page, or what matches", async () => {
    const { directory, handle } = createProject();
    const show = async (...words: readonly string[]) =>
      (await artifacts(directory, "show", handle, ...words)).output.split("\n").slice(0, -1);
    expect(await show()).toHaveLength(450);
    expect(await show("--lines", "10-12")).toEqual(["  line 10 [0m", "  line 11 [0m", "  line 12 [0m"]);
    expect(await show("--lines", "7")).toEqual(["  line 7 [0m"]);
    expect(await show("--page", "3")).toHaveLength(50);
    expect(await show("--pattern", "line 44\\d")).toHaveLength(10);
  });

  it.each([
    [["--page", "99"], " has 3 pages to show, no page 99\n"],
    [["--page", "2", "--lines", "1-9"], " has 1 page to show, no page 2\n"],
    [["--lines", "451-460"], " has 450 lines\n"],
    [["--lines", "9-1"], '--lines takes the first line and the last one, from 1, such as 10-40, not "9-1"\n'],
    [["--lines", "0"], '--lines takes the first line and the last one, from 1, such as 10-40, not "0"\n'],
  ])("says what there is where %j asks for what is not", async (words, sentence) => {
    const { directory, handle } = createProject();
    const { exitCode, output, remarks } = await artifacts(directory, "show", handle, ...words);
    expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
    expect(remarks.endsWith(sentence), remarks).toBe(true);
  });

  it("shows an original of a folder elsewhere, and says so where a line is asked for that is not there", async () => {
    const { directory, handle } = createProject();
    const elsewhere = temporary.name("-elsewhere");
    mkdirSync(elsewhere);
    const { output } = await artifacts(elsewhere, "show", handle, "--lines", "7", "--store", directory);
    expect(output).toBe("  line 7 [0m\n");
    const missing = await artifacts(elsewhere, "show", `${handle}#12`, "--store", directory);
    expect(missing).toMatchObject({ exitCode: 3, remarks: expect.stringContaining("no line 12") });
    expect((await artifacts(elsewhere, "show", handle)).exitCode).toBe(3);
  });

  it("[R59] gives the exact text as JSON", async () => {
    const { directory, file } = createProject();
    const shown = JSON.parse((await artifacts(directory, "show", file, "--json")).output);
    expect(shown).toMatchObject({ totalLines: 450, pages: 3, text: TEXT });
  });

  it("checks every byte, and fails where one was changed", async () => {
    const { directory, path: quoted } = createProject();
    expect(await artifacts(directory, "verify")).toMatchObject({ exitCode: 0, output: "2 files checked, 0 faults\n" });
    writeFileSync(path.join(directory, quoted), "changed");
    const { exitCode, output } = await artifacts(directory, "verify");
    expect(exitCode).toBe(1);
    expect(output).toContain("fileChanged");
  });

  it("clears what is old, after saying so on a dry run", async () => {
    const { directory } = createProject();
    expect((await artifacts(directory, "prune", "--older-than", "50")).output).toMatch(/^0 artifacts removed/);
    expect((await artifacts(directory, "prune", "--dry-run")).output).toMatch(/^1 artifact would be removed/);
    expect((await artifacts(directory, "prune")).output).toMatch(/^1 artifact removed, \d+ bytes freed, 0 kept/);
    expect((await artifacts(directory)).output).toBe("Nothing is kept for this project.\n");
  });

  it("[R62] clears what other sessions stored", async () => {
    const { directory } = createProject();
    expect((await artifacts(directory, "prune", "--keep-session", "s1")).output).toMatch(/^0 artifacts removed/);
    expect((await artifacts(directory, "prune", "--keep-session", "s2")).output).toMatch(/^1 artifact removed/);
  });

  it.each([
    [["lst"], 2, "did you mean list?"],
    [["show"], 2, "needs a handle"],
    [["show", "plimsoll:000000000000"], 3, "nothing is kept"],
    [["show", "x", "y"], 2, "one too many"],
    [["verify", "x"], 2, "one too many"],
    [["show", "abcdef", "--lines", "x"], 2, "two numbers"],
    [["show", "abcdef", "--pattern", "("], 2, "regular expression"],
    [["prune", "--older-than", "-1"], 2, "--older-than"],
  ])("refuses %j", async (words, exitCode, hint) => {
    const run = await artifacts(createProject().directory, ...words);
    expect({ exitCode: run.exitCode, hint: run.remarks.includes(hint) ? hint : run.remarks }).toEqual({
      exitCode,
      hint,
    });
  });

  it.each([
    ["list", ["list"]],
    ["verify", ["verify"]],
    ["prune", ["prune", "--dry-run"]],
    ["show HANDLE", ["show"]],
  ])("documents every field of %s --json", async (name, words) => {
    const { directory, handle } = createProject();
    const section = readFileSync(new URL("../../../docs/json.md", import.meta.url), "utf8")
      .split("## `plimsoll artifacts --json`")[1]
      ?.split("\n## ")[0];
    const row = section?.split("\n").find((line) => line.startsWith(`| \`${name}\``));
    const documented = /`\{ ([^}]*) \}`/.exec(row ?? "")?.[1]?.split(", ");
    const all = words[0] === "show" ? [...words, handle] : words;
    expect(Object.keys(JSON.parse((await artifacts(directory, ...all, "--json")).output))).toEqual(documented);
  });
});
