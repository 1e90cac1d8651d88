import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { errorCode } from "../../../core/error-code.ts";
import { CliError, EXIT_NO_PROGRAM, EXIT_NOT_RUNNABLE } from "../command.ts";

export interface ChildOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
}

/** Signals that are the child's to answer; from a terminal they reach it by themselves. */
const PASSED = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"] as const;
const SIGNALLED = 128;

/** What `execvp` searches where there is no PATH at all. */
const DEFAULT_PATH = "/bin:/usr/bin";

/** Runs a program in this one's place: its input, its output, its signals. Its exit status, as a shell would tell it. */
export function runChild(program: string, words: readonly string[], options: ChildOptions): Promise<number> {
  return new Promise<number>((resolve, reject) => {
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
      reject(error);
    });
    child.once("close", (code, signal) => {
      restore();
      resolve(code ?? SIGNALLED + (signal === null ? 0 : constants.signals[signal]));
    });
  }).catch((error: unknown) => {
    throw explainFailure(program, error, options);
  });
}

/**
 * With a shell's statuses, so that whoever asks for them in a script need not know what stands in between. A search that
 * finds nothing ends with what its last or its worst folder said: one that may not be searched, or a file that is no folder.
 */
function explainFailure(program: string, error: unknown, options: ChildOptions): unknown {
  const code = errorCode(error);
  const isRefused = code === "EACCES" && (program.includes("/") || isInPath(program, options));
  if (isRefused) return new CliError(`"${program}" is nothing that you may run`, EXIT_NOT_RUNNABLE);
  if (code === "EACCES" || code === "ENOENT" || code === "ENOTDIR")
    return new CliError(`there is no program "${program}"`, EXIT_NO_PROGRAM);
  return error;
}

/** Whether a file of that name lies where programs are searched for; an empty place is the folder one is in. */
function isInPath(name: string, { environment, directory }: ChildOptions): boolean {
  return (environment.PATH ?? DEFAULT_PATH).split(path.delimiter).some((folder) => {
    try {
      return statSync(path.resolve(directory, folder, name)).isFile();
    } catch {
      return false;
    }
  });
}
