import { dirname } from "node:path";
import type { ClientVersion } from "./fetch-client.ts";

/** Words, or content blocks of the Messages API: how a picture is given. */
export type Prompt = string | readonly Readonly<Record<string, unknown>>[];

/** A conversation that decides as it goes what is said next. */
export interface Talk {
  /** Told once, before anything is said: how to say something at once, also in the middle of a turn. */
  open(say: (content: unknown) => void): void;
  /** What is said when the client waits: a prompt's content as the Messages API has it; `undefined` ends the run. */
  next(): unknown;
}

export interface ClientRun {
  readonly version: ClientVersion;
  /** One prompt is given with `-p`; several go to one process, each once the one before has its result. */
  readonly prompts: readonly Prompt[];
  /** What the person types at the moment of an event, while the model works; `undefined` for nothing. */
  readonly typeAt?: (event: ClientEvent) => string | undefined;
  /** Takes the place of `prompts`. */
  readonly talk?: Talk;
  readonly cwd: string;
  /** The client's HOME: settings, transcripts and temporary files all go here. */
  readonly home: string;
  /** Where the API is: loopback in every test. */
  readonly apiUrl: string;
  readonly model?: string;
  /** The id of the session to go on with. */
  readonly resume?: string;
  /** Further command-line arguments. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** A command in front of the client's own, such as one that gives it other file systems. */
  readonly wrap?: readonly string[];
}

/** One line of the client's `stream-json` output. */
export interface ClientEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The one prompt of a run that needs no open input; `undefined` where prompts go in over it. */
export function findOnlyPrompt({ prompts, typeAt, talk }: ClientRun): string | undefined {
  const [prompt, ...more] = prompts;
  const isOpen = typeAt !== undefined || talk !== undefined;
  return typeof prompt === "string" && more.length === 0 && !isOpen ? prompt : undefined;
}

/** The command line of a headless run. */
export function renderArguments(run: ClientRun): readonly string[] {
  const prompt = findOnlyPrompt(run);
  return [
    "-p",
    ...(prompt === undefined ? ["--input-format", "stream-json"] : [prompt]),
    ...["--output-format", "stream-json", "--verbose"],
    // A mode of its own, such as plan mode, is not to be bypassed.
    ...(run.args?.includes("--permission-mode") ? [] : ["--dangerously-skip-permissions"]),
    ...(run.model === undefined ? [] : ["--model", run.model]),
    ...(run.resume === undefined ? [] : ["--resume", run.resume]),
    ...(run.args ?? []),
  ];
}

/** The whole environment: nothing is inherited, so no credential and no setting of the machine can reach the client. */
export function renderEnvironment(run: ClientRun, temporary: string): Record<string, string> {
  return {
    HOME: run.home,
    // Node itself comes first: prompts run project tests with it.
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    TMPDIR: temporary,
    CLAUDE_CODE_TMPDIR: temporary,
    LANG: "C.UTF-8",
    ANTHROPIC_BASE_URL: run.apiUrl,
    ANTHROPIC_API_KEY: "sk-ant-made-up-for-a-scripted-api",
    // Lets `--dangerously-skip-permissions` work where tests run as root.
    IS_SANDBOX: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // How its code is compiled and cleaned up, not what it does: a run too short for the last tier costs a seventh less without.
    BUN_JSC_useFTLJIT: "0",
    BUN_JSC_useConcurrentGC: "0",
    ...run.env,
  };
}
