/** What a check asks about. */
export type CheckKind = "rule kept" | "fact used" | "lesson remembered" | "readable again";

export const CHECK_KINDS: readonly CheckKind[] = ["rule kept", "fact used", "lesson remembered", "readable again"];

/** The finished repository, as a check sees it. */
export interface Finished {
  /** What the task's probe printed: one value for each name, `undefined` where the attempt failed. */
  readonly probed: Readonly<Record<string, unknown>>;
  /** A file's text; empty where it does not exist. */
  text(path: string): string;
}

export interface Check {
  readonly id: string;
  readonly kind: CheckKind;
  readonly holds: (finished: Finished) => boolean;
}

/** A call of the model in part 1; the real client executes it. `{repo}` in its texts is the repository's path. */
export interface ScriptedCall {
  readonly tool: "Bash" | "Read" | "Write" | "Edit";
  readonly input: Readonly<Record<string, string>>;
  readonly says: string;
}

/** A message of the person, the calls that follow, and the model's closing words. */
export interface Turn {
  readonly person: string;
  readonly calls: readonly ScriptedCall[];
  readonly closing: string;
  /** The conversation is compacted after this turn, in the arms that compact. */
  readonly isCompacted?: true;
}

export interface SolvedTask {
  readonly name: string;
  readonly kind: string;
  /** The repository before part 1. */
  readonly files: Readonly<Record<string, string>>;
  /** Programs that can be called in part 1 only, by name: the source of a Node module each. */
  readonly outside: Readonly<Record<string, string>>;
  readonly turns: readonly Turn[];
  /** The person's message of part 2. */
  readonly prompt: string;
  /** A module that is run in the finished repository; `attempt(name, work)` notes what `work` returns. */
  readonly probe: string;
  readonly checks: readonly Check[];
  /** Files of a finished repository that passes every check. */
  readonly solution: Readonly<Record<string, string>>;
  /** What the solution runs in its repository. */
  readonly solutionCommand?: string;
}

export function bash(command: string, says = ""): ScriptedCall {
  return { tool: "Bash", input: { command }, says };
}

export function read(path: string, says = ""): ScriptedCall {
  return { tool: "Read", input: { file_path: `{repo}/${path}` }, says };
}

export function write(path: string, content: string, says = ""): ScriptedCall {
  return { tool: "Write", input: { file_path: `{repo}/${path}`, content }, says };
}

export function turn(person: string, calls: readonly ScriptedCall[], closing: string): Turn {
  return { person, calls, closing };
}

export function compacted(given: Turn): Turn {
  return { ...given, isCompacted: true };
}

/** Checks of one kind, each with its name. */
export function checks(kind: CheckKind, holding: Readonly<Record<string, Check["holds"]>>): readonly Check[] {
  return Object.entries(holding).map(([id, holds]) => ({ id, kind, holds }));
}

/** Whether a probed value is this one, compared as JSON. */
export function probes(name: string, expected: unknown): Check["holds"] {
  return ({ probed }) => JSON.stringify(probed[name]) === JSON.stringify(expected);
}
