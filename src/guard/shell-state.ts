import type { ResolvedPlace } from "./resolve-path.ts";

/** What is known of a shell while its text is followed. It changes as the text goes on, and is gone with it. */
export interface Shell {
  readonly place: ResolvedPlace;
  readonly home: string | undefined;
  directory: string | undefined;
  /** Values that follow from the text; several where a loop goes through them. */
  readonly variables: Map<string, readonly string[]>;
  reads: CommandRead[];
  readonly unknown: Set<string>;
  remainingCharacters: number;
  readonly runText: (text: string, depth: number) => readonly string[] | undefined;
  readonly runSimple: (command: SimpleCommand, depth: number) => PipelineStage;
}

export interface SimpleCommand {
  readonly words: readonly string[];
  /** Files fed to it by `<`. */
  readonly inputs: readonly string[];
  /** What is fed to it, where that follows from the text. */
  readonly input: string | undefined;
  /** Something is fed to it, known or not. */
  readonly hasInput: boolean;
}

/** One part of a pipeline. */
export interface PipelineStage {
  readonly reads: readonly CommandRead[];
  readonly printed: readonly string[] | undefined;
  readonly isCounter: boolean;
  readonly isEscaping: boolean;
  readonly isToFile: boolean;
}

/** A path whose content, or whose tree, a command would put into the window. */
export interface CommandRead {
  /** Absolute, without `.` and `..`; may hold globs. */
  readonly path: string;
  /** A directory is gone through, not only named. */
  readonly isTree: boolean;
}

/** What is known of one simple command from its words alone, nothing resolved yet. */
export interface CommandEffect {
  /** Words that name what it prints. */
  readonly operands: readonly Operand[];
  /** Shell texts it runs. */
  readonly scripts: readonly string[];
  /** Commands it runs, as words. */
  readonly commands: readonly (readonly string[])[];
  /** What it prints does not grow with what it is given. */
  readonly isCounter: boolean;
  /** What is fed to it by `<` may come out of it. */
  readonly isPrintingInput: boolean;
  /** What is fed to it is a script. */
  readonly isRunningInput: boolean;
  /** It copies what passes through it to the screen, whatever comes behind it in the pipe. */
  readonly isEscaping: boolean;
  /** It works in another directory. */
  readonly directory: string | undefined;
  /** What it prints, where that follows from its words. */
  readonly printed: readonly string[] | undefined;
  /** Named where the command may read what its words do not say. */
  readonly unknown: string | undefined;
}

export interface Operand {
  readonly word: string;
  /** A directory is gone through, not only named. */
  readonly isTree: boolean;
}

/** Stand in `printed` for the project's root, and for the directory at that moment. */
export const ROOT = "\u0001";
export const HERE = "\u0002";

export const noEffect: CommandEffect = {
  operands: [],
  scripts: [],
  commands: [],
  isCounter: false,
  isPrintingInput: true,
  isRunningInput: false,
  isEscaping: false,
  directory: undefined,
  printed: undefined,
  unknown: undefined,
};

/** Files that are the window: what is written there is seen. */
export function isWindowFile(word: string): boolean {
  return word === "-" || /^\/(?:dev\/(?:std(?:out|err)|tty|fd\/\d+)|proc\/self\/fd\/\d+)$/.test(word);
}
