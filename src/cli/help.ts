import type { Command, Option } from "./command.ts";

const EXIT_CODES = "Exit status: 0 done, 1 unexpected failure, 2 wrong use or unreadable input, 3 no session found.";

export function renderOverview(commands: readonly Command[], version: string): string {
  const width = Math.max(...commands.map((command) => command.name.length));
  return [
    `plimsoll ${version}: the load line of a coding agent's context window`,
    "",
    "Usage: plimsoll COMMAND [OPTIONS]",
    "",
    ...commands.map((command) => `  ${command.name.padEnd(width)}  ${command.summary}`),
    "",
    "plimsoll COMMAND --help says more, with examples. plimsoll --version prints the version.",
    EXIT_CODES,
  ].join("\n");
}

export function renderCommandHelp(command: Command): string {
  const { positional } = command;
  const usage = ["Usage: plimsoll", command.name, "[OPTIONS]", ...(positional ? [`[${positional.name}...]`] : [])].join(
    " ",
  );
  const rows = [
    ...(positional ? [[positional.name, positional.help] as const] : []),
    ...command.options.map((option) => [renderOptionName(option), describeOption(option)] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `${command.summary}.`,
    "",
    usage,
    "",
    ...rows.map(([name, help]) => `  ${name.padEnd(width)}  ${help}`),
    "",
    "Examples:",
    ...command.examples.flatMap(({ command: words, shows }) => [`  ${words}`, `      ${shows}`]),
    "",
    EXIT_CODES,
  ].join("\n");
}

function renderOptionName({ name, value, short }: Option): string {
  return [short ? `-${short}, ` : "", `--${name}`, value ? ` ${value}` : ""].join("");
}

function describeOption({ help, choices }: Option): string {
  return choices ? `${help} (${choices.join(", ")})` : help;
}
