import { renderCount } from "../../../core/render-count.ts";
import { renderFailure } from "../../../core/render-failure.ts";
import { CliError, EXIT_FAILURE, type Terminal } from "../command.ts";
import { canAsk, confirm } from "../install/confirm.ts";
import { createProgress } from "../progress.ts";
import { renderTokens } from "../style.ts";
import { Waiting } from "./ask.ts";
import type { Task } from "./task.ts";

export interface Running {
  /** Nobody has to be asked whether to begin. */
  readonly isAgreed: boolean;
  /** So many at a time. */
  readonly jobs: number;
}

/** Says what it will cost, then does it; what fails is named in the end and does not keep the rest from being done. */
export async function runTasks(tasks: readonly Task[], running: Running, terminal: Terminal): Promise<void> {
  if (tasks.length === 0) return terminal.print("Everything has been asked and answered: nothing to do.");
  const cost = describeCost(tasks);
  terminal.remark(`${cost}\n`);
  if (!running.isAgreed) await agree(terminal);
  const progress = createProgress(terminal, "Asking");
  const failures: string[] = [];
  const waiting: string[] = [];
  let done = 0;
  const queue = tasks.values();
  const work = async (): Promise<void> => {
    for (const task of queue) {
      try {
        await task.run();
      } catch (error) {
        if (error instanceof Waiting) waiting.push(error.message);
        else failures.push(`${task.name}: ${renderFailure(error)}`);
      }
      progress.advance(++done, tasks.length);
    }
  };
  await Promise.all(Array.from({ length: running.jobs }, work));
  progress.finish();
  terminal.print(`${tasks.length - failures.length - waiting.length} of ${tasks.length} done.`);
  if (waiting.length > 0)
    terminal.print(["Answers are waited for in:", ...waiting.map((file) => `  ${file}`)].join("\n"));
  if (failures.length > 0)
    throw new CliError(
      `${renderCount(failures.length, "task")} failed, and the same command tries only these again. ${failures.join("; ")}`,
      EXIT_FAILURE,
    );
}

function describeCost(tasks: readonly Task[]): string {
  const sum = (of: (task: Task) => number): number => tasks.reduce((total, task) => total + of(task), 0);
  const largest = Math.max(...tasks.map((task) => task.largestPromptTokens));
  return [
    `${renderCount(
      sum(({ requests }) => requests),
      "request",
    )} at least:`,
    `about ${renderTokens(sum(({ promptTokens }) => promptTokens))} tokens to read`,
    `and ${renderTokens(sum(({ answerTokens }) => answerTokens))} to write;`,
    `the largest prompt has ${renderTokens(largest)}. Recalls come on top, each another request.`,
  ].join(" ");
}

async function agree(terminal: Terminal): Promise<void> {
  if (!canAsk(terminal)) throw new CliError("nobody is here to ask: --yes begins without asking");
  if (!(await confirm("Begin?", terminal))) throw new CliError("nothing was asked");
}
