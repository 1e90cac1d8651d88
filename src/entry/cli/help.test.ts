/** If red: a command or an option is missing from the help, or an example in it does not work. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../test/support/fake-terminal.ts";
import { COMMAND_GROUPS, COMMANDS } from "./catalogue.ts";
import { renderOverview, wrapText } from "./help.ts";
import { parseInvocation } from "./run-cli.ts";

/** So that no line has to be broken. */
const WIDE = { columns: 1000 };

describe.each(COMMANDS)("the help of plimsoll $name", (command) => {
  it("says what the command does and how it is called", async () => {
    const { output, exitCode } = await runPlimsoll([command.name, "--help"], WIDE);
    expect(exitCode).toBe(0);
    expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
    expect(output).toContain(`${command.summary}.\n`);
    expect(output).toContain(`Usage: plimsoll ${command.name} [OPTIONS]`);
  });

  it("lists every option and argument, each with its own words", async () => {
    const { output } = await runPlimsoll([command.name, "-h"], WIDE);
    for (const { name, value, help, choices = [] } of command.options) {
      expect(help.trim()).not.toBe("");
      const line = output.split("\n").find((text) => text.includes(`--${name}${value ? ` ${value}` : ""} `));
      expect(line, `--${name}`).toContain(help);
      for (const choice of choices) expect(line).toContain(choice);
    }
    if (command.positional) {
      expect(command.positional.help.trim()).not.toBe("");
      expect(output).toContain(`[${command.positional.name}...]`);
      expect(output).toContain(command.positional.help);
    }
  });

  it("gives at least one example, and every example is one that the command takes", async () => {
    const { output } = await runPlimsoll(["help", command.name], WIDE);
    expect(command.examples).not.toEqual({});
    for (const [words, shows] of Object.entries(command.examples)) {
      expect(output).toContain(`  ${words}\n      ${shows}`);
      const [program, name, ...rest] = words.split(" ");
      expect([program, name]).toEqual(["plimsoll", command.name]);
      expect(() => parseInvocation(command, rest)).not.toThrow();
    }
  });

  it.each([40, 80])("fits into %i columns, with every word of it", async (columns) => {
    const { output } = await runPlimsoll([command.name, "--help"], { columns });
    const isWord = (line: string): boolean => /^\s*\S+(?: [A-Z-]+)?$/.test(line);
    expect(output.split("\n").filter((line) => line.length > columns && !isWord(line))).toEqual([]);
    const words = (text: string): readonly string[] => text.split(/\s+/);
    expect(words(output)).toEqual(words((await runPlimsoll([command.name, "--help"], WIDE)).output));
  });

  it("names the value of every option that offers a choice", () => {
    for (const { choices, value } of command.options) if (choices) expect(value).toBeDefined();
  });
});

/** What a gateway and an MCP server serve is a client. */
const SERVERS = ["gateway", "run", "mcp"];

it("calls a coding agent an agent, and takes the former words", async () => {
  for (const { name } of COMMANDS.filter((command) => !SERVERS.includes(command.name)))
    expect((await runPlimsoll([name, "--help"], WIDE)).output).not.toMatch(/\bclients?\b|--host\b/i);
  const install = COMMANDS.find(({ name }) => name === "install");
  if (!install) throw new Error("no install");
  const { values } = parseInvocation(install, ["--host", "codex", "--client", "/bin/codex"]);
  expect([...values]).toEqual([
    ["agent", "codex"],
    ["program", "/bin/codex"],
  ]);
});

describe("the overview", () => {
  it("shows twelve commands for people on one screen, with the exit status and where the others are", () => {
    const overview = renderOverview(COMMAND_GROUPS, "1.2.3", 80);
    const [people, ...others] = COMMAND_GROUPS;
    expect(people?.commands).toHaveLength(12);
    expect(overview.split("\n").length).toBeLessThanOrEqual(40);
    for (const { name } of people?.commands ?? []) expect(overview).toMatch(new RegExp(`^  ${name} +[A-Z]`, "m"));
    for (const { shownBy } of others) expect(overview).toContain(`plimsoll help ${shownBy}`);
    expect(overview).toContain("plimsoll 1.2.3");
    expect(overview.replace(/\s+/g, " ")).toContain(
      "Exit status: 0 means success, 1 failure, 2 incorrect usage or unreadable input, and 3 nothing found.",
    );
  });

  it("loses no command: every one is in a list, with its summary, and plimsoll help all shows them all", async () => {
    const { output } = await runPlimsoll(["help", "all"], WIDE);
    for (const { name, summary } of COMMANDS)
      expect(output.split("\n").some((line) => line.startsWith(`  ${name} `) && line.endsWith(`  ${summary}`))).toBe(
        true,
      );
    const { output: agents } = await runPlimsoll(["help", "agents"], WIDE);
    expect(agents).toMatch(/^For agents and their prompts:\n {2}health /);
    expect(agents).not.toContain("For other programs");
  });

  it.each([[["--help"]], [["-h"]], [["help"]]])("is what %j shows", async (words) => {
    expect(await runPlimsoll(words, WIDE)).toEqual({
      exitCode: 0,
      output: `${renderOverview(COMMAND_GROUPS, "1.2.3", Number.POSITIVE_INFINITY)}\n`,
      remarks: "",
    });
  });
});

describe("plimsoll without a command", () => {
  it("says what to do now instead of listing what could be done", async () => {
    const { output, exitCode } = await runPlimsoll([], WIDE);
    expect(exitCode).toBe(0);
    expect(output).toContain("this is the sample session that comes with Plimsoll");
    expect(output).toContain("Most used: plimsoll now, stats, inspect, dashboard, install, doctor.");
    expect(output.split("\n").length).toBeLessThan(20);
  });
});

describe("wrapping", () => {
  it("breaks between words and keeps columns apart", () => {
    expect(wrapText("  --json    print it as JSON", 20, "            ")).toEqual([
      "  --json    print it",
      "            as JSON",
    ]);
    expect(wrapText("a verylongword b", 6, " ")).toEqual(["a", " verylongword", " b"]);
  });

  it("loses no word, and is wider than told only for a word that is", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.integer({ min: 14, max: 60 }), (given, columns) => {
        const lines = wrapText(given.join(" "), columns, "  ");
        expect(lines.join(" ").split(/ +/)).toEqual(given);
        for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
      }),
    );
  });
});
