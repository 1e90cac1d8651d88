import { compressProse } from "../../../policy/density/compress-prose.ts";
import { CliError, type Command } from "../command.ts";
import { renderPage } from "../render-page.ts";
import { requireText } from "../require-text.ts";

export const terseCommand: Command = {
  name: "terse",
  summary: "A text without its filler; code, errors, paths, names and numbers stay byte for byte",
  positional: { name: "FILE", help: "the text; - for what is piped in" },
  options: [],
  examples: [
    { command: "plimsoll terse notes.md", shows: "the same text without articles, filler and pleasantries" },
    {
      command: "git log -1 --format=%B | plimsoll terse -",
      shows: "as a filter: nothing is added, moved or rewritten",
    },
  ],
  run({ positionals }, terminal) {
    const [given, ...rest] = positionals;
    if (given === undefined)
      throw new CliError("plimsoll terse needs a file: plimsoll terse FILE, or - for what is piped in");
    if (rest.length > 0) throw new CliError(`plimsoll terse takes one file: "${rest[0]}" is one too many`);
    const text = compressProse(requireText(given, terminal));
    if (terminal.isTerminal) terminal.print(renderPage(text, terminal));
    else terminal.write(new TextEncoder().encode(text));
  },
};
