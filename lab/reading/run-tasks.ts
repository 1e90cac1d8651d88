import { renderCount } from "../../src/core/render-count.ts";
import { renderFailure } from "../../src/core/render-failure.ts";
import { CliError, type Terminal } from "../../src/entry/cli/command.ts";
import { canAsk, confirm } from "../../src/entry/cli/install/confirm.ts";
import { createProgress } from "../../src/entry/cli/print/progress.ts";
import { renderSafely, renderTokens } from "../../src/entry/cli/print/style.ts";
import { Waiting } from "./ask.ts";
import type { Task } from "./task.ts";

export interface Running {
  /** Nobody has to be asked whether to begin. */
  readonly isAgreed: boolean;
  /** So many at a time. */
  readonly jobs: number;
}

export interface Outcome {
  readonly done: number;
  readonly failed: readonly { readonly name: string; readonly why: string }[];
  /** Files in which answers are waited for. */
  readonly waiting: readonly string[];
}

/** Says what it will cost, then does it. What fails is named, and does not keep the rest from being done. */
export async function runTasks(tasks: readonly Task[], running: Running, terminal: Terminal): Promise<Outcome> {
  const failed: { name: string; why: string }[] = [];
  const waiting: string[] = [];
  if (tasks.length === 0) return { done: 0, failed, waiting };
  terminal.remark(`${describeCost(tasks)}\n`);
  if (!running.isAgreed) await agree(terminal);
  const progress = createProgress(terminal, "Asking");
  let ended = 0;
  const queue = tasks.values();
  const work = async (): Promise<void> => {
    for (const task of queue) {
      try {
        await task.run();
      } catch (error) {
        if (error instanceof Waiting) waiting.push(error.message);
        else failed.push({ name: task.name, why: renderFailure(error) });
      }
      progress.advance(++ended, tasks.length);
    }
  };
  await Promise.all(Array.from({ length: running.jobs }, work));
  progress.finish();
  return { done: tasks.length - failed.length - waiting.length, failed, waiting: waiting.sort() };
}

export function renderOutcome({ done, failed, waiting }: Outcome): string {
  const total = done + failed.length + waiting.length;
  if (total === 0) return "Everything has been asked and answered.";
  return [
    `${done} of ${total} done.`,
    ...failed.map(({ name, why }) => `Failed: ${name}: ${renderSafely(why)}`),
    ...waiting.map((file) => `Waiting for ${file}`),
  ].join("\n");
}

function describeCost(tasks: readonly Task[]): string {
  const sum = (of: (task: Task) => number): number => tasks.reduce((total, task) => total + of(task), 0);
  const requests = sum((task) => task.requests);
  const largest = Math.max(...tasks.map((task) => task.largestPromptTokens));
  return [
    `${renderCount(requests, "request")}:`,
    `about ${renderTokens(sum(({ promptTokens }) => promptTokens))} tokens to read`,
    `and ${renderTokens(sum(({ answerTokens }) => answerTokens))} to write;`,
    `the largest prompt has ${renderTokens(largest)}.`,
    ...(tasks.some(({ canRecall }) => canRecall) ? ["A reader that recalls asks again, up to eleven times."] : []),
  ].join(" ");
}

async function agree(terminal: Terminal): Promise<void> {
  if (!canAsk(terminal)) throw new CliError("nobody is here to ask: --yes begins without asking");
  if (!(await confirm("Begin?", terminal))) throw new CliError("nothing was asked");
}
