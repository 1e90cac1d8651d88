import { isRefused, renderFailure } from "../../core/render-failure.ts";
import { COMMANDS } from "./catalogue.ts";
import { ChildEnded, CliError, type Command, EXIT_FAILURE, type Terminal } from "./command.ts";
import { renderCommandHelp, renderOverview } from "./help.ts";
import { parseInvocation } from "./parse-invocation.ts";
import { renderSafely } from "./style.ts";
import { suggest } from "./suggest.ts";

/** Runs one command line. Errors become a sentence on the error stream and an exit code, never a stack trace. */
export async function runCli(words: readonly string[], terminal: Terminal, version: string): Promise<number> {
  try {
    await dispatch(words, terminal, version);
    return 0;
  } catch (error) {
    if (error instanceof ChildEnded) return error.exitCode;
    const { message, exitCode } = toCliError(error);
    // A message may name a file, and a file's name may hold anything.
    terminal.remark(`plimsoll: ${renderSafely(message)}\n`);
    return exitCode;
  }
}

async function dispatch(words: readonly string[], terminal: Terminal, version: string): Promise<void> {
  const [name, ...rest] = words;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    const asked = rest[0] === undefined ? undefined : findCommand(rest[0]);
    const { columns } = terminal;
    return terminal.print(asked ? renderCommandHelp(asked, columns) : renderOverview(COMMANDS, version, columns));
  }
  if (name === "--version" || name === "-v") return terminal.print(version);
  const command = findCommand(name);
  // What stands behind -- is somebody else's.
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (own.includes("--help") || own.includes("-h")) return terminal.print(renderCommandHelp(command, terminal.columns));
  await command.run(parseInvocation(command, rest), terminal);
}

function findCommand(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command) return command;
  const nearest = suggest(
    name,
    COMMANDS.map((candidate) => candidate.name),
  );
  throw new CliError(
    `there is no command "${name}": ${nearest ? `did you mean ${nearest}?` : "plimsoll --help lists them"}`,
  );
}

function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const why = renderFailure(error);
  if (isRefused(error)) return new CliError(why);
  return new CliError(`unexpected failure: ${why}. Please report it with the command you ran.`, EXIT_FAILURE);
}
