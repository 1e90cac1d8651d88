import type { Command, Option } from "../command.ts";

/** `docs/cli.md`: every command with its options and examples, out of the definitions that parse them. */
export function renderReference(commands: readonly Command[]): string {
  const listed = commands.map(({ name, summary }) => `| [\`${name}\`](#plimsoll-${name}) | ${toMarkdown(summary)} |`);
  return [
    "# The command line",
    "",
    "Written by `plimsoll man --markdown` out of the program's own definitions; a test compares the two. `plimsoll COMMAND --help` says the",
    "same, `plimsoll completion bash|zsh|fish` completes it, `plimsoll man` is the manual page. What `--json` prints: [docs/json.md](json.md).",
    "",
    "| command | what it does |",
    "|---|---|",
    ...listed,
    "",
    "Exit status: 0 done, 1 unexpected failure, 2 wrong use or unreadable input, 3 no session found. `NO_COLOR` switches colours off,",
    "`FORCE_COLOR` on; a terminal in the C locale gets plain ASCII.",
    ...commands.flatMap(renderCommand),
    "",
  ].join("\n");
}

function renderCommand({ name, summary, positional, options, examples }: Command): readonly string[] {
  const words = positional ? ` [${positional.name}...]` : "";
  const rows = [
    ...(positional ? [`| \`${positional.name}\` | ${toMarkdown(positional.help)} |`] : []),
    ...options.map((option) => `| \`${nameOption(option)}\` | ${toMarkdown(describeOption(option))} |`),
  ];
  return [
    "",
    `## plimsoll ${name}`,
    "",
    `${summary}.`,
    "",
    `    plimsoll ${name} [OPTIONS]${words}`,
    "",
    "| | |",
    "|---|---|",
    ...rows,
    "",
    ...examples.map((example) => `- \`${example.command}\`: ${toMarkdown(example.shows)}`),
  ];
}

export function nameOption({ name, value, short }: Option): string {
  return [short ? `-${short}, ` : "", `--${name}`, value ? ` ${value}` : ""].join("");
}

export function describeOption({ help, choices }: Option): string {
  return choices ? `${help} (${choices.join(", ")})` : help;
}

function toMarkdown(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "&lt;");
}
