import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isRecord } from "../api/messages-body.ts";
import { fetchClient } from "./fetch-client.ts";
import { findSessionFiles, type SessionFiles } from "./find-session-files.ts";
import {
  type ClientEvent,
  type ClientRun,
  findOnlyPrompt,
  renderArguments,
  renderEnvironment,
} from "./render-command.ts";

export interface ClientResult {
  /** Null when the run was ended from outside. */
  readonly exitCode: number | null;
  readonly isTimedOut: boolean;
  readonly events: readonly ClientEvent[];
  readonly stderr: string;
  /** The session of this run; empty where the client never told. */
  readonly sessionId: string;
  /** Every session under the HOME, this run's and earlier ones. */
  readonly sessions: readonly SessionFiles[];
  readonly durationMs: number;
}

const DEFAULT_TIMEOUT_MS = 60_000;

/** How long a client that was told to stop may take before it is killed. */
const GRACE_MS = 2_000;

/** Runs the real client headless, with an environment that holds only what stands here. */
export async function runClient(run: ClientRun): Promise<ClientResult> {
  const binary = await fetchClient(run.version);
  const temporary = join(run.home, "tmp");
  await mkdir(temporary, { recursive: true });
  const startMs = Date.now();
  const [program = binary, ...words] = [...(run.wrap ?? []), binary, ...renderArguments(run)];
  const child = spawn(program, words, {
    cwd: run.cwd,
    env: renderEnvironment(run, temporary),
    // A process group of its own, so that a timeout ends the client's children with it and nothing else.
    detached: true,
  });
  const events: ClientEvent[] = [];
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const feed = createPromptFeed(run, child);
  readLines(child, (line) => {
    const event = parseEvent(line);
    events.push(event);
    const typed = run.typeAt?.(event);
    if (typed !== undefined) child.stdin.write(renderPrompt(typed));
    if (event.type === "result") feed();
  });
  const { exitCode, isTimedOut } = await waitForExit(child, run.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  return {
    exitCode,
    isTimedOut,
    events,
    stderr,
    sessionId: events.map((event) => event.session_id).find((id) => typeof id === "string") ?? "",
    sessions: await findSessionFiles(run.home),
    durationMs: Date.now() - startMs,
  };
}

/** Writes the first of several prompts now and the next with each call; ends the input after the last. */
function createPromptFeed(run: ClientRun, child: ChildProcessWithoutNullStreams): () => void {
  const waiting = findOnlyPrompt(run) === undefined ? [...run.prompts] : [];
  function say(content: unknown): void {
    child.stdin.write(renderPrompt(content));
  }
  function feed(): void {
    const content = run.talk ? run.talk.next() : waiting.shift();
    if (content === undefined) child.stdin.end();
    else say(content);
  }
  // A client that dies early closes its input; the exit code tells, not this.
  child.stdin.on("error", () => {});
  run.talk?.open(say);
  feed();
  return feed;
}

function renderPrompt(content: unknown): string {
  return `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;
}

function readLines(child: ChildProcessWithoutNullStreams, onLine: (line: string) => void): void {
  let rest = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines.filter((entry) => entry !== "")) onLine(line);
  });
}

function parseEvent(line: string): ClientEvent {
  try {
    const value: unknown = JSON.parse(line);
    if (isRecord(value) && typeof value.type === "string") return { ...value, type: value.type };
  } catch {
    // Falls through: a line that is no JSON is kept as it came.
  }
  return { type: "unparsed", line };
}

function waitForExit(
  child: ChildProcessWithoutNullStreams,
  timeoutMs: number,
): Promise<{ readonly exitCode: number | null; readonly isTimedOut: boolean }> {
  return new Promise((resolve, reject) => {
    let isTimedOut = false;
    const timers = [
      setTimeout(() => {
        isTimedOut = true;
        endGroup(child, "SIGTERM");
      }, timeoutMs),
      setTimeout(() => endGroup(child, "SIGKILL"), timeoutMs + GRACE_MS),
    ];
    child.on("error", reject);
    child.on("close", (exitCode) => {
      for (const timer of timers) clearTimeout(timer);
      resolve({ exitCode, isTimedOut });
    });
  });
}

function endGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has ended by itself.
  }
}
