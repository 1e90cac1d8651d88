import { measureDistance } from "../../core/edit-distance.ts";
import type { Hosts } from "../../hosts/catalogue.ts";

/** One option of a command. The definition carries its own help: what is not described cannot be passed. */
export interface Option {
  readonly name: string;
  /** The placeholder of its value; a flag has none. */
  readonly value?: string;
  readonly help: string;
  /** The accepted values, if there are few. */
  readonly choices?: readonly string[];
  /** Former names of it, and former words for its choices. They still work; no list shows them. */
  readonly formerly?: { readonly names?: readonly string[]; readonly choices?: Readonly<Record<string, string>> };
}

export type Options = Readonly<Record<string, Omit<Option, "name">>>;

export interface Invocation {
  readonly positionals: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

export interface Command {
  readonly name: string;
  /** Without a full stop, as in the list of commands. */
  readonly summary: string;
  readonly positional?: { readonly name: string; readonly help: string };
  readonly options: readonly Option[];
  /** Options that no longer exist, each with what to do instead. */
  readonly formerOptions?: Readonly<Record<string, string>>;
  /** Example calls, each with what it shows. */
  readonly examples: Readonly<Record<string, string>>;
  /** Its output is for a model, a file or a program, so lines are never wrapped to fit a terminal. */
  readonly isVerbatim?: true;
  /** It serves until it is ended, instead of answering and exiting. */
  readonly staysOpen?: true;
  /** It does its work with an agent's program and account; without them its examples do nothing. */
  readonly needsAgent?: true;
  run(
    invocation: Invocation,
    terminal: Terminal,
  ): Promise<CommandAnswer | undefined> | Promise<void> | CommandAnswer | void;
}

/** A command's result, for a script (`--json`) and for a person. A command that prints as it goes returns none. */
export interface CommandAnswer {
  readonly json: unknown;
  readonly text: () => string;
  /** Thrown after the answer is printed, with its exit status. */
  readonly failure?: CliError | undefined;
}

/** Adds `--json` to the options, because every command answers scripts, too. */
export function defineCommand(command: Omit<Command, "options"> & { readonly options: Options }): Command {
  const json = { help: "print JSON in the format that docs/reference/json.md describes" };
  const options = Object.entries({ ...command.options, json }).map(([name, option]) => ({ name, ...option }));
  return { ...command, options };
}

export interface CommandGroup {
  readonly title: string;
  /** The list that shows this group; absent for groups in `plimsoll --help`. */
  readonly shownBy?: "agents" | "programs";
  readonly commands: readonly Command[];
}

export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly columns: number;
  readonly hasColour: boolean;
  readonly isInteractive: boolean;
  /** A person sees the output; it does not go to a program or a file. */
  readonly isTerminal: boolean;
  print(text: string): void;
  /** Raw bytes for a pipe or a file: nothing is added, translated or escaped. */
  write(bytes: Uint8Array): void;
  /** Progress and remarks, on stderr and never in the output. */
  remark(text: string): void;
  nowMs(): number;
  /** Clients whose sessions are read; all known clients by default. */
  readonly hosts?: Hosts;
}

/** An error in the person's terms whose message says what to do. Without a message, only the exit status is passed on. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: number;

  /** 2 means incorrect usage or unreadable input. */
  constructor(message: string, exitCode = 2) {
    super(message);
    this.exitCode = exitCode;
  }

  static failed(message: string): CliError {
    return new CliError(message, 1);
  }

  static foundNothing(message: string): CliError {
    return new CliError(message, 3);
  }
}

/** The most similar known word, if it is similar enough to be what was meant. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  const distances = known.map((candidate) => (candidate.startsWith(word) ? 1 : measureDistance(word, candidate)));
  const least = Math.min(...distances);
  return least <= Math.ceil(word.length / 3) ? known[distances.indexOf(least)] : undefined;
}

export function parseWhole(values: ReadonlyMap<string, string>, name: string, least: number): number | undefined {
  const given = values.get(name);
  if (given === undefined) return undefined;
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least) return number;
  throw new CliError(`--${name} takes a whole number of at least ${least}, not "${given}"`);
}

export function parsePort(values: ReadonlyMap<string, string>, otherwise: number): number {
  const given = values.get("port");
  if (given === undefined) return otherwise;
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535)
    throw new CliError(`--port takes a number from 0 to 65535, not "${given}"`);
  return Number(given);
}

/** Suggests the word that may have been meant, or lists the choices. */
export function hintAt(word: string, known: readonly string[], otherwise = `choose from ${known.join(", ")}`): string {
  const nearest = suggest(word, known);
  return nearest === undefined ? otherwise : `did you mean ${nearest}?`;
}
