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
