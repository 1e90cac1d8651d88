import { HOSTS } from "../../../../hosts/catalogue.ts";
import { type Command, defineCommand } from "../../command.ts";
import { describeOption, nameOption, readVersion, renderReference } from "../../help.ts";

export const manCommand: Command = defineCommand({
  name: "man",
  isVerbatim: true,
  summary: "Prints the manual page",
  options: {
    markdown: { help: "print the text of docs/reference/cli.md instead" },
  },
  examples: {
    "plimsoll man": "prints the page; to read it, run: plimsoll man | man -l -",
    "plimsoll man --markdown": "prints docs/reference/cli.md",
  },
  async run({ flags }) {
    const { COMMANDS } = await import("../../catalogue.ts");
    const page = flags.has("markdown") ? renderReference(COMMANDS).trimEnd() : renderMan(COMMANDS, readVersion());
    return { json: { page }, text: () => page };
  },
});

export function renderMan(commands: readonly Command[], version: string): string {
  return [
    `.TH PLIMSOLL 1 "" "plimsoll ${toRoff(version)}" "User Commands"`,
    ".SH NAME",
    "plimsoll \\- shows what fills a coding agent's context, and cuts its cost",
    ".SH SYNOPSIS",
    ".B plimsoll",
    "\\fICOMMAND\\fR [\\fIOPTIONS\\fR]",
    ".SH DESCRIPTION",
    "Plimsoll measures how full a coding agent's context window is, compacts it at the lowest cost, and can restore everything that it removes.",
    ".SH COMMANDS",
    ...commands.flatMap(renderCommand),
    ".SH EXIT STATUS",
    "0 means success, 1 failure, 2 incorrect usage or unreadable input, and 3 nothing found.",
    ".SH ENVIRONMENT",
    ...HOSTS.flatMap(({ title, homeVariable }) => [
      ".TP",
      `.B ${homeVariable.name}`,
      toRoff(`where ${title} keeps its files; by default ${homeVariable.otherwise}`),
    ]),
    ".TP",
    ".BR NO_COLOR ,\\ FORCE_COLOR",
    "switch colours off, switch colours on",
    "",
  ].join("\n");
}

function renderCommand({ name, summary, positional, options, examples }: Command): readonly string[] {
  return [
    `.SS ${toRoff(name)}${positional ? ` [${toRoff(positional.name)}...]` : ""}`,
    `${toRoff(summary)}.`,
    ...(positional ? [".TP", `\\fI${toRoff(positional.name)}\\fR`, toRoff(positional.help)] : []),
    ...options.flatMap((option) => [".TP", `\\fB${toRoff(nameOption(option))}\\fR`, toRoff(describeOption(option))]),
    ...Object.entries(examples).flatMap(([call, shows]) => [".TP", `Example: \\fB${toRoff(call)}\\fR`, toRoff(shows)]),
  ];
}

/** To the formatter, backslashes and hyphens are special, and so is a leading dot or quote; it reads ASCII only. */
function toRoff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/, "\\&$1")
    .replace(/\P{ASCII}/gu, (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`);
}
