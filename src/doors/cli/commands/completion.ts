import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command } from "../command.ts";
import { COMPLETION_SHELLS, renderCompletion } from "../manual/render-completion.ts";
import { renderJson } from "../render-json.ts";
import { suggest } from "../suggest.ts";

export const completionCommand: Command = {
  name: "completion",
  isVerbatim: true,
  summary: "A script that completes plimsoll's commands and options in your shell",
  positional: { name: "SHELL", help: COMPLETION_SHELLS.join(", ") },
  options: [JSON_OPTION],
  examples: [
    { command: "plimsoll completion bash", shows: "for ~/.bashrc: source <(plimsoll completion bash)" },
    { command: "plimsoll completion zsh", shows: "for ~/.zshrc: source <(plimsoll completion zsh)" },
    { command: "plimsoll completion fish", shows: "for config.fish: plimsoll completion fish | source" },
  ],
  async run({ positionals, flags }, terminal) {
    const [given, surplus] = positionals;
    if (given === undefined) throw new CliError(`which shell? plimsoll completion ${COMPLETION_SHELLS.join("|")}`);
    if (surplus !== undefined) throw new CliError(`plimsoll completion: "${surplus}" is one too many`);
    const shell = COMPLETION_SHELLS.find((name) => name === given);
    const nearest = suggest(given, COMPLETION_SHELLS);
    if (shell === undefined)
      throw new CliError(
        `"${given}" is not known here: ${nearest ? `did you mean ${nearest}?` : COMPLETION_SHELLS.join(", ")}`,
      );
    const { COMMANDS } = await import("../catalogue.ts");
    const script = renderCompletion(shell, COMMANDS);
    terminal.print(flags.has("json") ? renderJson({ shell, script }) : script);
  },
};
