import type { ApiRequest } from "../api/api-request.ts";
import type { Scenario } from "../api/scenario.ts";
import type { ClientVersion } from "../client/fetch-client.ts";
import type { ClientResult } from "../client/run-client.ts";

/** A line of a transcript, as the client wrote it. */
export type Line = Readonly<Record<string, unknown>>;

/** A session worth keeping: how it comes about, and what it must show. */
export interface Recording {
  /** In kebab-case; also the name of the fixture. */
  readonly name: string;
  /** For the table in the fixtures' README: what a reader finds in the file. */
  readonly shows: string;
  /** Left out: every version. */
  readonly versions?: readonly ClientVersion[];
  /** Drives the client through the session. */
  play(stage: Stage): Promise<void>;
  /** Left out: `test/fixtures/claude-code/<version>/<name>`. Without extension, from the repository's root. */
  readonly target?: string;
  /** Stretches the time between lines; a scripted API answers faster than any model. 1 unless set. */
  readonly clockFactor?: number;
  /** The last change by hand, on the transcript's text; the `shows` sentence must own up to it. */
  finish?(transcript: string): string;
  /** Throws, with a sentence, when the session is not what it was made for. */
  verify(recorded: Recorded): void;
}

/** What a recording plays on: an empty project, a HOME, an API to script. */
export interface Stage {
  readonly version: ClientVersion;
  /** Absolute path of the project. */
  readonly cwd: string;
  write(path: string, content: string | Uint8Array): Promise<void>;
  /** Copies a whole folder into the project. */
  copy(folder: string): Promise<void>;
  /** Starts the API; to be called once, before the first prompt. */
  serve(scenario: Scenario): Promise<void>;
  /** Runs the client with one prompt. The second and later ones go on with the same session. */
  prompt(words: string, options?: PromptOptions): Promise<ClientResult>;
}

interface PromptOptions {
  /** `claude-sonnet-4-6` unless set. */
  readonly model?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** The exit code that the run must end with: 0 unless set, null for a run that is cut off by its timeout. */
  readonly exitCode?: number | null;
}

export interface Recorded {
  readonly lines: readonly Line[];
  readonly requests: readonly ApiRequest[];
  /** Names of the subagents' transcripts. */
  readonly subagents: readonly string[];
  readonly toolResults: readonly string[];
}
