import { statSync } from "node:fs";
import path from "node:path";
import { retrieve } from "../../../library/retrieve/retrieve.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command, type Invocation, type Terminal } from "../command.ts";
import { renderJson } from "../render-json.ts";
import { renderRetrieval } from "../retrieve/render-retrieval.ts";
import { createTreeSearch } from "../retrieve/tree-search.ts";
import { readTree } from "../retrieve/walk-tree.ts";

export const retrieveCommand: Command = {
  name: "retrieve",
  summary: "The few files that a task is about, found by searching again with what the first search revealed",
  positional: { name: "TASK", help: "what is to be done, in words" },
  options: [{ name: "in", value: "DIR", help: "the working tree to search; without it the current one" }, JSON_OPTION],
  examples: [
    {
      command: 'plimsoll retrieve "fix the session title"',
      shows: "files with their scores, the terms found, and why it stopped",
    },
    { command: 'plimsoll retrieve "session title" --in . --json', shows: "the same for a script" },
  ],
  async run(invocation, terminal) {
    const task = invocation.positionals.join(" ").trim();
    if (task === "") throw new CliError('plimsoll retrieve needs a task: plimsoll retrieve "what is to be done"');
    const directory = requireFolder(invocation, terminal);
    const { files, counts } = readTree(directory, { clockMs: () => performance.now() });
    const retrieval = await retrieve(task, { search: createTreeSearch(files) });
    const answer = { task, directory, ...retrieval, searched: counts };
    terminal.print(invocation.flags.has("json") ? renderJson(answer) : renderRetrieval(answer, terminal));
  },
};

function requireFolder({ values }: Invocation, { directory }: Terminal): string {
  const given = values.get("in");
  const folder = path.resolve(directory, given ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new CliError(`there is no folder ${given ?? folder}`);
}
