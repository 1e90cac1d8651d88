import { isObject, type JsonObject, textField } from "../../core/json.ts";
import { readPause } from "../../files/project-reader.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { delegated } from "../../policy/steps/delegated.ts";
import { endsPause, leavesSomething } from "../../policy/steps/ended.ts";
import { recall } from "../../survive/recall/recall.ts";
import { followRow, measure, noteCall } from "./append.ts";
import { lookForColdTasks } from "./cold-session.ts";
import { CAVEMAN_SPEC, COMMAND_SPEC, runSlashCommand } from "./command.ts";
import { overseeCompaction } from "./compaction/oversee-compaction.ts";
import { settleCompaction } from "./compaction/settle-compaction.ts";
import type { Engine, EngineNext, On } from "./engine.ts";
import { liveProjectFiles } from "./engine-project-files.ts";
import { guardCall } from "./guard.ts";
import { raise } from "./line.ts";
import { type Live, saveLive } from "./live.ts";
import { closeFolder, openLive } from "./open-live.ts";
import { createLivePort, nameRecallTool, RECALL_SPEC, toToolResult } from "./originals/recall-tool.ts";
import { leavePause, modelOf, saveProject } from "./perform.ts";
import { drawRow } from "./screen.ts";
import { addHint, checkBudget, hideStatus, showStatus } from "./status.ts";
import { hearCaveman, hearResponse, notifyAfterCall, parseEngineLimits, tellAtEdit, tellAtTurnEnd } from "./tell.ts";

/**
 * The module that the client loads. It registers for whole families of events and asks which one it is in,
 * because an engine rejects a whole module over one unknown name. On any failure here the client goes on as if it
 * had not run. The client's module loader requires every hook and handler to be declared at the top of the file.
 */
export function register(on: On): void {
  on("classic.SessionStart", onSessionStart).catch(failOpen);
  on("classic.PostToolBatch", onToolBatch).catch(failOpen);
  on("session.*", onSession).catch(failOpen);
  on("tool.*", onTool).catch(failOpen);
  on("command.*", onCommand).catch(failOpen);
  on("ui.*", { component: ["UserMessage", "AssistantMessage", "CommandOutput", "PromptHint"] }, onDrawn).catch(
    failOpen,
  );
}

/** The session of this process; opened at the first event, and again after a `/clear`. */
let opening: Promise<Live> | undefined;
/** How soon after a `/resume` the engine is in the other session; there is no event for it. */
const RESUMED_AFTER_MS = 500;

function current($: Engine): Promise<Live> {
  opening ??= openLive($).then((live) => {
    // This module receives every batch of calls (`onToolBatch`).
    live.watch.expectAnswered();
    return live;
  });
  return opening;
}

/** Set before the first command hook starts, so that other installed parts of Plimsoll leave this session to the module. */
async function onSessionStart($: Engine, e: JsonObject, next: EngineNext): Promise<unknown> {
  await $.env.set("PLIMSOLL_MODULE", "1");
  return next(e);
}

/** After the last result of an answer, before the next request. */
async function onToolBatch(_: Engine, e: JsonObject, next: EngineNext): Promise<unknown> {
  const live = await opening?.catch(() => undefined);
  if (textField(e, "agent_id") === "") live?.watch.answered();
  return next(e);
}

async function onSession($: Engine, e: JsonObject, next: EngineNext): Promise<unknown> {
  if (next.event === "session.end") return endSession($, e, next);
  const live = await current($);
  if (!live.settings.isOn) return next(e);
  switch (next.event) {
    case "session.start":
      await startSession($, live);
      return next(e);
    case "session.append":
      return followRow($, live, e, next);
    case "session.compact":
      return overseeCompaction($, live, e, next);
    case "session.measure":
      live.limits = parseEngineLimits(e);
      await afterTurn($, live);
      return next(e);
    default:
      return next(e);
  }
}

async function onTool($: Engine, e: JsonObject, next: EngineNext): Promise<unknown> {
  const tool = textField(e, "tool");
  const isRecall = tool === nameRecallTool($);
  if (next.event === "tool.check") return isRecall ? { decision: "allow" } : next(e);
  if (next.event !== "tool.call") return next(e);
  const live = await current($);
  if (!live.settings.isOn) return next(e);
  if (isRecall) return toToolResult(await recall(e, createLivePort($, live)));
  const refusal = await guardCall($, live, e);
  if (refusal !== undefined) return { deny: refusal };
  const callId = textField(e, "tool_use_id");
  noteCall(live, callId, e);
  const result = await next(sendPacket(live, e));
  if (isObject(result) && isObject(result.result)) live.watch.note(callId, result.result);
  if (textField(e, "agentId") === "") {
    await tellAtEdit($, live, e, result);
    await notifyAfterCall($, live, claudeCodeVocabulary.interpretCall(tool, e), textField(e, "prompt"));
  }
  return result;
}

