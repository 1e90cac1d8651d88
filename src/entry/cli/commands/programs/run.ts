import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { constants } from "node:os";
import path from "node:path";
import { errorCode } from "../../../../core/render-failure.ts";
import { HOSTS } from "../../../../hosts/catalogue.ts";
import { CliError, type Command, defineCommand, type Terminal } from "../../command.ts";
import { GATEWAY_OPTIONS, renderTotals } from "../../gateway/gateway-options.ts";
import { renderJson } from "../../print/style.ts";

export const runCommand: Command = defineCommand({
  name: "run",
  isVerbatim: true,
  summary: "Starts a gateway, runs a client through the gateway, and reports the savings",
  staysOpen: true,
  positional: {
    name: "COMMAND",
    help: "the command to run, after --, with its own options; plimsoll run exits with the status of that command (127 if the program does not exist)",
  },
  options: GATEWAY_OPTIONS,
  examples: {
    [`plimsoll run -- ${HOSTS[0].program}`]:
      "starts the client as usual and sends its requests through a gateway on a free port",
    "plimsoll run --compaction answer -- codex": "runs Codex and answers its compactions without a model",
    "plimsoll run -- node agent.mjs": "runs any program that reads ANTHROPIC_BASE_URL",
  },
  async run(invocation, terminal) {
    const [program, ...words] = invocation.positionals;
    if (program === undefined)
      throw new CliError(`plimsoll run needs a command: plimsoll run -- ${(terminal.hosts ?? HOSTS)[0].program}`);
    const { openListener } = await import("../../gateway/gateway-settings.ts");
    const client = addressClient(program, words, terminal.environment);
    const { gateway } = await openListener(invocation, terminal, { port: 0, defaultUpstream: client.upstream });
    const environment = { ...terminal.environment, ...client.environment(gateway.url) };
    const child = { environment, directory: terminal.directory };
    const ended = await runChild(program, client.words(gateway.url), child).finally(() => gateway.drain(0));
    const totals = gateway.totals();
    terminal.remark(invocation.flags.has("json") ? renderJson(totals) : `plimsoll: ${renderTotals(totals)}\n`);
    // The client has reported its own failure.
    if (ended !== 0) throw new CliError("", ended);
  },
});

/** How to point a client at another API address. */
interface Addressed {
  /** Where its requests would have gone without us; the default if nothing is set. */
  readonly upstream: string | undefined;
  readonly words: (url: string) => readonly string[];
  readonly environment: (url: string) => Readonly<Record<string, string>>;
}

/** Codex takes the address as arguments, other clients from a variable. An address that is already set becomes the upstream. */
export function addressClient(
  program: string,
  words: readonly string[],
  environment: Terminal["environment"],
): Addressed {
  const name = path.basename(program).replace(/\.(?:exe|cmd|js)$/, "");
  if (name === "codex")
    return {
      upstream: environment.OPENAI_BASE_URL || "https://api.openai.com/v1",
      words: (url) => ["-c", `openai_base_url="${url}"`, ...words],
      environment: () => ({}),
    };
  return {
    upstream: environment.ANTHROPIC_BASE_URL || undefined,
    words: () => words,
    environment: (url) => ({ ANTHROPIC_BASE_URL: url }),
  };
}

type ChildOptions = Pick<Terminal, "environment" | "directory">;

/** Signals that we pass to the child. From a terminal they reach it without us. */
const PASSED = ["SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2"] as const;
/** A shell's exit statuses: for a program that may not be run, for one that does not exist, and for one ended by signal N, 128 + N. */
const NOT_RUNNABLE = 126;
const NO_PROGRAM = 127;
const SIGNALLED = 128;

/** The folders `execvp` searches without a PATH. */
const DEFAULT_PATH = "/bin:/usr/bin";

/** Runs a program in place of this one, with its input, output and signals. Resolves to the exit status a shell would give. */
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
 * Uses a shell's statuses, so that a script need not know that we are in between. If no program is found, the error is that of
 * the last or the worst folder: one that may not be searched, or a file that is not a folder.
 */
function explainFailure(program: string, error: unknown, options: ChildOptions): unknown {
  const code = errorCode(error);
  const isRefused = code === "EACCES" && (program.includes("/") || isInPath(program, options));
  if (isRefused) return new CliError(`you have no permission to run "${program}"`, NOT_RUNNABLE);
  if (code === "EACCES" || code === "ENOENT" || code === "ENOTDIR")
    return new CliError(`there is no program "${program}"`, NO_PROGRAM);
  return error;
}

/** Whether PATH contains a file of that name; an empty entry means the current folder. */
function isInPath(name: string, { environment, directory }: ChildOptions): boolean {
  return (environment.PATH ?? DEFAULT_PATH).split(path.delimiter).some((folder) => {
    try {
      return statSync(path.resolve(directory, folder, name)).isFile();
    } catch {
      return false;
    }
  });
}
