import { mkdirSync } from "node:fs";
import path from "node:path";
import { nodeProjectFiles } from "../../../files/node-project-files.ts";
import { appendPrivateFile } from "../../../files/private-files.ts";
import { selectRules } from "../../../files/project-reader.ts";
import { locateHome } from "../../../hosts/catalogue.ts";
import { locateData } from "../../../policy/deeds/data-paths.ts";
import { locateAgreed, renderAgreed } from "../../../policy/rules/agreement.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command } from "../command.ts";
import { renderJson } from "../render-json.ts";
import { renderSafely } from "../style.ts";

export const rulesCommand: Command = {
  name: "rules",
  isVerbatim: true,
  summary: "The project's standing rules: which the model is told, and which wait for you to agree",
  positional: { name: "agree", help: "has those told that the repository brought, as they are now" },
  options: [JSON_OPTION],
  examples: [
    { command: "plimsoll rules", shows: "what is told, and what waits, word for word" },
    { command: "plimsoll rules agree", shows: "agrees to what waits; a text that changes waits again" },
  ],
  async run({ positionals, flags }, terminal) {
    const [word, ...rest] = positionals;
    if (rest.length > 0 || (word !== undefined && word !== "agree"))
      throw new CliError('plimsoll rules takes nothing, or "agree"');
    const data = locateData(locateHome(terminal.environment));
    const file = locateAgreed(data);
    const before = await selectRules(nodeProjectFiles, terminal.directory, file);
    if (word === "agree" && before.waiting.length > 0) {
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      appendPrivateFile(file, renderAgreed(before.waiting));
    }
    const { rules, waiting } = await selectRules(nodeProjectFiles, terminal.directory, file);
    const names = { told: rules.map(({ name }) => name), waiting: waiting.map(({ name }) => name) };
    if (flags.has("json")) return terminal.print(renderJson(names));
    if (rules.length + waiting.length === 0) return terminal.print("This project has no rules of its own.");
    const told = names.told.length === 0 ? [] : [`Told to the model: ${names.told.join(", ")}`];
    const texts = waiting.map(
      ({ name, text }) => `Waits for you to agree: ${name}\n${text.split("\n").map(renderSafely).join("\n").trimEnd()}`,
    );
    const how = waiting.length === 0 ? [] : ["plimsoll rules agree has them told, as long as they say this."];
    terminal.print([...told, ...texts, ...how].join("\n\n"));
  },
};
