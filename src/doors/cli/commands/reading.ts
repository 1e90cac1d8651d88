import { mkdirSync } from "node:fs";
import path from "node:path";
import { JSON_OPTION } from "../choose-transcript.ts";
import { findTranscripts } from "../collect-usage.ts";
import { CliError, type Command, EXIT_NOTHING_FOUND, type Invocation, type Terminal } from "../command.ts";
import { countRecall } from "../reading/count-recall.ts";
import { listRecordedPasts } from "../reading/list-recorded-pasts.ts";
import { makeReading } from "../reading/make-reading.ts";
import { DEFAULT_MEMORIES, planMemories } from "../reading/plan-memories.ts";
import { findReadings } from "../reading/reading-folder.ts";
import { openOriginals, renderRecallAnswer } from "../reading/recall-original.ts";
import { renderJson } from "../render-json.ts";
import { findModule } from "../replay/find-module.ts";
import { loadPolicies } from "../replay/load-policies.ts";

export const readingCommand: Command = {
  name: "reading",
  summary: "What a model still knows after a compaction: quizzes out of recorded sessions, for any readers",
  positional: {
    name: "PATH",
    help: "recorded sessions to make; otherwise folders that were made, or handles to recall",
  },
  options: [
    { name: "make", value: "DIR", help: "cut recorded sessions, and write there what each policy would have left" },
    { name: "policies", value: "A,B", help: `whose memories to make; ${DEFAULT_MEMORIES} unless told` },
    { name: "with", value: "MODULE.mjs", help: "further policies, as plimsoll replay takes them" },
    { name: "name", value: "NAME", help: "another name for what is made, such as before" },
    { name: "recall", value: "DIR/SESSION", help: "answer handles as the recall tool does, and count it" },
    { name: "as", value: "NAME", help: "who reads, grades or recalls" },
    { name: "page", value: "N", help: "with --recall: which page" },
    { name: "lines", value: "FROM-TO", help: "with --recall: these lines alone" },
    { name: "pattern", value: "WORDS", help: "with --recall: matching lines alone" },
    JSON_OPTION,
  ],
  examples: [
    {
      command: "plimsoll reading session.jsonl --make quiz",
      shows: "a folder a session with everything before the cut, what came next, and the memories",
    },
    {
      command: "plimsoll reading --recall quiz/SESSION plimsoll:1a2b3c4d5e6f#3 --as anna/K",
      shows: "what a reader gets for a handle",
    },
  ],
  async run(invocation, terminal) {
    const { values } = invocation;
    const made = values.get("make");
    if (made !== undefined) return make(invocation, path.resolve(terminal.directory, made), terminal);
    const recalled = values.get("recall");
    if (recalled !== undefined) return recall(invocation, recalled, terminal);
    throw new CliError("say what to do: --make DIR, --recall DIR/SESSION; plimsoll reading --help has examples");
  },
};

async function make({ values, positionals, flags }: Invocation, directory: string, terminal: Terminal): Promise<void> {
  const policies = await loadPolicies(findModule(values.get("with"), terminal));
  const plans = planMemories(values.get("policies") ?? DEFAULT_MEMORIES, policies, values.get("name"));
  mkdirSync(directory, { recursive: true });
  const report = [];
  for (const past of listRecordedPasts(findTranscripts(positionals, terminal), terminal)) {
    if ("why" in past) report.push({ name: past.name, why: past.why, memories: [] });
    else report.push({ name: past.name, why: "", memories: makeReading(past, plans, directory) });
  }
  if (flags.has("json")) return terminal.print(renderJson({ directory, sessions: report }));
  const lines = report.flatMap(({ name, why, memories }) => [
    why === "" ? name : `${name}: left out, ${why}`,
    ...memories.map((memory) =>
      memory.why === "" ? `  ${memory.name}: ${memory.tokens} tokens` : `  ${memory.name}: none, ${memory.why}`,
    ),
  ]);
  terminal.print(lines.join("\n"));
  if (report.every(({ why }) => why !== ""))
    throw new CliError(
      "no session could be cut: one needs a compaction with 20 requests behind it",
      EXIT_NOTHING_FOUND,
    );
}

function recall({ values, positionals, flags }: Invocation, given: string, terminal: Terminal): void {
  const [folder, surplus] = findReadings([given], terminal.directory);
  if (!folder || surplus) throw new CliError(`${given} holds several sessions: name one of them`);
  const [page, lines, pattern] = ["page", "lines", "pattern"].map((name) => values.get(name));
  const answer = openOriginals(folder).answer({
    handle: [...positionals],
    ...(page === undefined ? {} : { page }),
    ...(lines === undefined ? {} : { lines }),
    ...(pattern === undefined ? {} : { pattern }),
  });
  const text = renderRecallAnswer(answer);
  const as = values.get("as") ?? "";
  countRecall(folder, { as, handles: positionals, isFound: !answer.isError, characters: text.length });
  terminal.print(flags.has("json") ? renderJson({ isFound: !answer.isError, text }) : text);
}
