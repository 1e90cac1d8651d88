import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isObject, numberField, objectField, textField } from "../../../core/json.ts";
import { DEFAULT_LIMITS } from "../../../fold/thresholds.ts";
import { type HookCall, parseHookCall } from "../../../hosts/claude-code/hook-input.ts";
import type { ToolOutput } from "../../../hosts/claude-code/tool-output.ts";
import { mayBeFolded } from "../../../layers/options/birth-fold.ts";
import { SESSION_FILES } from "../../../policy/deeds/data-paths.ts";
import type { DeedDetail } from "../../../policy/deeds/deed.ts";
import { isRecall } from "../../../policy/is-recall.ts";
import { chooseBirthFold } from "../../../policy/result-arrived.ts";
import type { Settings } from "../../../policy/settings/settings.ts";
import { parseToolOutput } from "../clients/claude-code/client.ts";
import { checkFolds, isGivenUp, readFoldLog } from "../fold/fold-log.ts";
import type { FoldedResult } from "../fold/fold-result.ts";
import type { Hook, HookAnswer, HookContext, HookInput } from "../hook.ts";
import { type CallMark, countCall } from "../load/count-calls.ts";
import { isLoadLight } from "../load/is-load-light.ts";
import { readLoad } from "../load/read-load.ts";
import { locateTrusted } from "../trusted-file.ts";

/** Counts the call, folds a large result, and gives advice about the load. If one of these fails, the others still run. */
export const postToolUse: Hook = async (input, context) => {
  const call = parseHookCall(input.raw);
  const failures: DeedDetail[] = [];
  const alone = async <Value>(fallback: Value, run: () => Value | Promise<Value>): Promise<Value> => {
    try {
      return await run();
    } catch (error) {
      failures.push({ kind: "failed", why: error instanceof Error ? error.message : String(error) });
      return fallback;
    }
  };
  await alone(undefined, () => countCall(context, decideMark(input, call)));
  const lost = await alone([], () => checkFolds(input, context));
  const folded = await alone(UNFOLDED, () => fold(input, context, call));
  const said = await alone(UNSAID, () => advise(input, context, call));
  const restored = await alone(UNSAID, () => restore(input, context));
  const documents = await alone(UNSAID, () => tellDocuments(input, context, call));
  const after = await alone(UNSAID, () => tellAfterCall(input, context, call));
  const warnings = [said.warning, documents.warning].filter((text) => text !== undefined);
  const texts = [...restored.texts, ...said.texts, ...documents.texts, ...after.texts];
  return {
    output: {
      ...(folded.updated === undefined ? {} : { updatedToolOutput: folded.updated }),
      ...(texts.length === 0 ? {} : { additionalContext: texts.join("\n\n") }),
    },
    deeds: [
      ...lost,
      ...folded.deeds,
      ...restored.deeds,
      ...said.deeds,
      ...documents.deeds,
      ...after.deeds,
      ...failures,
    ],
    client: said.client,
    ...(warnings.length === 0 ? {} : { systemMessage: warnings.join("\n") }),
  };
};

const LARGE_READ_LINES = 500;

function decideMark(input: HookInput, { tool, response }: HookCall): CallMark {
  if (input.agentId !== "") return "a";
  const file = tool === "Read" && isObject(response) ? objectField(response, "file") : undefined;
  const lines = file === undefined ? undefined : numberField(file, "numLines");
  return lines !== undefined && lines > LARGE_READ_LINES ? "L" : "m";
}

const UNFOLDED: FoldedResult = { updated: undefined, deeds: [] };

async function fold(input: HookInput, context: HookContext, call: HookCall): Promise<FoldedResult> {
  const output = context.settings.isFolding && context.project !== "" ? planResult(call, context.settings) : undefined;
  if (output === undefined) return UNFOLDED;
  if (context.folder !== undefined && isGivenUp(readFoldLog(context.folder), call.tool)) return UNFOLDED;
  const { foldResult } = await import("../fold/fold-result.ts");
  return foldResult(input, context, call, output);
}

interface Said {
  readonly texts: readonly string[];
  readonly deeds: readonly DeedDetail[];
  readonly client: string;
  readonly warning?: string | undefined;
}

const EDITING_TOOLS: readonly string[] = ["Edit", "MultiEdit", "Write"];

const UNSAID: Said = { texts: [], deeds: [], client: "" };

/** Only for the main conversation: a subagent has its own window, which these numbers do not describe. */
async function advise(input: HookInput, context: HookContext, call: HookCall): Promise<Said> {
  const transcript = input.agentId === "" ? locateTrusted(input.transcript, context) : undefined;
  if (transcript === undefined || context.folder === undefined) return UNSAID;
  const load = readLoad(transcript, context);
  const hasSpoken = existsSync(join(context.folder, SESSION_FILES.advice));
  // Nothing was ever said, and there is nothing to say: the usual case, which loads no further code.
  if (!hasSpoken && isLoadLight(load, context)) return { ...UNSAID, client: load.version };
  const { followLoad } = await import("../load/follow-load.ts");
  return { ...toSaid(await followLoad(input, context, { load, call })), client: load.version };
}

/** The conventions for documents that a change breaks; checked after changes only. */
async function tellDocuments(input: HookInput, context: HookContext, { tool }: HookCall): Promise<Said> {
  if (!EDITING_TOOLS.includes(tool) || input.agentId !== "") return UNSAID;
  const { tellDocuments: tell } = await import("../tell-documents.ts");
  return toSaid(await tell(input, context));
}

const DELEGATING_TOOLS: readonly string[] = ["Task", "Agent"];
const RUNNING_TOOLS: readonly string[] = ["Bash", "PowerShell"];

/** Whether to write tersely after this call: only if someone asked for that, or asks it of a worker. */
async function tellAfterCall(input: HookInput, context: HookContext, call: HookCall): Promise<Said> {
  const { folder } = context;
  if (input.agentId !== "" || folder === undefined) return UNSAID;
  const isRun = RUNNING_TOOLS.includes(call.tool) && existsSync(join(folder, SESSION_FILES.advice));
  if (!isRun && !DELEGATING_TOOLS.includes(call.tool)) return UNSAID;
  const { answerAfterCall: tell } = await import("../answer-after-call.ts");
  return toSaid(await tell(input, context, call));
}

/** What a compaction lost and no earlier event could put back; checked only if something is pending. */
async function restore(input: HookInput, context: HookContext): Promise<Said> {
  if (input.agentId !== "" || context.folder === undefined || !isRestoreWaiting(context.folder)) return UNSAID;
  const { landPending } = await import("../restore/restore.ts");
  return toSaid(landPending(input, context));
}

function toSaid({ output = {}, deeds = [], systemMessage: warning }: HookAnswer): Said {
  const text = textField(output, "additionalContext");
  return { texts: text === "" ? [] : [text], deeds, client: "", warning };
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
