import { chmod, cp, mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ApiRequest } from "../../test/api/api-request.ts";
import { answer, call, refuse } from "../../test/api/replies.ts";
import type { Answer, Reply } from "../../test/api/scenario.ts";
import { BRISK } from "../../test/api/stream-events.ts";
import { PLUGIN, type Play, play } from "../../test/client/play.ts";
import type { ScriptedCall, SolvedTask } from "./task.ts";

/** How part 1 is played: everything kept, compacted by the client, compacted by Plimsoll, or not at all. */
export type Played = "whole" | "client" | "plimsoll" | "nothing";

/** What the client would have sent to the model with the message of part 2. */
export interface PlayedTask {
  readonly request: ApiRequest;
  readonly sessionId: string;
  readonly transcript: string;
  readonly home: string;
  readonly repository: string;
  close(): Promise<void>;
}

/** A summary that a model still has to write: the name it goes by, and the request that asks for it. */
export interface WantedSummary {
  readonly name: string;
  readonly request: ApiRequest;
}

export interface Summaries {
  /** A summary that has been written; `undefined` where it has not. */
  find(name: string): string | undefined;
}

const TIMEOUT_MS = 10 * 60_000;

/** Plays part 1 in the real client against the scripted API, then sends the message of part 2. */
export async function playTask(
  task: SolvedTask,
  played: Played,
  summaries: Summaries,
): Promise<PlayedTask | WantedSummary> {
  const wanted: WantedSummary[] = [];
  const replies = played === "nothing" ? [] : listReplies(task);
  const session: Play = await play({
    pace: BRISK,
    main: (_, step) => fillIn(replies[step] ?? answer("I begin."), session.workspace.cwd),
    compaction: (request, index) => writeSummary({ name: `${task.name}-${index + 1}`, request }, summaries, wanted),
  });
  const { home, cwd } = session.workspace;
  for (const [name, text] of Object.entries(task.files)) await session.workspace.plantFile(name, text);
  await installPrograms(task, home);
  const result = await session.run({
    prompts: listPrompts(task, played),
    plugins: played === "plimsoll" ? [PLUGIN] : [],
    env: { PATH: [path.join(home, "bin"), path.dirname(process.execPath), "/usr/bin", "/bin"].join(":") },
    timeoutMs: TIMEOUT_MS,
  });
  const [first] = wanted;
  const request = session.api.requests.findLast(({ lane }) => lane === "main");
  if (first || !request || result.exitCode !== 0) {
    await session.close();
    if (first) return first;
    throw new Error(`${task.name}, ${played}: the client ended with ${result.exitCode}: ${result.stderr.slice(-500)}`);
  }
  const transcript = result.sessions.find(({ sessionId }) => sessionId === result.sessionId)?.transcript ?? "";
  const close = (): Promise<void> => session.close();
  return { request, sessionId: result.sessionId, transcript, home, repository: cwd, close };
}

/** The calls of part 1 that the script makes. */
export function countCalls({ turns }: SolvedTask): number {
  return turns.reduce((total, { calls }) => total + calls.length, 0);
}

function listPrompts(task: SolvedTask, played: Played): readonly string[] {
  if (played === "nothing") return [task.prompt];
  const part1 = task.turns.flatMap(({ person, isCompacted }) =>
    isCompacted && played !== "whole" ? [person, "/compact"] : [person],
  );
  return [...part1, task.prompt];
}

function listReplies({ turns }: SolvedTask): readonly Answer[] {
  return turns.flatMap(({ calls, closing }) => [...calls.map(toAnswer), answer(closing)]);
}

function toAnswer({ tool, input, says }: ScriptedCall): Answer {
  return says === "" ? answer(call(tool, input)) : answer(says, call(tool, input));
}

function fillIn(given: Answer, repository: string): Answer {
  const content = given.content.map((block) => {
    if (block.type !== "tool_use") return block;
    const input = Object.entries(block.input).map(([name, value]) => [
      name,
      String(value).replaceAll("{repo}", repository),
    ]);
    return { ...block, input: Object.fromEntries(input) };
  });
  return { ...given, content };
}

/** A play whose summary is missing goes on to its end without one, and is played again once there is one. */
function writeSummary(asked: WantedSummary, summaries: Summaries, wanted: WantedSummary[]): Reply {
  const text = wanted.length > 0 ? undefined : summaries.find(asked.name);
  if (text !== undefined) return answer(text);
  wanted.push(asked);
  return refuse(400, "invalid_request_error", `the summary ${asked.name} has not been written`);
}

async function installPrograms({ outside }: SolvedTask, home: string): Promise<void> {
  const folder = path.join(home, "bin");
  await mkdir(folder, { recursive: true });
  for (const [name, source] of Object.entries(outside)) {
    await writeFile(path.join(folder, `${name}.mjs`), source);
    const file = path.join(folder, name);
    await writeFile(file, `#!/bin/sh\nexec node "$(dirname "$0")/${name}.mjs" "$@"\n`);
    await chmod(file, 0o755);
  }
}

/** The repository without what Plimsoll or the client keeps in it. */
export async function copyRepository(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    filter: (name) => ![".plimsoll", ".claude"].includes(path.basename(name)),
  });
}
