/** If red: a command ends with the wrong exit status, prints broken JSON, or lets a transcript steer the terminal. */
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runPlimsoll, type TerminalOptions } from "../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import {
  answer,
  boundary,
  prompt,
  summary,
  toFile,
  toolResult,
  toolUse,
  transcript,
} from "../../../test/support/transcript-lines.ts";
import { nameProjectFolder } from "../../hosts/claude-code/disk/projects.ts";
import { COMMANDS, MOVED } from "./catalogue.ts";
import type { Command } from "./command.ts";
import { toAscii } from "./print/terminal.ts";

const temporary = createTemporaryFolder();

/** A colour, a title for the window, the one-byte form of an escape, a false line, a reversed direction. */
const HOSTILE = "\u001b[31m\u001b]0;owned\u0007\u009b2J\r\nRED 999k of 200k\u202e\u2066\u007f";

interface World {
  readonly home: string;
  readonly directory: string;
}

/** A project with a session that has everything there is to show, with `text` wherever a transcript may say what it likes. */
function createWorld(name: string, text: string): World {
  const home = path.join(temporary.folder, name);
  const directory = path.join(home, "project");
  const own = path.join(home, ".claude", "projects", nameProjectFolder(directory));
  const other = path.join(home, ".claude", "projects", `-work-${text}`);
  for (const folder of [directory, own, other]) mkdirSync(folder, { recursive: true });
  const session = `${toFile(recordSession(text))}broken\n`;
  for (const folder of [directory, own]) writeFileSync(path.join(folder, "session.jsonl"), session);
  const older = path.join(other, "older.jsonl");
  writeFileSync(older, toFile(recordSession(text).slice(0, 4)));
  utimesSync(older, 1, 1);
  return { home, directory };
}

function recordSession(text: string): readonly string[] {
  const said = (id: string, content: Parameters<typeof answer>[1], read: number, write: number) => {
    const line = answer(id, content, { cache_read_input_tokens: read, cache_creation_input_tokens: write });
    return {
      ...line,
      message: { ...(typeof line.message === "object" ? line.message : {}), model: `claude-opus-4-6${text}` },
    };
  };
  return transcript(
    { type: "custom-title", customTitle: `title ${text}`, sessionId: `session ${text}` },
    { ...prompt(`fix it ${text}`), cwd: `/work/${text}`, version: `2.1.219${text}` },
    said("m1", [text, toolUse("t1", `Bash${text}`)], 0, 20_000),
    toolResult("t1", `${text}\n`.repeat(200)),
    said("m2", [toolUse("t2", "Read")], 20_000, 9000),
    boundary("l5", { trigger: `auto${text}` }),
    summary(`what happened ${text}`),
    said("m3", [text, toolUse("t3", `Bash${text}`)], 0, 30_000),
    toolResult("t3", `${text}\n`.repeat(200)),
    ...Array.from({ length: 6 }, (_, index) => said(`n${index}`, [text], 30_000 + index * 1000, 1000)),
    { type: `new${text}` },
  );
}

/** Every example of a command, and the first one with every value of every option that offers a choice, and as JSON. */
function listCalls({ examples, options }: Command): readonly (readonly string[])[] {
  const [first = [], ...others] = Object.keys(examples).map((call) => call.split(" ").slice(1));
  const choices = options.flatMap(({ name, choices = [] }) => choices.map((choice) => [...first, `--${name}`, choice]));
  const hasJson = options.some(({ name }) => name === "json");
  return [first, ...others, ...choices, ...(hasJson ? [[...first, "--json"]] : [])];
}

async function runAll(command: Command, { home, directory }: World, options: TerminalOptions = {}) {
  const runs: { readonly words: readonly string[]; readonly output: string }[] = [];
  for (const call of listCalls(command)) {
    const words = call.map((word) => word.replace(/^~/, home));
    const run = await runPlimsoll(words, { environment: { HOME: home }, directory, ...options });
    expect(run, words.join(" ")).toMatchObject({ exitCode: 0, remarks: "" });
    expect(run.output.trim(), words.join(" ")).not.toBe("");
    runs.push({ words, output: run.output });
  }
  return runs;
}

