import { parseArgs } from "node:util";
import { isRefused, renderFailure } from "../../core/render-failure.ts";
import { COMMAND_GROUPS, COMMANDS, IN_THE_LAB, MOVED } from "./catalogue.ts";
import { CliError, type Command, hintAt, type Invocation, type Terminal } from "./command.ts";
import { renderFirstScreen } from "./commands/now.ts";
import { fillLines, measureText, renderCommandHelp, renderLists, renderOverview, wrapText } from "./help.ts";
import { paint, renderJson, renderSafely } from "./print/style.ts";

/** Runs one command line. Errors become a sentence on stderr and an exit code, never a stack trace. */
export function runCli(words: readonly string[], terminal: Terminal, version: string): Promise<number> {
  return answerFailure(terminal, () => dispatch(words, terminal, version));
}

export async function answerFailure(terminal: Terminal, work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    const { message, exitCode } = toCliError(error);
    // A message may contain a file name, and a file name may contain anything.
    if (message !== "") terminal.remark(`plimsoll: ${renderSafely(message)}\n`);
    return exitCode;
  }
}

async function dispatch(words: readonly string[], terminal: Terminal, version: string): Promise<void> {
  const [name, ...rest] = words;
  if (name === undefined) return fitTerminal(terminal).print(await renderStart(terminal));
  if (name === "--help" || name === "-h" || name === "help") {
    return terminal.print(renderHelp(rest[0], version, terminal.columns));
  }
  if (name === "--version" || name === "-v") return terminal.print(version);
  const now = MOVED.get(name);
  if (now) {
    terminal.remark(`plimsoll ${name} is now plimsoll ${now.join(" ")}\n`);
    return dispatch([...now, ...rest], terminal, version);
  }
  await dispatchCommand(findCommand(name), rest, terminal);
}

/** Help for a command, a list of commands (`agents`, `programs`, `all`), or the overview. */
function renderHelp(asked: string | undefined, version: string, columns: number): string {
  if (asked === undefined) return renderOverview(COMMAND_GROUPS, version, columns);
  const lists = COMMAND_GROUPS.filter(({ shownBy }) => asked === "all" || shownBy === asked);
  return lists.length > 0 ? renderLists(lists, columns) : renderCommandHelp(findCommand(asked), columns);
}

/** Runs one command with the words after its name, or prints its help. */
export async function dispatchCommand(command: Command, rest: readonly string[], terminal: Terminal): Promise<void> {
  // Words after -- belong to another program.
  const own = rest.includes("--") ? rest.slice(0, rest.indexOf("--")) : rest;
  if (own.includes("--help") || own.includes("-h")) return terminal.print(renderCommandHelp(command, terminal.columns));
  const invocation = parseInvocation(command, rest);
  const isJson = invocation.flags.has("json");
  const fitted = command.isVerbatim || isJson ? terminal : fitTerminal(terminal);
  const answer = await command.run(invocation, fitted);
  if (!answer) return;
  fitted.print(isJson ? renderJson(answer.json) : answer.text());
  if (answer.failure) throw answer.failure;
}

/** Wraps output to the terminal or to the requested width; a pipe gets whole lines. */
function fitTerminal(terminal: Terminal): Terminal {
  if (!terminal.isTerminal && !terminal.environment.COLUMNS) return terminal;
  return { ...terminal, print: (text) => terminal.print(fitLines(text, terminal.columns)) };
}

const EVERYDAY_COMMANDS = 6;

/** Without a command: what to do now, the last days, then where to go on. */
async function renderStart(terminal: Terminal): Promise<string> {
  const everyday = COMMAND_GROUPS[0]?.commands.slice(0, EVERYDAY_COMMANDS).map(({ name }) => name) ?? [];
  const more = `Most used: plimsoll ${everyday.join(", ")}. plimsoll --help lists all commands`;
  const lines = wrapText(more, terminal.columns, "  ").map((line) => paint(terminal, "dim", line));
  return [await renderFirstScreen(terminal), "", ...lines].join("\n");
}

function findCommand(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command) return command;
  if (IN_THE_LAB.has(name))
    throw new CliError(`${name} is part of the lab: in a clone of the repository, run npm run lab -- ${name}`);
  const names = COMMANDS.map((candidate) => candidate.name);
  throw new CliError(`there is no command "${name}": ${hintAt(name, names, "plimsoll --help lists all commands")}`);
}

function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  const why = renderFailure(error);
  if (isRefused(error)) return new CliError(why);
  return CliError.failed(`unexpected failure: ${why}. Please report it with the command you ran.`);
}

/** A better place for a line break than between two words. */
const BETWEEN_THINGS = / (?=· )/;

/** Wraps to the terminal's width, with later lines indented by two. A word that is too wide, such as a path, stays whole to be copied. */
export function fitLines(text: string, columns: number): string {
  return text
    .split("\n")
    .flatMap((line) => (measureText(line) <= columns ? [line] : breakLine(line, columns)))
    .join("\n");
}

function breakLine(line: string, columns: number): readonly string[] {
  const indent = " ".repeat((/^ */.exec(line)?.[0].length ?? 0) + 2);
  const things = line.split(BETWEEN_THINGS);
  if (things.some((thing) => measureText(thing) + indent.length > columns)) return wrapText(line, columns, indent);
  return fillLines(things, columns, indent);
}

/** Parses the words after the command's name. A typo is answered with the nearest match. */
export function parseInvocation(command: Command, words: readonly string[]): Invocation {
  const named = new Map(
    command.options.flatMap((one) => [one.name, ...(one.formerly?.names ?? [])].map((word) => [word, one])),
  );
  const types = [...named].map(
    ([word, { value }]) => [word, { type: value === undefined ? "boolean" : "string" }] as const,
  );
  const options = Object.fromEntries(types);
  const { tokens } = parseArgs({ args: [...words], options, allowPositionals: true, strict: false, tokens: true });
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const positionals: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = named.get(token.name);
    if (!option) {
      const known = command.options.map(({ name }) => `--${name}`);
      const former = Object.entries(command.formerOptions ?? {}).find(([name]) => name === token.name)?.[1];
      const hint = former ?? hintAt(token.rawName, known, `see: plimsoll ${command.name} --help`);
      throw new CliError(`plimsoll ${command.name} has no option ${token.rawName}: ${hint}`);
    }
    const { name, value, choices } = option;
    if (value === undefined) {
      if (token.value !== undefined) throw new CliError(`--${name} takes no value`);
      flags.add(name);
      continue;
    }
    if (token.value === undefined || (!token.inlineValue && token.value.startsWith("--")))
      throw new CliError(`--${name} needs a value: --${name} ${value}`);
    const chosen = option.formerly?.choices?.[token.value] ?? token.value;
    if (choices && !choices.includes(chosen))
      throw new CliError(`--${name} takes ${choices.join(", ")}, not "${token.value}"`);
    values.set(name, chosen);
  }
  if (positionals.length > 0 && !command.positional) {
    throw new CliError(`plimsoll ${command.name} takes no arguments: unexpected argument "${positionals[0]}"`);
  }
  return { positionals, flags, values };
}
