import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, numberField, objectField, textField } from "../../../core/json.ts";
import { DEFAULT_LIMITS } from "../../../fold/thresholds.ts";
import { type HookCall, parseHookCall } from "../../../hosts/claude-code/hook-input.ts";
import type { ToolOutput } from "../../../hosts/claude-code/tool-output.ts";
import { isRecall } from "../../../layers/history/is-recall.ts";
import { mayBeFolded } from "../../../layers/options/policy-folds.ts";
import { SESSION_FILES } from "../../../policy/actions/data-paths.ts";
import { chooseBirthFold } from "../../../policy/result-arrived.ts";
import type { Settings } from "../../../policy/settings/settings.ts";
import { parseToolOutput } from "../clients/claude-code/client.ts";
import { checkFolds, isGivenUp, readFoldLog } from "../fold/fold-log.ts";
import { type Hook, type HookAnswer, type HookContext, NOTHING } from "../hook.ts";
import { countCall, isLoadLight, readLoad } from "../load/read-load.ts";
import { locateTrusted } from "../trusted-file.ts";

/** Counts the call, folds a large result, and gives advice about the load. If one of these fails, the others still run. */
export const postToolUse: Hook = async (context) => {
  const call = parseHookCall(context.raw);
  const answers: HookAnswer[] = [];
  // In the order in which their texts are shown.
  for (const part of [count, check, fold, restore, advise, reportDocuments, sayAfterCall]) {
    try {
      answers.push(await part(context, call));
    } catch (error) {
      answers.push({ actions: [{ kind: "failed", why: error instanceof Error ? error.message : String(error) }] });
    }
  }
  return joinAnswers(answers);
};

/** A failed call counts as a call; its output is an error, and errors are never folded. */
export const postToolUseFailure: Hook = (context) => count(context, parseHookCall(context.raw));

function joinAnswers(answers: readonly HookAnswer[]): HookAnswer {
  const outputs = answers.map(({ output = {} }) => output);
  const texts = outputs.map((output) => textField(output, "additionalContext")).filter((text) => text !== "");
  const warnings = answers.flatMap(({ systemMessage }) => systemMessage ?? []);
  return {
    output: {
      ...Object.fromEntries(outputs.flatMap((output) => Object.entries(output))),
      ...(texts.length === 0 ? {} : { additionalContext: texts.join("\n\n") }),
    },
    actions: answers.flatMap(({ actions = [] }) => actions),
    client: answers.find(({ client }) => client !== undefined)?.client ?? "",
    ...(warnings.length === 0 ? {} : { systemMessage: warnings.join("\n") }),
  };
}

const LARGE_READ_LINES = 500;

function count(context: HookContext, { tool, response }: HookCall): HookAnswer {
  const file = tool === "Read" && isObject(response) ? objectField(response, "file") : undefined;
  const mark = (numberField(file ?? {}, "numLines") ?? 0) > LARGE_READ_LINES ? "L" : "m";
  countCall(context, context.agentId === "" ? mark : "a");
  return NOTHING;
}

function check(context: HookContext): HookAnswer {
  return { actions: checkFolds(context) };
}

async function fold(context: HookContext, call: HookCall): Promise<HookAnswer> {
  const { settings, project, folder } = context;
  const output = settings.isFolding && project !== "" ? planResult(call, settings) : undefined;
  if (output === undefined || (folder !== undefined && isGivenUp(readFoldLog(folder), call.tool))) return NOTHING;
  const { foldResult } = await import("../fold/fold-result.ts");
  return foldResult(context, call, output);
}

/** What a compaction lost and no earlier event could put back; checked only if something is pending. */
async function restore(context: HookContext): Promise<HookAnswer> {
  if (context.agentId !== "" || context.folder === undefined || !isRestoreWaiting(context.folder)) return NOTHING;
  const { landPending } = await import("../restore/restore.ts");
  return landPending(context);
}

/** Only for the main conversation: a subagent has its own window, which these numbers do not describe. */
async function advise(context: HookContext, call: HookCall): Promise<HookAnswer> {
  const transcript = context.agentId === "" ? locateTrusted(context) : undefined;
  if (transcript === undefined || context.folder === undefined) return NOTHING;
  const load = readLoad(transcript, context);
  const hasSpoken = existsSync(join(context.folder, SESSION_FILES.advice));
  // Nothing was ever said, and there is nothing to say: the usual case, which loads no further code.
  if (!hasSpoken && isLoadLight(load, context)) return { client: load.version };
  const { followLoad } = await import("../load/follow-load.ts");
  return { ...(await followLoad(context, load, call)), client: load.version };
}

const EDITING_TOOLS: readonly string[] = ["Edit", "MultiEdit", "Write"];

/** The conventions for documents that a change breaks; checked after changes only. */
async function reportDocuments(context: HookContext, call: HookCall): Promise<HookAnswer> {
  if (!EDITING_TOOLS.includes(call.tool) || context.agentId !== "") return NOTHING;
  return (await import("../report-documents.ts")).reportDocuments(context, call);
}

const DELEGATING_TOOLS: readonly string[] = ["Task", "Agent"];
const RUNNING_TOOLS: readonly string[] = ["Bash", "PowerShell"];

/** Whether to write tersely after this call: only if someone asked for that, or asks it of a worker. */
async function sayAfterCall(context: HookContext, call: HookCall): Promise<HookAnswer> {
  const { folder, agentId } = context;
  if (agentId !== "" || folder === undefined) return NOTHING;
  const isRun = RUNNING_TOOLS.includes(call.tool) && existsSync(join(folder, SESSION_FILES.advice));
  if (!isRun && !DELEGATING_TOOLS.includes(call.tool)) return NOTHING;
  return (await import("../answer-after-call.ts")).answerAfterCall(context, call);
}

/** One of these is in the file while something is pending. A false positive costs a look, a false negative would cost a restore. */
const SIGNS = ['"stage":"asked"', '"stage":"told"', '"fate":"wanted"', '"given":{', '"isCompared":false'] as const;

/** Whether something is to be put back after a compaction, without loading the code that does it. */
function isRestoreWaiting(folder: string): boolean {
  const file = join(folder, SESSION_FILES.pending);
  if (!existsSync(file)) return false;
  const text = readFileSync(file, "utf8");
  return SIGNS.some((sign) => text.includes(sign));
}

/** What may be folded of a result, in its original shape; `undefined` if it certainly stays as it is. */
function planResult({ tool, input, response }: HookCall, settings: Settings): ToolOutput | undefined {
  const output = parseToolOutput(tool, response);
  if (output === undefined || isRecall(tool, input)) return undefined;
  const { policy, combinesOutputs } = settings;
  const isLong =
    mayBeFolded(output.text, chooseBirthFold(policy, "foldOnly")) ||
    (combinesOutputs && output.text.length >= DEFAULT_LIMITS.leastCharacters);
  return isLong ? output : undefined;
}
