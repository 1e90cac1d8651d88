import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Briefing } from "../../src/replay/policy.ts";

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
/** What finds a deferred tool is never deferred itself. */
const ALWAYS_THERE: ReadonlySet<string> = new Set(["ToolSearch"]);

/** The session with the base that is left where tools wait behind the tool search that no recorded session of its folder has called. */
export function trimBase(subject: Briefing): Briefing {
  const { session } = subject;
  if (session.file === undefined) return subject;
  const baseTokens = session.baseTokens * (1 - shareTrimmed(listCalledTools(path.dirname(session.file))));
  return { ...subject, session: { ...session, baseTokens } };
}

export function shareTrimmed(called: ReadonlySet<string>): number {
  const isTrimmed = (tool: string): boolean => !ALWAYS_THERE.has(tool) && !called.has(tool);
  const tools = Object.entries(TOOL_CHARACTERS);
  const sum = (list: typeof tools): number => list.reduce((total, [, characters]) => total + characters, 0);
  return sum(tools.filter(([tool]) => isTrimmed(tool))) / (SYSTEM_CHARACTERS + sum(tools));
}

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
