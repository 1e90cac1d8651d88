import { fileURLToPath } from "node:url";
import { textField } from "../../core/json.ts";
import { readObject } from "../../files/read-regular-file.ts";
import type { Command, CommandGroup, Option } from "./command.ts";

const EXIT_CODES =
  "Exit status: 0 means success, 1 failure, 2 incorrect usage or unreadable input, and 3 nothing found.";

export function renderOverview(groups: readonly CommandGroup[], version: string, columns: number): string {
  const own = groups.filter(({ shownBy }) => shownBy === undefined);
  const further = groups.filter(({ shownBy }) => shownBy !== undefined);
  return [
    ...wrapText(`plimsoll ${version} shows what fills a coding agent's context, and cuts its cost`, columns, "  "),
    "",
    "Usage: plimsoll COMMAND [OPTIONS]",
    "",
    ...renderGroups(own, columns),
    ...further.flatMap(({ title, shownBy, commands }) =>
      wrapText(`${title}: plimsoll help ${shownBy} (${commands.length} commands)`, columns, "  "),
    ),
    ...wrapText(
      "To see what to do now, run `plimsoll` without a command. For details and examples, run plimsoll COMMAND --help. For the version, run plimsoll --version.",
      columns,
      "  ",
    ),
    ...wrapText(EXIT_CODES, columns, "  "),
  ].join("\n");
}

export function renderLists(groups: readonly CommandGroup[], columns: number): string {
  return [
    ...renderGroups(groups, columns),
    ...wrapText("For details and examples, run: plimsoll COMMAND --help", columns, "  "),
  ].join("\n");
}

function renderGroups(groups: readonly CommandGroup[], columns: number): readonly string[] {
  const width = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length)));
  return groups.flatMap(({ title, commands }) => {
    const rows = commands.map(({ name, summary }) => [name, summary] as const);
    return [`${title}:`, ...renderRows(rows, columns, width), ""];
  });
}

export function renderCommandHelp(command: Command, columns: number): string {
  const { positional } = command;
  const rows = [
    ...(positional ? [[positional.name, positional.help] as const] : []),
    ...command.options.map((option) => [nameOption(option), describeOption(option)] as const),
  ];
  return [
    ...wrapText(`${command.summary}.`, columns, ""),
    "",
    ...wrapText(`Usage: ${renderUsage(command)}`, columns, "    "),
    "",
    ...renderRows(rows, columns),
    "",
    "Examples:",
    ...Object.entries(command.examples).flatMap(([words, shows]) => [
      ...wrapText(`  ${words}`, columns, "    "),
      ...wrapText(`      ${shows}`, columns, "      "),
    ]),
    "",
    ...wrapText(EXIT_CODES, columns, "  "),
  ].join("\n");
}

/** With fewer columns left next to the names, the help text goes below them. */
const LEAST_HELP_COLUMNS = 24;

function renderRows(
  rows: readonly (readonly [string, string])[],
  columns: number,
  width: number = Math.max(...rows.map(([name]) => name.length)),
): readonly string[] {
  const isSideBySide = columns - width - 4 >= LEAST_HELP_COLUMNS;
  return rows.flatMap(([name, help]) =>
    isSideBySide
      ? wrapText(`  ${name.padEnd(width)}  ${help}`, columns, " ".repeat(width + 4))
      : [`  ${name}`, ...wrapText(`      ${help}`, columns, "      ")],
  );
}

/** Wraps a text and indents all lines but the first. A word that is too wide gets its own line. Aligned columns stay aligned. */
export function wrapText(text: string, columns: number, indent: string): readonly string[] {
  return fillLines(text.split(/(?<=\S) (?=\S)/), columns, indent);
}

export function fillLines(
  [first = "", ...words]: readonly string[],
  columns: number,
  indent: string,
): readonly string[] {
  const lines: string[] = [];
  let line = first;
  for (const word of words) {
    if (measureText(line) + 1 + measureText(word) <= columns) line += ` ${word}`;
    else {
      lines.push(line);
      line = `${indent}${word}`;
    }
  }
  return [...lines, line];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the codes of colours are what is left out
const COLOURS = /\u001b\[[\d;]*m/g;

/** The number of characters a terminal shows. */
export function measureText(text: string): number {
  return text.replace(COLOURS, "").length;
}

/** `docs/reference/cli.md`: every command with its options and examples, from the definitions that parse them. */
export function renderReference(commands: readonly Command[]): string {
  const rows = commands.flatMap(({ options }) => options.map(renderOption));
  // Options that ten commands or more take in the same sense are listed once.
  const shared = [...new Set(rows)].filter((row) => rows.filter((other) => other === row).length >= 10);
  const listed = commands.map(({ name }) => `[\`${name}\`](#plimsoll-${name})`);
  return [
    "# The command line",
    "",
    "For people who use Plimsoll in a terminal. `plimsoll man --markdown` generates this page. `plimsoll COMMAND --help` prints the section of one command, and `plimsoll man` prints the manual page.",
    "`plimsoll completion bash|zsh|fish` prints a completion script. [json.md](json.md) describes what `--json` prints.",
    "",
    listed.join(" · "),
    "",
    `${EXIT_CODES} \`NO_COLOR\` switches colours off,`,
    "and `FORCE_COLOR` switches them on. In the C locale, the output is plain ASCII.",
    "",
    "Many commands accept these options; `plimsoll COMMAND --help` lists all options of a command:",
    "",
    ...shared,
    ...commands.flatMap((command) => renderCommand(command, shared)),
    "",
  ].join("\n");
}

function renderOption(option: Option): string {
  return `- \`${nameOption(option)}\`: ${toMarkdown(describeOption(option))}`;
}

function renderCommand(command: Command, shared: readonly string[]): readonly string[] {
  const { name, summary, positional, options, examples } = command;
  const rows = [
    ...(positional ? [`- \`${positional.name}\`: ${toMarkdown(positional.help)}`] : []),
    ...options.map(renderOption).filter((row) => !shared.includes(row)),
  ];
  return [
    "",
    `## plimsoll ${name}`,
    "",
    `${summary}.`,
    "",
    `    ${renderUsage(command)}`,
    "",
    ...(rows.length === 0 ? [] : [...rows, "", "Examples:", ""]),
    ...Object.entries(examples).map(([call, shows]) => `- \`${call}\`: ${toMarkdown(shows)}`),
  ];
}

function renderUsage({ name, positional }: Command): string {
  return `plimsoll ${name} [OPTIONS]${positional ? ` [${positional.name}...]` : ""}`;
}

export function nameOption({ name, value }: Option): string {
  return value ? `--${name} ${value}` : `--${name}`;
}

export function describeOption({ help, choices }: Option): string {
  return choices ? `${help} (${choices.join(", ")})` : help;
}

function toMarkdown(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}

/** package.json is one folder up for the bundle, and three for the plain modules. */
export function readVersion(): string {
  for (const place of ["../package.json", "../../../package.json"]) {
    const description = readObject(fileURLToPath(new URL(place, import.meta.url)));
    if (description?.name === "plimsoll") return textField(description, "version");
  }
  return "unknown";
}
