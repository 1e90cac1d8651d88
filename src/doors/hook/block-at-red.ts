import { basename, join, resolve, sep } from "node:path";
import { isObject } from "../../core/json-fields.ts";
import { writeAtomically } from "../../files/write-file.ts";
import type { HookCall } from "../../hosts/claude-code/hook-input.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import {
  type BlockDecision,
  type BlockQuestion,
  type BlockState,
  decideBlock,
  emptyBlockState,
} from "../../policy/advice/decide-block.ts";
import { SESSION_FILES } from "../../policy/deeds/data-paths.ts";
import { assessLoad } from "./assess-load.ts";
import type { HookContext, HookInput } from "./hook.ts";
import { readObject } from "./session-files.ts";

const PASS: BlockDecision = { isBlocked: false, why: "nothing can be remembered, so nothing is refused" };

/** Whether a call is refused because the window is measured to be nearly full: only where the person asked for it. */
export function blockAtRed(input: HookInput, context: HookContext, call: HookCall): BlockDecision {
  const { folder, env } = context;
  if (folder === undefined) return PASS;
  const file = join(folder, SESSION_FILES.block);
  const saved: unknown = readObject(file);
  const before = isBlockState(saved) ? saved : emptyBlockState;
  const question: BlockQuestion = {
    health: assessLoad(input, context).health,
    purpose: decidePurpose(call, context.project),
    isSubagent: input.agentId !== "",
    nowMs: context.nowMs(),
  };
  const options = { isEnabled: true, isOverridden: env.PLIMSOLL_NO_BLOCK === "1" };
  const { state, decision } = decideBlock(before, question, options);
  // A refusal that cannot be counted could be repeated for ever: where writing throws, nothing is refused.
  if (JSON.stringify(state) !== JSON.stringify(before)) writeAtomically(file, JSON.stringify(state));
  return decision;
}

/** To look and to put down what matters stays possible whatever the load. */
function decidePurpose({ tool, input }: HookCall, project: string): BlockQuestion["purpose"] {
  const action = claudeCodeVocabulary.interpretCall(tool, input);
  switch (action.kind) {
    case "read":
    case "search":
    case "fetch":
    case "listTasks":
    case "ask":
      return "look";
    case "createTask":
    case "updateTask":
    case "replaceTodos":
    case "proposePlan":
      return "save";
    case "write":
    case "edit":
      return isStateFile(action.path, project) ? "save" : "other";
    case "run":
      return /^\s*(?:npx )?plimsoll\s/.test(action.command) ? "save" : "other";
    default:
      return /^(?:ToolSearch|Skill|TaskGet|TaskOutput|BashOutput|WebSearch)$/.test(tool) ? "look" : "other";
  }
}

function isStateFile(file: string, project: string): boolean {
  const folder = join(project, ".plimsoll") + sep;
  return resolve(project, file).startsWith(folder) || basename(file) === "CLAUDE.md";
}

/** Our own file in a private folder. */
function isBlockState(value: unknown): value is BlockState {
  return isObject(value) && typeof value.refusals === "number" && typeof value.isAsleep === "boolean";
}
