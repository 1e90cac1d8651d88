import { compressProse } from "../../../../policy/density/compress-prose.ts";
import { CliError, type Command, defineCommand } from "../../command.ts";
import { renderPage } from "../../print/style.ts";
import { requireText } from "../../require-text.ts";

export const terseCommand: Command = defineCommand({
  name: "terse",
  isVerbatim: true,
  summary: "Removes filler from a text; code, errors, paths, names and numbers stay unchanged",
  positional: { name: "FILE", help: "the text file, or - for standard input" },
  options: {},
  examples: {
    "plimsoll terse session.jsonl --json": "prints the shorter text, and its length before and after, as JSON",
  },
  run({ positionals, flags }, terminal) {
    const [given, ...rest] = positionals;
    if (given === undefined) throw new CliError("plimsoll terse needs a file: pass FILE, or - for standard input");
    if (rest.length > 0) throw new CliError(`plimsoll terse takes one file: unexpected argument "${rest[0]}"`);
    const before = requireText(given, terminal);
    const text = compressProse(before);
    const json = { charactersBefore: before.length, charactersAfter: text.length, text };
    if (terminal.isTerminal || flags.has("json")) return { json, text: () => renderPage(text, terminal) };
    terminal.write(new TextEncoder().encode(text));
    return undefined;
  },
});
