/** If red: the built program breaks on Windows paths, in a narrow terminal or when its reader has gone. */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { COMMANDS } from "../src/entry/cli/catalogue.ts";
import type { Command } from "../src/entry/cli/command.ts";
import { nameProjectFolder } from "../src/hosts/claude-code/disk/projects.ts";
import { some } from "./support/depth.ts";
import { runPlimsoll } from "./support/fake-terminal.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import {
  answer,
  boundary,
  createWriter,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
} from "./support/transcript-lines.ts";

const PROGRAM = path.resolve(import.meta.dirname, "../dist/plimsoll.cjs");
const temporary = createTemporaryFolder();
const home = path.join(temporary.folder, "home");
const project = path.join(temporary.folder, "project");

/** A session that was recorded on Windows, in the project that the programs are run in. */
function writeWorld(): void {
  const folder = path.join(home, ".claude", "projects", nameProjectFolder(project));
  for (const each of [folder, project]) mkdirSync(each, { recursive: true });
  const file = "C:\\work\\demo\\src\\hull.ts";
  const lines = createWriter({ cwd: "C:\\work\\demo" })(
    prompt("Mend C:\\work\\demo\\src\\hull.ts, never with nails."),
    answer("m1", [toolUse("t1", "Read", { file_path: file })], { cache_creation_input_tokens: 40_000 }),
    toolResult("t1", "export const hull = 1;\r\n".repeat(60)),
    answer("m2", [toolUse("t2", "Edit", { file_path: file, old_string: "1", new_string: "2" })], {
      cache_read_input_tokens: 40_000,
    }),
    toolResult("t2", "The file has been updated."),
    boundary("l5"),
    summary("Mending src\\hull.ts."),
    answer("m3", [toolUse("t3", "Bash", { command: "type src\\hull.ts" })], { cache_creation_input_tokens: 20_000 }),
    toolResult("t3", "export const hull = 2;\r\n"),
    ...Array.from({ length: 6 }, (_, index) =>
      answer(`n${index}`, ["On."], { cache_read_input_tokens: 21_000 + index * 900 }),
    ),
  );
  for (const each of [folder, project]) writeFileSync(path.join(each, "session.jsonl"), toFile(lines));
}

interface Run {
  readonly exitCode: number | null;
  readonly output: string;
  readonly remarks: string;
}

interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** The reader goes before anything has come. */
  readonly closesOutput?: boolean;
}

function run(words: readonly string[], { environment, closesOutput }: RunOptions = {}): Promise<Run> {
  const env = { PATH: process.env.PATH ?? "", HOME: home, LANG: "C.UTF-8", TMPDIR: temporary.folder, ...environment };
  const child = spawn(process.execPath, [PROGRAM, ...words], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
  const heard = { output: "", remarks: "" };
  child.stdout.on("data", (bytes: Buffer) => {
    heard.output += bytes.toString("utf8");
  });
  child.stderr.on("data", (bytes: Buffer) => {
    heard.remarks += bytes.toString("utf8");
  });
  if (closesOutput) child.stdout.destroy();
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => resolve({ exitCode, ...heard }));
  });
}

const wordsOf = ({ examples }: Command): readonly string[] => Object.keys(examples)[0]?.split(" ").slice(1) ?? [];

const NARROW: RunOptions = { environment: { COLUMNS: "40" } };

beforeAll(writeWorld);

// Those that serve until they are ended, or need an agent, have tests of their own.
describe.each(
  some(
    3,
    COMMANDS.filter(({ staysOpen, needsAgent }) => !staysOpen && !needsAgent),
  ),
)("the built program: plimsoll $name", (command) => {
  const words = wordsOf(command);

  it("does what its first example says with a session whose paths are those of Windows, in a terminal of 40 columns, without the colours that NO_COLOR forbids", async () => {
    const environment = { ...NARROW.environment, FORCE_COLOR: "1", NO_COLOR: "1" };
    const ran = await run(words, { environment });
    expect(ran).toMatchObject({ exitCode: 0, remarks: "" });
    expect(ran.output).not.toContain("\u001b[");
    expect(JSON.parse((await run([...words, "--json"])).output)).toBeTypeOf("object");
  });

  it("ends well where the reader has gone", async () => {
    expect(await run(words, { closesOutput: true })).toMatchObject({ exitCode: 0, remarks: "" });
  });

  it("has help that fits into a terminal of 40 columns", async () => {
    const { output } = await runPlimsoll([command.name, "--help"], { columns: 40 });
    const isWord = (line: string): boolean => /^\s*\S+(?: [A-Z-]+)?$/.test(line);
    expect(output.split("\n").filter((line) => line.length > 40 && !isWord(line))).toEqual([]);
  });

  it("answers a typo with what was probably meant", async () => {
    const typo = `${command.name.slice(0, -1)}${command.name.endsWith("q") ? "" : "q"}`;
    expect(await runPlimsoll([typo])).toMatchObject({ exitCode: 2, remarks: expect.stringContaining("did you mean") });
    expect((await runPlimsoll([command.name, "--jsno"])).remarks).toContain("did you mean --json?");
  });
});

describe("paths of Windows", () => {
  it("are told from the project's folder, however they were spelt", async () => {
    const { output } = await run(["state"]);
    expect(output).toContain("  src/hull.ts: 1 change, 1 read");
    expect(output).toContain("Mend src\\hull.ts, never with nails.");
  });
});
