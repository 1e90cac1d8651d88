import { CliError, type Invocation, type Terminal } from "../../src/entry/cli/command.ts";
import { renderJson } from "../../src/entry/cli/print/style.ts";
import { type Asker, createCommandAsker, createMailbox } from "./ask.ts";
import { planAnswering } from "./plan-answering.ts";
import { planGrading } from "./plan-grading.ts";
import { planWriting } from "./plan-writing.ts";
import { findReadings, type ReadingFolder } from "./reading-folder.ts";
import { renderOutcome, runTasks } from "./run-tasks.ts";
import type { Task } from "./task.ts";

type Plan = (folders: readonly ReadingFolder[], asker: Asker, as: string) => readonly Task[];

/** What a model, or a person, is asked to be. */
export const ROLES: Readonly<Record<string, Plan>> = {
  writer: planWriting,
  reader: planAnswering,
  grader: planGrading,
};

/** In the place of a command: prompts go into files, and answers come out of files. */
const BY_HAND = "-";

/** Asks a command of the person's own for whatever is still missing of a role's part. */
export async function askRole(role: string, invocation: Invocation, terminal: Terminal): Promise<void> {
  const { values, flags, positionals } = invocation;
  const command = values.get(role) ?? "";
  if (command.trim() === "") throw new CliError(`--${role} needs a command, or - for prompts and answers in files`);
  const as = values.get("as") ?? role;
  if (!/^[\w.-]{1,40}$/.test(as)) throw new CliError(`--as takes letters, digits, . _ and -, not "${as}"`);
  const jobs = values.get("jobs") ?? "1";
  if (!/^[1-9]\d?$/.test(jobs)) throw new CliError(`--jobs takes a number from 1 to 99, not "${jobs}"`);
  const asker = command === BY_HAND ? createMailbox() : createCommandAsker(command, terminal);
  const tasks = ROLES[role]?.(findReadings(positionals, terminal.directory), asker, as) ?? [];
  const isAgreed = flags.has("yes") || command === BY_HAND;
  const outcome = await runTasks(tasks, { isAgreed, jobs: Number(jobs) }, terminal);
  terminal.print(flags.has("json") ? renderJson(outcome) : renderOutcome(outcome));
  const { failed } = outcome;
  if (failed.length > 0) throw new CliError(`${failed.length} failed; the same command asks only for these again`, 1);
}