async function onCommand($: Engine, e: JsonObject, next: EngineNext): Promise<unknown> {
  if (next.event !== "command.run") return next(e);
  if (e.command === CAVEMAN_SPEC.name) return hearCaveman($, await current($), textField(e, "args"));
  if (e.command !== COMMAND_SPEC.name) return next(e);
  return { text: await runSlashCommand($, await current($), textField(e, "args")) };
}

async function onDrawn($: Engine, e: JsonObject, next: EngineNext): Promise<unknown> {
  const live = await opening?.catch(() => undefined);
  return e.component === "PromptHint" ? next(addHint(e, live)) : drawRow($, live?.screen, e, next);
}

/** Records the failure in the journal and goes on: what `next` has already settled is not repeated. */
async function failOpen(_: Engine, e: JsonObject, next: EngineNext): Promise<unknown> {
  const live = await opening?.catch(() => undefined);
  const why = next.error?.message ?? next.error?.kind ?? "unknown";
  live?.journal.note(next.event ?? "", { kind: "failed", why });
  void live?.journal.flush();
  // A session that could not be opened is tried again at the next event.
  if (live === undefined) opening = undefined;
  return next(e);
}

/** Shows the load of the resumed session. An engine without a clock shows it at the next event. */
function showResumed($: Engine): void {
  try {
    $.clock.after(RESUMED_AFTER_MS, async () => showStatus($, await current($)));
  } catch {
    // The status says that nothing is known yet, which is true.
  }
}

async function startSession($: Engine, live: Live): Promise<void> {
  await Promise.all([$.tool.register(RECALL_SPEC), $.command.register(COMMAND_SPEC)]);
  // Another plugin may have a command of this name.
  await $.command.register(CAVEMAN_SPEC).catch(() => undefined);
  live.journal.note("session.start", { kind: "ran", ms: 0 });
  await live.journal.flush();
  await closeFolder($, live);
  showStatus($, live);
}

/** The engine measures at the end of each turn, so this is the moment to save the state. */
async function afterTurn($: Engine, live: Live): Promise<void> {
  const startMs = performance.now();
  await measure($, live);
  hearResponse(live);
  await lookForColdTasks($, live, {});
  await tellAtTurnEnd($, live);
  showStatus($, live);
  live.journal.note("session.measure", { kind: "ran", ms: Math.round(performance.now() - startMs) });
  await saveLive($, live);
  void checkBudget($, live).catch(() => undefined);
}

/** A `/clear` ends a session too: the process goes on under another id, and only this event says so. */
async function endSession($: Engine, e: JsonObject, next: EngineNext): Promise<unknown> {
  const live = await current($);
  opening = undefined;
  if (!live.settings.isOn) return next(e);
  await raise($, live);
  await settleCompaction($, live, undefined);
  if (leavesSomething(live.watch.happened())) {
    await saveProject($, live, "session.end");
    if (endsPause(live.policy, await readPause(liveProjectFiles($, live), live.root))) await leavePause($, live, "");
  }
  await saveLive($, live);
  // Otherwise the old load would be shown until the first answer after a `/clear` or a `/resume`.
  if (e.reason === "clear" || e.reason === "resume") hideStatus($);
  if (e.reason === "resume") showResumed($);
  return next(e);
}

/** Adds a packet to the prompt of a call that starts a subagent, if a person has asked for that. Other calls are unchanged. */
function sendPacket(live: Live, e: JsonObject): JsonObject {
  if (!live.settings.sendsPackets) return e;
  const action = claudeCodeVocabulary.interpretCall(textField(e, "tool"), e);
  if (action.kind !== "delegate") return e;
  const { state } = live.watch.happened();
  const commands = delegated(
    { task: textField(e, "description"), state, root: live.root, model: () => modelOf(live) },
    live.settings,
  );
  const told = commands.flatMap((command) => (command.kind === "tell" ? [command.text] : []));
  for (const command of commands) if (command.kind === "note") live.journal.note("tool.call", command.deed);
  return told.length === 0 ? e : { ...e, prompt: [textField(e, "prompt"), ...told].join("\n\n") };
}
