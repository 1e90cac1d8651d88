import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CliError, type Command, defineCommand, type Invocation, type Terminal } from "../../src/entry/cli/command.ts";
import { renderJson } from "../../src/entry/cli/print/style.ts";
import { askCommand } from "./ask-command.ts";
import { prepareTask } from "./prepare.ts";
import { readTranscript, recallFor } from "./read-back.ts";
import { renderScores, scoreArms, scoreWorker } from "./score.ts";
import { TASKS } from "./tasks/catalogue.ts";
import { listKeys, readKey } from "./worker-key.ts";

export const solvedCommand: Command = defineCommand({
  name: "solved",
  summary: "Whether work is finished as well after a compaction: tasks in two parts, for any agent command",
  positional: { name: "WORDS", help: "prepare; run; score DIR; what a worker's ./recall and ./transcript run" },
  isVerbatim: true,
  options: {
    out: { value: "DIR", help: "where the workers' folders are" },
    task: { value: "A,B", help: "these tasks alone" },
    workers: { value: "N", help: "folders for each task and arm; 2 by default" },
    summary: { value: "COMMAND", help: "writes the client's summaries: a prompt in, an answer out" },
    worker: { value: "COMMAND", help: "with run: works in each folder; task.md on standard input" },
    minutes: { value: "N", help: "with run: so long for each worker; 20 by default" },
    page: { value: "N", help: "with recall: which page" },
    lines: { value: "FROM-TO", help: "with recall: these lines alone" },
    pattern: { value: "WORDS", help: "with recall: matching lines alone" },
  },
  examples: {
    "npm run lab -- solved prepare --out solved":
      "a folder for each task, arm and worker; what a model has to summarise waits in solved/summaries",
    'npm run lab -- solved run --out solved --worker "COMMAND"':
      "the command in every folder without a report; then: npm run lab -- solved score solved",
  },
  async run(invocation, terminal) {
    const [mode = "", ...words] = invocation.positionals;
    const action = MODES[mode];
    if (!action) throw new CliError(`solved takes ${Object.keys(MODES).join(", ")}; --help says more`);
    await action({ ...invocation, positionals: words }, terminal);
  },
});

const MODES: Readonly<Record<string, (invocation: Invocation, terminal: Terminal) => Promise<void> | void>> = {
  prepare,
  run: runWorkers,
  score,
  recall,
  transcript,
};

async function prepare({ values }: Invocation, terminal: Terminal): Promise<void> {
  const out = findOut(values.get("out"), terminal);
  const wanted = values.get("task")?.split(",");
  const programs = keepPrograms(out);
  for (const task of TASKS.filter(({ name }) => wanted === undefined || wanted.includes(name)))
    await prepareTask(task, {
      out,
      workers: Number(values.get("workers") ?? 2),
      summaryCommand: values.get("summary"),
      ...programs,
      remark: (text) => terminal.remark(text),
    });
  terminal.print(`Prepared: ${path.join(out, "READY.txt")}`);
}

/** Workers recall with the programs of this moment, whatever is built later. */
function keepPrograms(out: string): { readonly lab: string; readonly program: string } {
  const running = path.resolve(process.argv[1] ?? "");
  const built = path.resolve(path.dirname(running), "../../dist");
  const kept = path.join(out, "key", "programs");
  const [lab, program] = [path.join(kept, "lab.cjs"), path.join(kept, "plimsoll.cjs")];
  if (existsSync(lab)) return { lab, program };
  if (!existsSync(path.join(built, "plimsoll.cjs"))) throw new CliError("Plimsoll is not built. Run: npm run build");
  mkdirSync(kept, { recursive: true });
  for (const name of readdirSync(built).filter((each) => each.endsWith(".cjs")))
    copyFileSync(path.join(built, name), path.join(kept, name));
  copyFileSync(running, lab);
  return { lab, program };
}

/** One worker after the other: what they change and how long they take must not depend on each other. */
async function runWorkers({ values }: Invocation, terminal: Terminal): Promise<void> {
  const command = values.get("worker");
  if (command === undefined) throw new CliError('say who works: --worker "COMMAND"');
  const timeoutMs = Number(values.get("minutes") ?? 20) * 60_000;
  for (const { folder } of listKeys(findOut(values.get("out"), terminal))) {
    if (existsSync(path.join(folder, "report.md"))) continue;
    terminal.remark(`${folder}\n`);
    const text = readFileSync(path.join(folder, "task.md"), "utf8");
    try {
      await askCommand(command, text, { cwd: folder, timeoutMs });
    } catch (error) {
      terminal.remark(`${String(error)}\n`);
    }
  }
}

function score({ positionals, values, flags }: Invocation, terminal: Terminal): void {
  const out = findOut(positionals[0] ?? values.get("out"), terminal);
  const workers = listKeys(out).map(scoreWorker);
  const arms = scoreArms(workers);
  const json = renderJson({ arms, workers });
  writeFileSync(path.join(out, "scores.json"), `${json}\n`);
  terminal.print(flags.has("json") ? json : renderScores(arms, workers));
}

async function recall({ positionals, values }: Invocation, terminal: Terminal): Promise<void> {
  const [keyFile = "", ...handles] = positionals;
  const page = values.get("page");
  const rest = ["lines", "pattern"].flatMap((name) => (values.has(name) ? [[name, values.get(name)]] : []));
  const input = { handle: handles.join(" "), ...(page ? { page: Number(page) } : {}), ...Object.fromEntries(rest) };
  terminal.print(await recallFor(readKey(keyFile), input));
}

function transcript({ positionals }: Invocation, terminal: Terminal): void {
  const [keyFile = "", ...words] = positionals;
  terminal.print(readTranscript(readKey(keyFile), words));
}

function findOut(given: string | undefined, { directory }: Terminal): string {
  if (given === undefined) throw new CliError("say where the folders are: --out DIR");
  return path.resolve(directory, given);
}
