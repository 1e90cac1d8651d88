/** If red: a mistyped command runs something, or an error reaches the person as a stack trace. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { answer, prompt, toFile, transcript } from "../../../test/support/transcript-lines.ts";
import type { Command } from "./command.ts";
import { fitLines, parseInvocation } from "./run-cli.ts";

const temporary = createTemporaryFolder();

function write(text: string): string {
  const file = temporary.name();
  writeFileSync(file, text);
  return file;
}

const session = write(
  toFile(transcript(prompt("fix it"), answer("m1", ["done"], { cache_read_input_tokens: 20_000 }))),
);

describe("a command line", () => {
  it.each([
    [["healht"], 'plimsoll: there is no command "healht": did you mean health?\n'],
    [["frobnicate"], 'plimsoll: there is no command "frobnicate": plimsoll --help lists all commands\n'],
    [["help", "stast"], 'plimsoll: there is no command "stast": did you mean stats?\n'],
    [["health", "--jsno"], "plimsoll: plimsoll health has no option --jsno: did you mean --json?\n"],
    [["health", "--profile", "loud"], 'plimsoll: --profile takes measured, calls, percent, not "loud"\n'],
    [["health", "x"], 'plimsoll: plimsoll health takes no arguments: unexpected argument "x"\n'],
  ])("%j is refused with the nearest thing there is, and exit status 2", async (words, remarks) => {
    expect(await runPlimsoll(words)).toEqual({ exitCode: 2, output: "", remarks });
  });

  it("that asks for the version gets it and nothing else", async () => {
    for (const word of ["--version", "-v"])
      expect(await runPlimsoll([word])).toEqual({ exitCode: 0, output: "1.2.3\n", remarks: "" });
  });

  it("that asks a command for help runs nothing", async () => {
    const { exitCode, output } = await runPlimsoll(["health", "--transcript", "/nowhere", "--help"]);
    expect(exitCode).toBe(0);
    expect(output).toContain("Usage: plimsoll health");
  });
});

describe("the exit status", () => {
  it("is 0 when a command has done what was asked, with nothing next to the output", async () => {
    expect(await runPlimsoll(["health", "--transcript", session])).toMatchObject({ exitCode: 0, remarks: "" });
  });

  it.each([
    ["there is no such file", "/nowhere/session.jsonl", "there is no file /nowhere/session.jsonl"],
    ["it is a folder", temporary.folder, "is a folder"],
    ["it is empty", write(""), "is empty: nothing has been recorded in it yet"],
    ["its first line is not whole", write('{"type":"us'), "contains no complete line"],
    ["nothing in it is a record", write("hello\nworld\n"), "none of its 2 lines could be understood (2 malformed)"],
  ])("is 2 when %s, with the reason in a sentence", async (_why, file, reason) => {
    for (const command of ["health", "inspect"]) {
      const { exitCode, output, remarks } = await runPlimsoll([command, "--transcript", file]);
      expect({ exitCode, output }).toEqual({ exitCode: 2, output: "" });
      expect(remarks).toContain(reason);
      expect(remarks.endsWith("\n")).toBe(true);
    }
  });

  it("is 3 when there is no session to speak of, with where it looked", async () => {
    const environment = { HOME: temporary.folder };
    const { exitCode, remarks } = await runPlimsoll(["health"], { environment, directory: "/work/my.project" });
    expect(exitCode).toBe(3);
    expect(remarks).toContain(path.join(temporary.folder, ".claude", "projects", "-work-my-project"));
    expect(remarks).toContain("--transcript FILE");
    expect((await runPlimsoll(["stats", "--json"], { environment })).exitCode).toBe(3);
  });

  it("is 3 when the session has only just begun and holds no message yet", async () => {
    const file = write(toFile(transcript({ type: "mode", mode: "normal" })));
    const { exitCode, remarks } = await runPlimsoll(["health", "--transcript", file]);
    expect(exitCode).toBe(3);
    expect(remarks).toContain("contains no message yet");
  });

  it("is 1 for what nobody expected, without a stack trace", async () => {
    const nowMs = (): number => {
      throw new Error("the clock stopped");
    };
    expect(await runPlimsoll(["stats", session], { nowMs })).toEqual({
      exitCode: 1,
      output: "",
      remarks: "plimsoll: unexpected failure: the clock stopped. Please report it with the command you ran.\n",
    });
  });
});

describe("an error", () => {
  it("carries no escape of a file's name to the terminal", async () => {
    const folder = path.join(temporary.folder, "\u001b[31mred");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "x.jsonl"), "not a record\n");
    const { remarks } = await runPlimsoll(["health", "--transcript", path.join(folder, "x.jsonl")]);
    expect(remarks).toContain("is not a recorded session");
    expect(remarks).not.toContain("\u001b");
  });
});

describe("a text for a person", () => {
  it("goes on below, two blanks further in, where a line is wider than the terminal", () => {
    expect(fitLines("short\n  keep the anchor chain clear of the propeller", 24)).toBe(
      "short\n  keep the anchor chain\n    clear of the\n    propeller",
    );
  });

  it("keeps a word whole that is wider by itself, so that a path can be copied", () => {
    expect(fitLines("in /a/very/long/path/to/a/file.jsonl now", 20)).toBe(
      "in\n  /a/very/long/path/to/a/file.jsonl\n  now",
    );
  });

  it("is broken between two things rather than in the middle of one", () => {
    expect(fitLines("GREEN 53k of 200k · 113k to compaction · ≈ 62 requests", 44)).toBe(
      "GREEN 53k of 200k · 113k to compaction\n  · ≈ 62 requests",
    );
  });

  it("does not count the codes of colours", () => {
    const painted = "\u001b[1mtwelve chars\u001b[0m";
    expect(fitLines(painted, 12)).toBe(painted);
  });

  it("loses no word, and makes no line wider than told that has a blank to be broken at", () => {
    const words = fc.array(fc.stringMatching(/^\w{1,12}$/), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(words, fc.integer({ min: 16, max: 100 }), (said, columns) => {
        const fitted = fitLines(said.join(" "), columns);
        expect(fitted.split(/\s+/)).toEqual(said);
        for (const line of fitted.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

const command: Command = {
  name: "weigh",
  summary: "Weighs",
  options: [
    { name: "json", help: "print JSON" },
    { name: "transcript", value: "FILE", help: "a file" },
    { name: "by", value: "WHAT", help: "one row per", choices: ["model", "day"] },
  ],
  examples: {},
  run: () => undefined,
};
const eager: Command = { ...command, positional: { name: "PATH", help: "folders" } };

describe("options", () => {
  it("are flags, or take a value in either spelling", () => {
    const { flags, values, positionals } = parseInvocation(command, [
      "--json",
      "--transcript",
      "a b.jsonl",
      "--by=day",
    ]);
    expect([...flags]).toEqual(["json"]);
    expect([...values]).toEqual([
      ["transcript", "a b.jsonl"],
      ["by", "day"],
    ]);
    expect(positionals).toEqual([]);
  });

  it("take a value that looks like an option only when it is joined to them", () => {
    expect(parseInvocation(command, ["--transcript=--odd"]).values.get("transcript")).toBe("--odd");
    expect(() => parseInvocation(command, ["--transcript", "--json"])).toThrow(
      "--transcript needs a value: --transcript FILE",
    );
  });

  it.each([
    [["--jsn"], "plimsoll weigh has no option --jsn: did you mean --json?"],
    [["--transcrpt", "x"], "plimsoll weigh has no option --transcrpt: did you mean --transcript?"],
    [["--frobnicate"], "plimsoll weigh has no option --frobnicate: see: plimsoll weigh --help"],
    [["-x"], "plimsoll weigh has no option -x: see: plimsoll weigh --help"],
    [["--transcript"], "--transcript needs a value: --transcript FILE"],
    [["--json=yes"], "--json takes no value"],
    [["--by", "hour"], '--by takes model, day, not "hour"'],
    [["--__proto__"], "plimsoll weigh has no option --__proto__: see: plimsoll weigh --help"],
  ])("%j are refused, with the way out", (words, message) => {
    expect(() => parseInvocation(command, words)).toThrow(message);
  });

  it("given twice keep the last value", () => {
    expect(parseInvocation(command, ["--by", "day", "--by", "model"]).values.get("by")).toBe("model");
  });
});

describe("arguments", () => {
  it("are taken in order by a command that has them, options in between or not", () => {
    expect(parseInvocation(eager, ["a", "--json", "b"]).positionals).toEqual(["a", "b"]);
    expect(parseInvocation(eager, ["--", "--json"])).toMatchObject({ positionals: ["--json"] });
  });

  it("are refused by a command that has none", () => {
    expect(() => parseInvocation(command, ["extra"])).toThrow(
      'plimsoll weigh takes no arguments: unexpected argument "extra"',
    );
  });
});
