import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import type { Answer, Question } from "./runner.ts";

/** A process that answers questions about tests, one after the other; `undefined` where it went on for too long. */
export interface Runner {
  ask(question: Question, limitMs: number): Promise<Answer | undefined>;
  stop(): void;
}

/** `begin` is asked first of each process: one that did not answer in time is ended with all its workers, and replaced. */
export function createRunner(begin: Question): Runner {
  let child: ChildProcess | undefined;
  const stop = (): void => {
    if (child?.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    child = undefined;
  };
  const send = (to: ChildProcess, question: Question, limitMs: number): Promise<Answer | undefined> =>
    new Promise((resolve) => {
      const end = (answer?: Answer): void => {
        clearTimeout(timer);
        to.removeAllListeners();
        if (answer === undefined) stop();
        resolve(answer);
      };
      const timer = setTimeout(end, limitMs);
      to.once("message", (answer: Answer) => end(answer));
      to.once("exit", () => end());
      to.send(question);
    });
  return {
    async ask(question, limitMs) {
      if (!child) {
        const file = path.join(import.meta.dirname, "runner.ts");
        child = fork(file, {
          execArgv: ["--import", "tsx"],
          detached: true,
          stdio: ["ignore", "ignore", "ignore", "ipc"],
        });
        await send(child, begin, limitMs);
      }
      return child && send(child, question, limitMs);
    },
    stop,
  };
}
