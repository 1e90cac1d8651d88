import { statSync } from "node:fs";
import path from "node:path";
import { findTranscripts } from "../../src/entry/cli/collect-usage.ts";
import { CliError, type Command, defineCommand, type Invocation, type Terminal } from "../../src/entry/cli/command.ts";
import { renderJson } from "../../src/entry/cli/print/style.ts";
import { findModule } from "../replay/find-module.ts";
import { loadPolicies } from "../replay/load-policies.ts";
import { askRole, ROLES } from "./ask-role.ts";
import { collectReadings } from "./collect-readings.ts";
import { countRecall } from "./count-recall.ts";
import { makeReadings } from "./make-readings.ts";
import { DEFAULT_MEMORIES, planMemories } from "./plan-memories.ts";
import { GRADER_PROMPT, READER_PROMPT, RECALL_PROMPT, WRITER_PROMPT } from "./quiz/prompts.ts";
import { scoreReadings } from "./quiz/score-readings.ts";
import { findReadings } from "./reading-folder.ts";
import { openOriginals, renderRecallAnswer } from "./recall-original.ts";
import { renderFigures } from "./render-figures.ts";
import { renderMade } from "./render-made.ts";

export const readingCommand: Command = defineCommand({
  name: "reading",
  summary: "What a model still knows after a compaction: quizzes out of recorded sessions, for any readers",
  positional: {
    name: "PATH",
    help: "with --make recorded sessions, with --recall handles, otherwise folders that were made",
  },
  options: {
    make: { value: "DIR", help: "cut recorded sessions, and write there what each policy would have left" },
    policies: { value: "A,B", help: `with --make: whose memories; ${DEFAULT_MEMORIES} by default` },
    with: { value: "MODULE.mjs", help: "with --make: further policies, as plimsoll replay takes them" },
    name: { value: "NAME", help: "with --make: another name for what is made, such as before" },
    quizzes: { value: "DIR", help: "with --make: quizzes that were written before, SESSION.json each" },
    writer: { value: "COMMAND", help: "writes quizzes: a prompt on standard input, an answer on standard output" },
    reader: { value: "COMMAND", help: "answers them out of each memory, alone and with recall" },
    grader: { value: "COMMAND", help: "grades answers without knowing whose they are; - for these three: by hand" },
    as: { value: "NAME", help: "the name of the reader or grader, or of who recalls (READER/LETTER)" },
    jobs: { value: "N", help: "so many commands at a time; 1 by default" },
    yes: { help: "begin without asking whether the cost is right" },
    table: { help: "what was known from each memory, with intervals" },
    recall: { value: "DIR/SESSION", help: "answer handles as the recall tool does, and count it" },
    page: { value: "N", help: "with --recall: which page" },
    lines: { value: "FROM-TO", help: "with --recall: these lines alone" },
    pattern: { value: "WORDS", help: "with --recall: matching lines alone" },
    prompts: { help: "what writers, readers and graders are asked, in words" },
  },
  examples: {
    "npm run lab -- reading session.jsonl --make quiz":
      "a folder a session: all before the cut, what came next, and the memory that each policy leaves",
    "npm run lab -- reading --prompts":
      'what is asked; then: npm run lab -- reading quiz --writer "COMMAND", --reader, --grader, --table',
  },
  async run(invocation, terminal) {
    const [mode, another] = MODES.filter(({ name }) => invocation.flags.has(name) || invocation.values.has(name));
    const names = MODES.map(({ name }) => `--${name}`).join(", ");
    if (!mode) throw new CliError(`say what to do: one of ${names}; npm run lab -- reading --help says more`);
    if (another) throw new CliError(`--${mode.name} and --${another.name} are two things: one at a time`);
    await mode.run(invocation, terminal);
  },
});

interface Mode {
  readonly name: string;
  run(invocation: Invocation, terminal: Terminal): Promise<void> | void;
}

const MODES: readonly Mode[] = [
  { name: "make", run: make },
  ...Object.keys(ROLES).map(
    (role): Mode => ({ name: role, run: (invocation, terminal) => askRole(role, invocation, terminal) }),
  ),
  { name: "recall", run: recall },
  { name: "table", run: report },
  { name: "prompts", run: printPrompts },
];

async function make({ values, positionals, flags }: Invocation, terminal: Terminal): Promise<void> {
  const policies = await loadPolicies(findModule(values.get("with"), terminal));
  const plans = planMemories(values.get("policies") ?? DEFAULT_MEMORIES, policies, values.get("name"));
  const directory = path.resolve(terminal.directory, values.get("make") ?? "");
  const quizzes = findQuizzes(values.get("quizzes"), terminal);
  const sessions = makeReadings(findTranscripts(positionals, terminal), { plans, directory, quizzes }, terminal);
  terminal.print(flags.has("json") ? renderJson({ directory, sessions }) : renderMade(sessions));
}

function findQuizzes(given: string | undefined, { directory }: Terminal): string | undefined {
  if (given === undefined) return undefined;
  const folder = path.resolve(directory, given);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new CliError(`there is no folder ${given}`);
}

async function recall({ values, positionals, flags }: Invocation, terminal: Terminal): Promise<void> {
  const given = values.get("recall") ?? "";
  const [folder, surplus] = findReadings([given], terminal.directory);
  if (!folder || surplus) throw new CliError(`${given} holds several sessions: name one of them`);
  const parts = ["page", "lines", "pattern"].flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const answer = await openOriginals(folder).answer({ handle: [...positionals], ...Object.fromEntries(parts) });
  const text = renderRecallAnswer(answer);
  const as = values.get("as") ?? "";
  countRecall(folder, { as, handles: positionals, isFound: !answer.isError, characters: text.length });
  terminal.print(flags.has("json") ? renderJson({ isFound: !answer.isError, text }) : text);
}

function report({ positionals, flags }: Invocation, terminal: Terminal): void {
  const memories = scoreReadings(collectReadings(findReadings(positionals, terminal.directory)));
  if (memories.every(({ sessions }) => sessions === 0))
    throw CliError.foundNothing("nobody has answered anything there yet: --reader does");
  terminal.print(flags.has("json") ? renderJson({ memories }) : renderFigures(memories, terminal));
}

function printPrompts({ flags }: Invocation, terminal: Terminal): void {
  const prompts = { writer: WRITER_PROMPT, reader: READER_PROMPT, recall: RECALL_PROMPT, grader: GRADER_PROMPT };
  const texts = Object.entries(prompts).map(([name, text]) => `# ${name}\n\n${text}`);
  terminal.print(flags.has("json") ? renderJson(prompts) : texts.join("\n\n\n"));
}
