/** If red: a stored original is shown changed, cannot be found, or is deleted while it can still be recalled. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../../test/support/fake-terminal.ts";
import { repeat } from "../../../../../test/support/preview.ts";
import { parseRecalled } from "../../../../../test/support/recalled.ts";
import { createTemporaryFolder } from "../../../../../test/support/temporary-folder.ts";
import {
  answer,
  prompt,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../../../test/support/transcript-lines.ts";
import { sha256 } from "../../../../core/sha256.ts";
import { createArtifactStore } from "../../../../files/artifacts/artifacts.ts";
import { nameProjectFolder } from "../../../../hosts/claude-code/disk/projects.ts";
import { renderSections } from "../../../../layers/ledger/sections.ts";
import { renderArchived } from "../../../../survive/recall/archive-lines.ts";

const temporary = createTemporaryFolder();
const DAY_MS = 86_400_000;
const HOME = temporary.name("-home");
const DATA = path.join(HOME, ".claude/data/plimsoll");
const PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const TEXT = `${repeat(450, (n) => `\tline ${n}\u001b[0m`)}\n`;

function createProject() {
  const directory = temporary.name("-project");
  mkdirSync(directory);
  const kept = createArtifactStore(directory, () => 0, DATA).keep({
    output: TEXT,
    tool: "Bash",
    command: "npm test",
    sessionId: "s1",
  });
  if (!kept.ok) throw new Error(kept.problem.detail);
  return { directory, ...kept.value };
}

const artifacts = (directory: string, ...words: readonly string[]) =>
  runPlimsoll(["artifacts", ...words], { directory, environment: { HOME }, nowMs: () => 40 * DAY_MS });

describe("plimsoll artifacts", () => {
  it("lists what is kept", async () => {
    const { directory, handle } = createProject();
    const { output } = await artifacts(directory);
    expect(output).toContain(`${handle}  1970-01-01 00:00:00`);
    expect(output).toContain("Bash npm test");
    expect((await artifacts(directory, "list")).output).toBe(output);
  });

  it("shows an original", async () => {
    const { directory, handle } = createProject();
    const { output } = await artifacts(directory, "show", handle);
    expect(output.split("\n").slice(0, -1)).toHaveLength(450);
  });

  it("shows an original of a folder elsewhere, and says so where a line is asked for that is not there", async () => {
    const { directory, handle } = createProject();
    const elsewhere = temporary.name("-elsewhere");
    mkdirSync(elsewhere);
    const { output } = await artifacts(elsewhere, "show", handle, "--store", directory);
    expect(output).toBe(TEXT);
    const missing = await artifacts(elsewhere, "show", `${handle}#12`, "--store", directory);
    expect(missing).toMatchObject({ exitCode: 3, remarks: expect.stringContaining("has no numbered lines") });
    expect((await artifacts(elsewhere, "show", handle)).exitCode).toBe(3);
  });

  it.each(["no line end", "a line end\n", "\n\n", " \u001b[31mred\r\n\t", "\u{1f6a2}"])(
    "gives a text to a pipe as it is, no line feed more: %j",
    async (output) => {
      const { directory } = createProject();
      const kept = createArtifactStore(directory, () => 0, DATA).keep({ output, tool: "Bash" });
      const handle = kept.ok ? kept.value.handle : "";
      expect((await artifacts(directory, "show", handle)).output).toBe(output);
      await artifacts(directory, "show", handle, "--output", "kept.txt");
      expect(readFileSync(path.join(directory, "kept.txt"), "utf8")).toBe(output);
      const again = await artifacts(directory, "show", handle, "--output", "kept.txt");
      expect(again).toMatchObject({ exitCode: 1, remarks: expect.stringContaining("already exists") });
    },
  );

  it("shows a person nothing that steers a terminal, and of a picture what it is", async () => {
    const { directory } = createProject();
    const store = createArtifactStore(directory, () => 0, DATA);
    const show = async (output: string) => {
      const kept = store.keep({ output, tool: "Read" });
      const words = ["artifacts", "show", kept.ok ? kept.value.handle : ""];
      return (await runPlimsoll(words, { directory, environment: { HOME }, isTerminal: true })).output;
    };
    expect(await show("\tone \u001b[31mred\ntwo")).toBe("  one  [31mred\ntwo");
    expect(await show(PICTURE)).toMatch(
      /^image\/png, 70 bytes\. To save the original, run: plimsoll artifacts show plimsoll:\w+ --output FILE/,
    );
  });

  it("gives a picture back as the bytes that it is", async () => {
    const { directory } = createProject();
    const kept = createArtifactStore(directory, () => 0, DATA).keep({ output: PICTURE, tool: "Read" });
    const handle = kept.ok ? kept.value.handle : "";
    await artifacts(directory, "show", handle, "--output", "picture.png");
    const bytes = readFileSync(path.join(directory, "picture.png"));
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(PICTURE.endsWith(bytes.toString("base64"))).toBe(true);
  });

  it("gives a line of a ledger, its call and result headed, or one of them alone", async () => {
    const { directory } = createProject();
    const output = renderSections([
      ["1i", '{"command":"make"}'],
      ["1", "planks\n"],
    ]);
    const kept = createArtifactStore(directory, () => 0, DATA).keep({ output, tool: "ledger" });
    const handle = kept.ok ? kept.value.handle : "";
    const show = async (line: string) => (await artifacts(directory, "show", handle + line)).output;
    expect(await show("#1r")).toBe("planks\n");
    expect(await show("#1i")).toBe('{"command":"make"}');
    expect(parseRecalled(await show("#1"))).toEqual([
      { heading: `${handle}#1 call`, body: '{"command":"make"}' },
      { heading: `${handle}#1 result`, body: "planks\n" },
    ]);
    expect(await artifacts(directory, "show", `${handle}#7`)).toMatchObject({
      exitCode: 3,
      remarks: expect.stringContaining("has #1."),
    });
  });

  it("finds what lies in the client's data folder, in a session's archive, and a call's result in a transcript", async () => {
    const { directory, handle: own } = createProject();
    const home = HOME;
    const [data, transcripts] = [
      path.join(home, ".claude/data/plimsoll"),
      path.join(home, ".claude/projects", nameProjectFolder(directory)),
    ];
    for (const folder of [path.join(data, "sessions/s1"), transcripts]) mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(transcripts, "s1.jsonl"),
      toFile(
        transcript(
          prompt("Look."),
          answer("m1", [toolUse("toolu_bbbbbb", "Bash", { command: "ls" })]),
          toolResult("toolu_bbbbbb", "mast\nboom"),
        ),
      ),
    );
    const elsewhere = temporary.name("-kept");
    mkdirSync(elsewhere);
    const kept = createArtifactStore(elsewhere, () => 0).keep({ output: "spare", tool: "Bash", sessionId: "s1" });
    cpSync(path.join(elsewhere, ".plimsoll/artifacts"), path.join(data, "artifacts"), { recursive: true });
    const long = "plank ".repeat(100_000);
    const archived = `plimsoll:${sha256(long).slice(0, 12)}`;
    writeFileSync(path.join(data, "sessions/s1/archive-1-1.jsonl"), renderArchived({ callId: archived, text: long }));
    const run = (...words: readonly string[]) => runPlimsoll(words, { directory, environment: { HOME: home } });
    const shared = kept.ok ? kept.value.handle : "";
    expect((await run("artifacts", "show", shared)).output).toBe("spare");
    expect((await run("artifacts", "show", archived)).output === long).toBe(true);
    expect((await run("artifacts", "show", "call:bbbbbb")).output).toBe("mast\nboom");
    expect((await run("undo", archived, "--raw")).output === long).toBe(true);
    expect((await run("artifacts")).output).toContain(shared);
    expect((await run("artifacts")).output).toContain(own);
    const wrong = await run("artifacts", "show", `${archived.slice(0, -1)}${archived.endsWith("0") ? "1" : "0"}`);
    expect(wrong).toMatchObject({ exitCode: 3, remarks: expect.stringContaining(`similar handles: ${archived}`) });
  });

  it("[R59] gives the exact text as JSON", async () => {
    const { directory, file } = createProject();
    const shown = JSON.parse((await artifacts(directory, "show", file, "--json")).output);
    expect(shown).toMatchObject({ bytes: TEXT.length, text: TEXT });
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
    expect((await artifacts(directory, "prune", "--older-than", "30", "--dry-run")).output).toMatch(
      /^1 artifact would be removed/,
    );
    expect((await artifacts(directory, "prune", "--older-than", "30")).output).toMatch(
      /^1 artifact removed, \d+ bytes freed, 0 kept/,
    );
    expect((await artifacts(directory)).output).toBe("Nothing is stored for this project.\n");
  });

  it("[R62] clears, by default, what left conversations that cannot be resumed any more", async () => {
    const { directory } = createProject();
    const home = temporary.name("-home");
    const transcripts = path.join(home, ".claude/projects", nameProjectFolder(directory));
    for (const folder of [transcripts, path.join(home, ".claude/data/plimsoll/sessions/s1")])
      mkdirSync(folder, { recursive: true });
    const prune = async (...words: readonly string[]) =>
      (
        await runPlimsoll(["artifacts", "prune", ...words], {
          directory,
          environment: { HOME: home },
          nowMs: () => 400 * DAY_MS,
        })
      ).output;
    writeFileSync(path.join(transcripts, "s1.jsonl"), "");
    expect(await prune()).toMatch(/^0 artifacts removed, 0 bytes freed, 1 kept/);
    rmSync(path.join(transcripts, "s1.jsonl"));
    expect(await prune("--dry-run")).toMatch(/^1 artifact would be removed/);
    expect(await prune()).toMatch(/^1 artifact removed, \d+ bytes freed, 0 kept/);
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
    [["show", "x", "y"], 2, "unexpected argument"],
    [["verify", "x"], 2, "unexpected argument"],
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
    const section = readFileSync(new URL("../../../../../docs/reference/json.md", import.meta.url), "utf8")
      .split("## `plimsoll artifacts --json`")[1]
      ?.split("\n## ")[0];
    const row = section?.split("\n").find((line) => line.startsWith(`| \`${name}\``));
    const documented = /`\{ ([^}]*) \}`/.exec(row ?? "")?.[1]?.split(", ");
    const all = words[0] === "show" ? [...words, handle] : words;
    expect(Object.keys(JSON.parse((await artifacts(directory, ...all, "--json")).output))).toEqual(documented);
  });
});
