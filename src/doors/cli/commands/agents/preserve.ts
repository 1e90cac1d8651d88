import path from "node:path";
import { readColdTasks } from "../../../../files/cold-tasks.ts";
import { nodeProjectFiles } from "../../../../files/node-project-files.ts";
import { readDiffStat } from "../../../../files/read-diff-stat.ts";
import { locateHome } from "../../../../hosts/catalogue.ts";
import { locateColdHome } from "../../../../survive/cold-tasks/cold-paths.ts";
import { MAX_PRESERVATION_CHARACTERS, renderPreservation } from "../../../../survive/record/preservation.ts";
import { chooseTranscript, JSON_OPTION, SESSION_OPTIONS } from "../../choose-transcript.ts";
import type { Command } from "../../command.ts";
import { renderJson } from "../../print/render-json.ts";
import { renderPage } from "../../print/render-page.ts";
import { readHappened } from "../../read-happened.ts";

export const preserveCommand: Command = {
  name: "preserve",
  isVerbatim: true,
  summary: "The block that tells a summarising model what must survive a compaction",
  options: [
    ...SESSION_OPTIONS,
    {
      name: "trigger",
      value: "NAME",
      help: "what set off the compaction; auto without it",
      choices: ["auto", "manual"],
    },
    JSON_OPTION,
  ],
  examples: [
    {
      command: "plimsoll preserve",
      shows: `at most ${MAX_PRESERVATION_CHARACTERS} characters, as a hook before a compaction prints them`,
    },
    { command: "plimsoll preserve --trigger manual --json", shows: "the block and its length, for a script" },
  ],
  async run(invocation, terminal) {
    const file = chooseTranscript(invocation, terminal);
    const { cwd, ...happened } = readHappened(file);
    const trigger = invocation.values.get("trigger") ?? "auto";
    const diffStat = readDiffStat(cwd);
    const cold = {
      store: nodeProjectFiles,
      home: locateColdHome(locateHome(terminal.environment), terminal.environment.HOME),
      sessionId: path.basename(file, ".jsonl"),
      nowMs: terminal.nowMs(),
    };
    const text = renderPreservation({
      happened,
      root: cwd,
      trigger,
      diffStat,
      summaries: await readColdTasks(cold, happened.state),
    });
    terminal.print(
      invocation.flags.has("json")
        ? renderJson({ transcript: file, trigger, characters: text.length, hasDiffStat: diffStat !== "", text })
        : renderPage(text, terminal),
    );
  },
};
