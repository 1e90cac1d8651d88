import { compressProse } from "../../../../policy/density/compress-prose.ts";
import { JSON_OPTION } from "../../choose-transcript.ts";
import { CliError, type Command } from "../../command.ts";
import { renderJson } from "../../print/render-json.ts";
import { renderPage } from "../../print/render-page.ts";
import { requireText } from "../../require-text.ts";

export const terseCommand: Command = {
  name: "terse",
  isVerbatim: true,
  summary: "Removes filler from a text; code, errors, paths, names and numbers stay unchanged",
  positional: { name: "FILE", help: "the text file, or - for standard input" },
  options: [JSON_OPTION],
  examples: [{ command: "plimsoll terse session.jsonl --json", shows: "prints the text and both lengths as JSON" }],
  run({ positionals, flags }, terminal) {
    const [given, ...rest] = positionals;
    if (given === undefined)
      throw new CliError("plimsoll terse needs a file: plimsoll terse FILE, or - for what is piped in");
    if (rest.length > 0) throw new CliError(`plimsoll terse takes one file: "${rest[0]}" is one too many`);
    const before = requireText(given, terminal);
    const text = compressProse(before);
    if (flags.has("json")) {
      terminal.print(renderJson({ charactersBefore: before.length, charactersAfter: text.length, text }));
    } else if (terminal.isTerminal) terminal.print(renderPage(text, terminal));
    else terminal.write(new TextEncoder().encode(text));
  },
};
