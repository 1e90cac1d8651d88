import path from "node:path";
import { GRADER_PROMPT, READER_PROMPT, RECALL_PROMPT, WRITER_PROMPT } from "../../../replay/reading/prompts.ts";
import { scoreReadings } from "../../../replay/reading/score-readings.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { findTranscripts } from "../collect-usage.ts";
import { CliError, type Command, EXIT_NOTHING_FOUND, type Invocation, type Terminal } from "../command.ts";
import { type Asker, createCommandAsker, createMailbox } from "../reading/ask.ts";
import { collectReadings } from "../reading/collect-readings.ts";
import { countRecall } from "../reading/count-recall.ts";
import { makeReadings } from "../reading/make-readings.ts";
import { planAnswering } from "../reading/plan-answering.ts";
import { planGrading } from "../reading/plan-grading.ts";
import { DEFAULT_MEMORIES, planMemories } from "../reading/plan-memories.ts";
import { planWriting } from "../reading/plan-writing.ts";
import { findReadings } from "../reading/reading-folder.ts";
import { openOriginals, renderRecallAnswer } from "../reading/recall-original.ts";
import { renderFigures } from "../reading/render-figures.ts";
import { runTasks } from "../reading/run-tasks.ts";
import type { Task } from "../reading/task.ts";
import { renderJson } from "../render-json.ts";
import { findModule } from "../replay/find-module.ts";
import { loadPolicies } from "../replay/load-policies.ts";

export const readingCommand: Command = {
  name: "reading",
  summary: "What a model still knows after a compaction: quizzes out of recorded sessions, for any readers",
  positional: {
    name: "PATH",
    help: "with --make recorded sessions, with --recall handles, otherwise folders that were made",
  },
  options: [
    { name: "make", value: "DIR", help: "cut recorded sessions, and write there what each policy would have left" },
    { name: "policies", value: "A,B", help: `with --make: whose memories; ${DEFAULT_MEMORIES} unless told` },
    { name: "with", value: "MODULE.mjs", help: "with --make: further policies, as plimsoll replay takes them" },
    { name: "name", value: "NAME", help: "with --make: another name for what is made, such as before" },
    { name: "writer", value: "COMMAND", help: "writes quizzes: a prompt on standard input, JSON on standard output" },
    { name: "reader", value: "COMMAND", help: "answers them out of each memory, alone and with recall" },
    { name: "grader", value: "COMMAND", help: "grades answers without knowing whose they are" },
    {
      name: "by-hand",
      value: "ROLE",
      help: "prompts into files, answers out of files",
      choices: ["writer", "reader", "grader"],
    },
    { name: "as", value: "NAME", help: "the name of the reader or grader, or of who recalls (READER/LETTER)" },
    { name: "jobs", value: "N", help: "so many commands at a time; 1 unless told" },
    { name: "yes", help: "begin without asking whether the cost is right" },
    { name: "table", help: "what was known from each memory, with intervals" },
    { name: "recall", value: "DIR/SESSION", help: "answer handles as the recall tool does, and count it" },
    { name: "page", value: "N", help: "with --recall: which page" },
    { name: "lines", value: "FROM-TO", help: "with --recall: these lines alone" },
    { name: "pattern", value: "WORDS", help: "with --recall: matching lines alone" },
    { name: "prompts", help: "what writers, readers and graders are asked, in words" },
    JSON_OPTION,
  ],
  examples: [
    {
      command: "plimsoll reading session.jsonl --make quiz",
      shows: "a folder a session with everything before the cut, what came next, and the memories",
    },
    {
      command: 'plimsoll reading quiz --reader "my-model --quiet" --as anna',
      shows: "answers from each memory, after telling what that will cost",
    },
    { command: "plimsoll reading quiz --table", shows: "what was known from each memory" },
    {
      command: "plimsoll reading --recall quiz/SESSION plimsoll:1a2b3c4d5e6f#3 --as anna/K",
      shows: "what a reader gets for a handle",
    },
  ],
  async run(invocation, terminal) {
    const chosen = MODES.filter(({ name }) => invocation.flags.has(name) || invocation.values.has(name));
    const [mode, another] = chosen;
    const names = MODES.map(({ name }) => `--${name}`).join(", ");
    if (!mode) throw new CliError(`say what to do: one of ${names}; plimsoll reading --help has examples`);
    if (another) throw new CliError(`--${mode.name} and --${another.name} are two things: one at a time`);
    await mode.run(invocation, terminal);
  },
};

interface Mode {
  readonly name: string;
  run(invocation: Invocation, terminal: Terminal): Promise<void> | void;
}

