import { measureDistance } from "../../core/edit-distance.ts";
import type { Hosts } from "../../hosts/catalogue.ts";

/** One option of a command. The definition carries its own help: what is not described cannot be passed. */
export interface Option {
  readonly name: string;
  /** The placeholder of its value; a flag has none. */
  readonly value?: string;
  readonly short?: string;
  readonly help: string;
  /** The values it takes, where they are few. */
  readonly choices?: readonly string[];
}

/** Options by their names, as a command defines them. */
export type Options = Readonly<Record<string, Omit<Option, "name">>>;

export interface Invocation {
  readonly positionals: readonly string[];
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
}

export interface Command {
  readonly name: string;
  /** Without a full stop, as it stands in the list of commands. */
  readonly summary: string;
  readonly positional?: { readonly name: string; readonly help: string };
  readonly options: readonly Option[];
  /** Calls of it, each with what it shows. */
  readonly examples: Readonly<Record<string, string>>;
  /** What it prints is a text of its own, for a model, a file or a program: no line of it is broken to fit a terminal. */
  readonly isVerbatim?: true;
  /** It serves until it is told to end, instead of answering and ending. */
  readonly staysOpen?: true;
  run(
    invocation: Invocation,
    terminal: Terminal,
  ): Promise<CommandAnswer | undefined> | Promise<void> | CommandAnswer | void;
}

/** What a command has found out, for a script (`--json`) and for a person. Whatever prints as it goes returns none. */
export interface CommandAnswer {
  readonly json: unknown;
  readonly text: () => string;
  /** Thrown behind it: with its exit status. */
  readonly failure?: CliError | undefined;
}

const JSON_OPTION: Options = { json: { help: "print JSON in the format that docs/reference/json.md describes" } };

/** Every command answers a script, too. */
export function defineCommand(command: Omit<Command, "options"> & { readonly options: Options }): Command {
  const options = Object.entries({ ...command.options, ...JSON_OPTION }).map(([name, option]) => ({ name, ...option }));
  return { ...command, options };
}

/** The world as a command sees it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly directory: string;
  readonly columns: number;
  readonly hasColour: boolean;
  readonly isInteractive: boolean;
  /** What is printed is seen by a person, not read by a program or kept in a file. */
  readonly isTerminal: boolean;
  print(text: string): void;
  /** Bytes as they are, for a pipe or a file: nothing is added, translated or made safe. */
  write(bytes: Uint8Array): void;
  /** Progress and remarks: beside the output, never in it. */
  remark(text: string): void;
  nowMs(): number;
  /** Whose sessions are looked at; all clients that are known, by default. */
  readonly hosts?: Hosts;
}

/** What went wrong in the person's terms, with the way out in the sentence. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = EXIT_WRONG_USE) {
    super(message);
    this.exitCode = exitCode;
  }
}

export type ExitCode = 0 | 1 | 2 | 3 | 126 | 127;
export const EXIT_FAILURE: ExitCode = 1;
const EXIT_WRONG_USE: ExitCode = 2;
export const EXIT_NOTHING_FOUND: ExitCode = 3;
/** What a shell answers for a program that it may not run, and for one that is not there. */
export const EXIT_NOT_RUNNABLE: ExitCode = 126;
export const EXIT_NO_PROGRAM: ExitCode = 127;

/** A program that was run in this one's place has ended, and so does this one, as it did and without a word. */
export class ChildEnded extends Error {
  override readonly name = "ChildEnded";
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`the program ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** The nearest of some words, if it is near enough to be what was meant. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Math.ceil(word.length / 3) + 1;
  for (const candidate of known) {
    const distance = candidate.startsWith(word) ? 1 : measureDistance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

/** An option that takes a whole number, at least `least`; `undefined` where it was not given. */
export function parseWhole(values: ReadonlyMap<string, string>, name: string, least: number): number | undefined {
  const given = values.get(name);
  if (given === undefined) return undefined;
  const number = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number >= least) return number;
  throw new CliError(`--${name} takes a whole number of at least ${least}, not "${given}"`);
}

/** What may have been meant, or what there is. */
export function hintAt(word: string, known: readonly string[], otherwise = `choose from ${known.join(", ")}`): string {
  const nearest = suggest(word, known);
  return nearest === undefined ? otherwise : `did you mean ${nearest}?`;
}
