import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ALWAYS_IN_FRONT } from "../../src/hosts/claude-code/disk/deferral.ts";
import { estimateTextTokens } from "../../src/models/tokens.ts";
import { renderDeferred } from "../../src/policy/choose-deferred.ts";
import type { ReplaySession } from "../../src/replay/session.ts";

/** Characters of the system prompt and of its tools in a request of 2.1.325 without servers: recordings hold no list of tools. */
const SYSTEM_CHARACTERS = 27_071;
const TOOL_CHARACTERS: Readonly<Record<string, number>> = {
  Bash: 12_809,
  Agent: 10_545,
  Workflow: 5_473,
  ScheduleWakeup: 5_017,
  Read: 2_968,
  ReportFindings: 2_283,
  Skill: 1_846,
  Edit: 1_739,
  ToolSearch: 1_491,
  ListAgents: 1_196,
  Write: 1_051,
};
/** Former names of the same tool. */
const NOW_CALLED: Readonly<Record<string, string>> = { Task: "Agent" };
/**
 * The session with the base that is left where tools that no recorded session of its folder has called wait behind the tool search, and
 * the line that names them. It asks for no number of sessions: people's own folders hold more of them than these recordings do.
 */
export function trimBase(session: ReplaySession): ReplaySession {
  if (session.file === undefined) return session;
  const deferred = listDeferred(listCalledTools(path.dirname(session.file)));
  const named = estimateTextTokens(renderDeferred(deferred), session.tokenizer);
  const baseTokens = session.baseTokens * (1 - weighTools(deferred) / BASE_CHARACTERS) + named;
  return { ...session, baseTokens };
}

function listDeferred(called: ReadonlySet<string>): readonly string[] {
  return Object.keys(TOOL_CHARACTERS).filter((tool) => !ALWAYS_IN_FRONT.has(tool) && !called.has(tool));
}

function weighTools(tools: readonly string[]): number {
  return tools.reduce((sum, tool) => sum + (TOOL_CHARACTERS[tool] ?? 0), 0);
}

const BASE_CHARACTERS = SYSTEM_CHARACTERS + weighTools(Object.keys(TOOL_CHARACTERS));

const CALL = /"type":"tool_use","id":"[^"]*","name":"([^"]*)"/g;
const known = new Map<string, ReadonlySet<string>>();

/** Every tool that a session of this folder has called: the project's own evidence. Read once in a thread. */
function listCalledTools(folder: string): ReadonlySet<string> {
  const before = known.get(folder);
  if (before) return before;
  const files = readdirSync(folder).filter((file) => file.endsWith(".jsonl"));
  const names = files.flatMap((file) =>
    Array.from(
      readFileSync(path.join(folder, file), "utf8").matchAll(CALL),
      ([, name = ""]) => NOW_CALLED[name] ?? name,
    ),
  );
  const called = new Set(names);
  known.set(folder, called);
  return called;
}