const ROLES = {
  writer: (folders: Folders, asker: Asker) => planWriting(folders, asker),
  reader: (folders: Folders, asker: Asker, as: string) => planAnswering(folders, asker, as),
  grader: (folders: Folders, asker: Asker, as: string) => planGrading(folders, asker, as),
} as const;

type Folders = ReturnType<typeof findReadings>;
type Role = keyof typeof ROLES;

const ROLE_NAMES: readonly Role[] = ["writer", "reader", "grader"];

const MODES: readonly Mode[] = [
  { name: "make", run: make },
  ...ROLE_NAMES.map((role): Mode => {
    return {
      name: role,
      run: (invocation, terminal) =>
        ask(role, createCommandAsker(invocation.values.get(role) ?? "", terminal), { invocation, terminal }),
    };
  }),
  { name: "by-hand", run: askByHand },
  { name: "recall", run: recall },
  { name: "table", run: tell },
  { name: "prompts", run: printPrompts },
];

async function make({ values, positionals, flags }: Invocation, terminal: Terminal): Promise<void> {
  const policies = await loadPolicies(findModule(values.get("with"), terminal));
  const plans = planMemories(values.get("policies") ?? DEFAULT_MEMORIES, policies, values.get("name"));
  const directory = path.resolve(terminal.directory, values.get("make") ?? "");
  const sessions = makeReadings(findTranscripts(positionals, terminal), { plans, directory }, terminal);
  if (flags.has("json")) return terminal.print(renderJson({ directory, sessions }));
  const lines = sessions.flatMap(({ name, why, memories }) => [
    why === "" ? name : `${name}: left out, ${why}`,
    ...memories.map((memory) =>
      memory.why === "" ? `  ${memory.name}: ${memory.tokens} tokens` : `  ${memory.name}: none, ${memory.why}`,
    ),
  ]);
  terminal.print(lines.join("\n"));
  if (sessions.every(({ why }) => why !== ""))
    throw new CliError(
      "no session could be cut: one needs a compaction with 20 requests behind it",
      EXIT_NOTHING_FOUND,
    );
}

interface Asked {
  readonly invocation: Invocation;
  readonly terminal: Terminal;
}

async function ask(role: Role, asker: Asker, { invocation, terminal }: Asked): Promise<void> {
  const { values, flags, positionals } = invocation;
  const as = values.get("as") ?? role;
  if (!/^[\w.-]{1,40}$/.test(as)) throw new CliError(`--as takes letters, digits, . _ and -, not "${as}"`);
  const jobs = values.get("jobs") ?? "1";
  if (!/^[1-9]\d?$/.test(jobs)) throw new CliError(`--jobs takes a number from 1 to 99, not "${jobs}"`);
  const tasks: readonly Task[] = ROLES[role](findReadings(positionals, terminal.directory), asker, as);
  const isAgreed = flags.has("yes") || values.has("by-hand");
  await runTasks(tasks, { isAgreed, jobs: Number(jobs) }, terminal);
}

function askByHand(invocation: Invocation, terminal: Terminal): Promise<void> {
  const role = ROLE_NAMES.find((name) => name === invocation.values.get("by-hand")) ?? "reader";
  return ask(role, createMailbox(), { invocation, terminal });
}

function recall({ values, positionals, flags }: Invocation, terminal: Terminal): void {
  const given = values.get("recall") ?? "";
  const [folder, surplus] = findReadings([given], terminal.directory);
  if (!folder || surplus) throw new CliError(`${given} holds several sessions: name one of them`);
  const parts = ["page", "lines", "pattern"].flatMap((name) => {
    const value = values.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const answer = openOriginals(folder).answer({ handle: [...positionals], ...Object.fromEntries(parts) });
  const text = renderRecallAnswer(answer);
  const as = values.get("as") ?? "";
  countRecall(folder, { as, handles: positionals, isFound: !answer.isError, characters: text.length });
  terminal.print(flags.has("json") ? renderJson({ isFound: !answer.isError, text }) : text);
}

function tell({ positionals, flags }: Invocation, terminal: Terminal): void {
  const sessions = collectReadings(findReadings(positionals, terminal.directory));
  const memories = scoreReadings(sessions);
  if (memories.every(({ sessions: read }) => read === 0))
    throw new CliError("nobody has answered anything there yet: --reader does", EXIT_NOTHING_FOUND);
  terminal.print(flags.has("json") ? renderJson({ memories }) : renderFigures(memories, terminal));
}

function printPrompts({ flags }: Invocation, terminal: Terminal): void {
  const prompts = { writer: WRITER_PROMPT, reader: READER_PROMPT, recall: RECALL_PROMPT, grader: GRADER_PROMPT };
  const texts = Object.entries(prompts).map(([name, text]) => `# ${name}\n\n${text}`);
  terminal.print(flags.has("json") ? renderJson(prompts) : texts.join("\n\n\n"));
}
