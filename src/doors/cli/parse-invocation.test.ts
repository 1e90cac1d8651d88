import { describe, expect, it } from "vitest";
import type { Command } from "./command.ts";
import { parseInvocation } from "./parse-invocation.ts";

const command: Command = {
  name: "weigh",
  summary: "Weighs",
  options: [
    { name: "json", help: "print JSON" },
    { name: "transcript", short: "t", value: "FILE", help: "a file" },
    { name: "by", value: "WHAT", help: "one row per", choices: ["model", "day"] },
  ],
  examples: [],
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

  it("have short names where they are given one", () => {
    expect(parseInvocation(command, ["-t", "x"]).values.get("transcript")).toBe("x");
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
      'plimsoll weigh takes no arguments: "extra" is one too many',
    );
  });
});
