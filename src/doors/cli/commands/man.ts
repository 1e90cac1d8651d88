import { JSON_OPTION } from "../choose-transcript.ts";
import type { Command } from "../command.ts";
import { renderMan } from "../manual/render-man.ts";
import { renderReference } from "../manual/render-reference.ts";
import { readVersion } from "../read-version.ts";
import { renderJson } from "../render-json.ts";

export const manCommand: Command = {
  name: "man",
  isVerbatim: true,
  summary: "The manual page, out of the same definitions that parse the command line",
  options: [{ name: "markdown", help: "the same as docs/cli.md" }, JSON_OPTION],
  examples: [
    { command: "plimsoll man", shows: "the page for man: plimsoll man | man -l -" },
    { command: "plimsoll man --markdown", shows: "docs/cli.md" },
  ],
  async run({ flags }, terminal) {
    const { COMMANDS } = await import("../catalogue.ts");
    const page = flags.has("markdown") ? renderReference(COMMANDS).trimEnd() : renderMan(COMMANDS, readVersion());
    terminal.print(flags.has("json") ? renderJson({ page }) : page);
  },
};
