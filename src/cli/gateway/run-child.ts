import { spawn } from "node:child_process";
import { constants } from "node:os";
import { CliError, EXIT_NO_PROGRAM, EXIT_NOT_RUNNABLE } from "../command.ts";

export interface ChildOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
}

/** Signals that are the child's to answer; from a terminal they reach it by themselves. */
const PASSED = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"] as const;
const SIGNALLED = 128;

/** Runs a program in this one's place: its input, its output, its signals. Its exit status, as a shell would tell it. */
export function runChild(program: string, words: readonly string[], options: ChildOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { cwd: options.directory, env: { ...options.environment }, stdio: "inherit" });
    const passes = PASSED.map((signal) => [signal, () => void child.kill(signal)] as const);
    const ignore = (): void => undefined;
    for (const [signal, pass] of passes) process.on(signal, pass);
    process.on("SIGINT", ignore);
    const restore = (): void => {
      for (const [signal, pass] of passes) process.off(signal, pass);
      process.off("SIGINT", ignore);
    };
    child.once("error", (error) => {
      restore();
      reject(explainFailure(program, error));
    });
    child.once("close", (code, signal) => {
      restore();
      resolve(code ?? SIGNALLED + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** With a shell's statuses, so that whoever asks for them in a script need not know what stands in between. */
function explainFailure(program: string, error: Error): Error {
  const code = "code" in error ? error.code : "";
  if (code === "ENOENT") return new CliError(`there is no program "${program}"`, EXIT_NO_PROGRAM);
  if (code === "EACCES") return new CliError(`"${program}" is nothing that you may run`, EXIT_NOT_RUNNABLE);
  return error;
}
