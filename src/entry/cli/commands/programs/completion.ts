import { CliError, type Command, defineCommand, hintAt, type Option } from "../../command.ts";

export const COMPLETION_SHELLS = ["bash", "zsh", "fish"] as const;

export const completionCommand: Command = defineCommand({
  name: "completion",
  isVerbatim: true,
  summary: "Prints a script that completes plimsoll's commands and options in your shell",
  positional: { name: "SHELL", help: COMPLETION_SHELLS.join(", ") },
  options: {},
  examples: {
    "plimsoll completion bash": "add this line to ~/.bashrc: source <(plimsoll completion bash)",
    "plimsoll completion zsh": "add this line to ~/.zshrc: source <(plimsoll completion zsh)",
    "plimsoll completion fish": "add this line to config.fish: plimsoll completion fish | source",
  },
  async run({ positionals: [given, surplus] }) {
    if (given === undefined)
      throw new CliError(`plimsoll completion needs a shell: plimsoll completion ${COMPLETION_SHELLS.join("|")}`);
    if (surplus !== undefined) throw new CliError(`plimsoll completion: unexpected argument "${surplus}"`);
    const shell = COMPLETION_SHELLS.find((name) => name === given);
    if (shell === undefined)
      throw new CliError(`there is no completion for "${given}": ${hintAt(given, COMPLETION_SHELLS)}`);
    const { COMMANDS } = await import("../../catalogue.ts");
    const script = renderCompletion(shell, COMMANDS);
    return { json: { shell, script }, text: () => script };
  },
});

export function renderCompletion(shell: (typeof COMPLETION_SHELLS)[number], commands: readonly Command[]): string {
  return { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell](commands);
}

function renderBash(commands: readonly Command[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options
      .filter(({ value }) => value !== undefined)
      .map(({ name: option, choices }) => {
        const words = choices ? `-W ${quote(choices.join(" "))}` : "-f";
        return `    ${quote(`${name} --${option}`)}) COMPREPLY=($(compgen ${words} -- "$word")); return ;;`;
      }),
  );
  const options = commands.map(
    ({ name, options: own }) =>
      `    ${name}) COMPREPLY=($(compgen -W ${quote(own.map((option) => `--${option.name}`).join(" "))} -- "$word")) ;;`,
  );
  return [
    "# plimsoll in bash: source <(plimsoll completion bash)",
    "_plimsoll() {",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the shell's
    '  local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" command="${COMP_WORDS[1]}"',
    "  COMPREPLY=()",
    '  if [ "$COMP_CWORD" -eq 1 ]; then',
    `    COMPREPLY=($(compgen -W ${quote(commands.map(({ name }) => name).join(" "))} -- "$word")); return`,
    "  fi",
    '  case "$command $before" in',
    ...values,
    "  esac",
    '  case "$word" in -*) ;; *) COMPREPLY=($(compgen -f -- "$word")); return ;; esac',
    '  case "$command" in',
    ...options,
    "  esac",
    "}",
    "complete -o filenames -F _plimsoll plimsoll",
  ].join("\n");
}

function renderZsh(commands: readonly Command[]): string {
  const describe = (option: Option): string => {
    const { name, value, choices, help } = option;
    const values = choices ? `(${choices.join(" ")})` : "_files";
    const argument = value === undefined ? "" : `:${value}:${values}`;
    return quote(`--${name}${value === undefined ? "" : "="}[${help.replace(/[[\]:\\]/g, " ")}]${argument}`);
  };
  return [
    "#compdef plimsoll",
    "# plimsoll in zsh: source <(plimsoll completion zsh), or as _plimsoll in a folder of fpath",
    "_plimsoll() {",
    "  local -a commands",
    `  commands=(${commands.map(({ name, summary }) => quote(`${name}:${summary.replaceAll(":", " ")}`)).join(" ")})`,
    "  if (( CURRENT == 2 )); then",
    "    _describe command commands",
    "    return",
    "  fi",
    "  shift words",
    "  (( CURRENT-- ))",
    '  case "$words[1]" in',
    ...commands.map(
      ({ name, options, positional }) =>
        `    ${name}) _arguments ${[...options.map(describe), ...(positional ? [quote("*:file:_files")] : [])].join(" ")} ;;`,
    ),
    "  esac",
    "}",
    "compdef _plimsoll plimsoll",
  ].join("\n");
}

function renderFish(commands: readonly Command[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c plimsoll -f -n __fish_use_subcommand -a ${name} -d ${quoteFish(summary)}`,
    ...options.map(({ name: option, value, choices, help }) =>
      [
        `complete -c plimsoll -n ${quoteFish(`__fish_seen_subcommand_from ${name}`)} -l ${option}`,
        ...(value === undefined ? [] : ["-r"]),
        ...(choices ? [`-f -a ${quoteFish(choices.join(" "))}`] : []),
        `-d ${quoteFish(help)}`,
      ].join(" "),
    ),
  ]);
  return ["# plimsoll in fish: plimsoll completion fish | source", ...lines].join("\n");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function quoteFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
