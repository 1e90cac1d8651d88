import path from "node:path";
import { readColdTasks } from "../../../../files/cold-tasks.ts";
import { nodeProjectFiles } from "../../../../files/node-project-files.ts";
import { locateHome } from "../../../../hosts/catalogue.ts";
import { locateColdHome } from "../../../../survive/cold-tasks/cold-paths.ts";
import {
  MAX_PRESERVATION_CHARACTERS,
  renderDiffStat,
  renderPreservation,
} from "../../../../survive/record/preservation.ts";
import { type Command, defineCommand } from "../../command.ts";
import { renderPage } from "../../print/style.ts";
import { chooseTranscript, readHappened, SESSION_OPTIONS } from "../../require-session.ts";

export const preserveCommand: Command = defineCommand({
  name: "preserve",
  isVerbatim: true,
  summary: "Prints the text that tells a summarising model what to keep in a compaction",
  options: {
    ...SESSION_OPTIONS,
    trigger: { value: "NAME", help: "the compaction's trigger; auto by default", choices: ["auto", "manual"] },
  },
  examples: {
    "plimsoll preserve": `prints the same text as the hook that runs before a compaction (at most ${MAX_PRESERVATION_CHARACTERS} characters)`,
    "plimsoll preserve --trigger manual --json": "prints the text and its length as JSON",
  },
  async run(invocation, terminal) {
    const file = chooseTranscript(invocation, terminal);
    const { cwd, ...happened } = readHappened(file);
    const trigger = invocation.values.get("trigger") ?? "auto";
    const cold = {
      store: nodeProjectFiles,
      home: locateColdHome(locateHome(terminal.environment), terminal.environment.HOME),
      sessionId: path.basename(file, ".jsonl"),
      nowMs: terminal.nowMs(),
    };
    const summaries = await readColdTasks(cold, happened.state);
    const text = renderPreservation({ happened, root: cwd, trigger, summaries });
    return {
      json: {
        transcript: file,
        trigger,
        characters: text.length,
        hasDiffStat: renderDiffStat(happened.state, cwd).entries.length > 0,
        text,
      },
      text: () => renderPage(text, terminal),
    };
  },
});