/** Lines of several words that are wider than told. A table's row, whose cells lie further apart, is one that must fit as it is. */
function listTooWide(output: string, columns: number): readonly string[] {
  return output.split("\n").filter((line) => line.length > columns && line.trim().includes(" "));
}

it.each([...MOVED])("knows %s by its old name, says the new one, and shows it in no list", async (old, now) => {
  const { home, directory } = createWorld(`moved-${old}`, "plain words");
  const run = await runPlimsoll([old, "--help"], { environment: { HOME: home }, directory });
  const same = await runPlimsoll([...now, "--help"], { environment: { HOME: home }, directory });
  expect(run).toEqual({ ...same, remarks: `plimsoll ${old} is now plimsoll ${now.join(" ")}\n` });
  expect(COMMANDS.map(({ name }) => name)).not.toContain(old);
  expect((await runPlimsoll(["--help"])).output).not.toMatch(new RegExp(`^  ${old} `, "m"));
});

it("names every command once", () => {
  expect(new Set(COMMANDS.map(({ name }) => name)).size).toBe(COMMANDS.length);
});

/** Those that need an agent are run by test/client. */
const ANSWERING = COMMANDS.filter(({ staysOpen, needsAgent }) => !staysOpen && !needsAgent);

describe.each(ANSWERING)("plimsoll $name", (command) => {
  const hostile = createWorld(`hostile-${command.name}`, HOSTILE);
  const plain = createWorld(`plain-${command.name}`, "plain words");
  const isJson = ({ words }: { readonly words: readonly string[] }): boolean => words.includes("--json");

  it("does what its examples say, and lets nothing from a transcript steer the terminal", async () => {
    for (const { output, words } of await runAll(command, hostile)) {
      const shown = output.replaceAll("\n", "");
      expect(shown.match(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu), words.join(" ")).toBeNull();
    }
  });

  it("lets no transcript make up a line of its own", async () => {
    for (const { output, words } of (await runAll(command, hostile)).filter((run) => !isJson(run)))
      expect(
        output.split("\n").filter((line) => line.startsWith("RED 999k")),
        words.join(" "),
      ).toEqual([]);
  });

  it("is coloured only when asked, and never in JSON", async () => {
    for (const { output } of await runAll(command, plain)) expect(output).not.toContain("\u001b");
    for (const { output } of (await runAll(command, plain, { hasColour: true })).filter(isJson))
      expect(output).not.toContain("\u001b");
  });

  it("ends as it is documented: with 2 where it is used wrongly, with 3 where there is no session", async () => {
    const wrong = await runPlimsoll([command.name, "--no-such-option"]);
    expect(wrong).toMatchObject({
      exitCode: 2,
      output: "",
      remarks: expect.stringMatching(/^plimsoll: .*--no-such-option/),
    });
    if (!command.options.some(({ name }) => name === "session")) return;
    const [example = ""] = Object.keys(command.examples);
    const words = example.split(" ").slice(1);
    const none = await runPlimsoll([...words, "--session", "1"], { environment: { HOME: `${plain.home}/nobody` } });
    expect(none).toMatchObject({ exitCode: 3, output: "", remarks: expect.stringContaining("there is no session 1") });
  });

  it("prints one JSON value where JSON is asked for", async () => {
    for (const { output } of (await runAll(command, plain)).filter(isJson))
      expect(JSON.parse(output)).toBeTypeOf("object");
  });

  it("has a likeness in ASCII for every sign it shows", async () => {
    for (const { output } of await runAll(command, plain)) expect(toAscii(output)).not.toContain("?");
  });
});

describe.each(ANSWERING.filter(({ isVerbatim }) => !isVerbatim))("plimsoll $name, on a terminal", (command) => {
  it("shows no line that is wider than the terminal and could be broken", async () => {
    const world = createWorld(`wide-${command.name}`, "plain words");
    // How long the test's own folder is called is not the program's doing.
    for (const columns of [80, 132])
      for (const { output, words } of await runAll(command, world, { isTerminal: true, columns }))
        if (!words.includes("--json") && !words.includes("--csv"))
          expect(listTooWide(output.replaceAll(world.home, "~"), columns), words.join(" ")).toEqual([]);
  });
});
