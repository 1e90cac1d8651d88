/** A position in shell text. `hereFrom` is the line end at which here-documents begin, `hereTo` is where they end. */
export interface Scan {
  readonly text: string;
  at: number;
  hereFrom: number;
  hereTo: number;
  /** How many expansions are open at `at`. */
  depth: number;
}

/** What is known about a shell while its text is parsed. It is mutable, and is thrown away after the text. */
export interface Shell {
  readonly home: string | undefined;
  directory: string | undefined;
  /** Values known from the text. */
  readonly variables: Map<string, string>;
  /** A variable holds several words, which are not followed: nothing certain can be said of the command. */
  isUnsure: boolean;
  reads: CommandRead[];
  remainingCharacters: number;
  readonly runText: (text: string, depth: number) => void;
  /** Runs the commands from `scan.at` up to their `)`, and moves `scan` behind it. */
  readonly runNested: (scan: Scan) => void;
  readonly runSimple: (command: SimpleCommand, depth: number) => PipelineStage;
}

export interface SimpleCommand {
  readonly words: readonly string[];
  /** Files redirected into it by `<`. */
  readonly inputs: readonly string[];
  /** Its input, if the text shows it. */
  readonly input: string | undefined;
  /** Whether anything is fed to it, known or not. */
  readonly hasInput: boolean;
}

export interface PipelineStage {
  readonly reads: readonly CommandRead[];
  readonly isCounter: boolean;
  readonly isEscaping: boolean;
  readonly isToFile: boolean;
}

/** A path whose content or tree a command would put into the window. */
export interface CommandRead {
  /** Absolute, without `.` and `..`; may contain globs. */
  readonly path: string;
  /** The directory is walked, not only named. */
  readonly isTree: boolean;
}

/** What a simple command does, by its words alone. Paths are not resolved yet. */
export interface CommandEffect {
  /** Words that name the files it prints. */
  readonly operands: readonly Operand[];
  readonly scripts: readonly string[];
  readonly commands: readonly (readonly string[])[];
  /** Its output does not grow with its input. */
  readonly isCounter: boolean;
  /** It may print the files redirected into it by `<`. */
  readonly isPrintingInput: boolean;
  readonly isRunningInput: boolean;
  /** It copies its input to the screen, whatever comes after it in the pipe (`tee /dev/tty`). */
  readonly isEscaping: boolean;
  readonly directory: string | undefined;
}

export interface Operand {
  readonly word: string;
  /** The directory is walked, not only named. */
  readonly isTree: boolean;
}

export const noEffect: CommandEffect = {
  operands: [],
  scripts: [],
  commands: [],
  isCounter: false,
  isPrintingInput: true,
  isRunningInput: false,
  isEscaping: false,
  directory: undefined,
};

/** Files such as `/dev/tty`: what is written to them is seen. */
export function isWindowFile(word: string): boolean {
  return word === "-" || /^\/(?:dev\/(?:std(?:out|err)|tty|fd\/\d+)|proc\/self\/fd\/\d+)$/.test(word);
}
