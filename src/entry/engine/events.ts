import { clipLine } from "../../core/clip-text.ts";
import { isObject, type JsonObject, textField } from "../../core/json.ts";
import { readPause } from "../../files/project-reader.ts";
import { DEFAULT_BUDGET, LEAST_SAVED_CHARACTERS } from "../../fold/thresholds.ts";
import { claudeCodeVocabulary } from "../../hosts/claude-code/vocabulary.ts";
import { findBreach } from "../../policy/advice/find-breach.ts";
import { delegated } from "../../policy/steps/delegated.ts";
import { dispatched } from "../../policy/steps/dispatched.ts";
import { endsPause, leavesSomething } from "../../policy/steps/ended.ts";
import { responded } from "../../policy/steps/said.ts";
import { RECALL_TOOL } from "../module/names.ts";
import { followRow, measure, noteCall } from "./append.ts";
import { awaitBase, noteDeferredCall, renewBase } from "./base.ts";
import type { CarryOn, ClientPort } from "./client-port.ts";
import { lookForColdTasks } from "./cold-session.ts";
import { expectBreak, showBreak } from "./come-back.ts";
import { runSlashCommand } from "./command.ts";
import { overseeCompaction } from "./compaction/compact.ts";
import { sayAtBoundary } from "./compaction/repair-native.ts";
import { settleCompaction } from "./compaction/settle-compaction.ts";
import { hearDone } from "./compaction/steer.ts";
import { guardCall, listHeldTools } from "./guard.ts";
import { raise } from "./line.ts";
import { DONE_HANDLE } from "./link/offers.ts";
import { type Live, saveLive } from "./live.ts";
import { type Machine, THIS_MACHINE } from "./machine.ts";
import { openLive } from "./open-live.ts";
import { agreedFilesOf, leavePause, modelOf, saveProject } from "./perform.ts";
import { recallInClient } from "./recall-tool.ts";
import { hearCaveman, notifyAfterCall, parseEngineLimits, sayAtEdit, sayAtTurnEnd } from "./say.ts";
import { describeSkillConflicts } from "./skill-conflicts.ts";
import { checkBudget, hideStatus, showStatus } from "./status.ts";

/** The session of this process, opened at the first event, and again after a `/clear`. */
export interface Engine {
  readonly machine: Machine;
  opening: Promise<Live> | undefined;
}

export function openEngine(machine: Machine = THIS_MACHINE): Engine {
  return { machine, opening: undefined };
}

/** How soon after a `/resume` the client is in the other session; there is no event for it. */
const RESUMED_AFTER_MS = 500;

function current(engine: Engine, $: ClientPort): Promise<Live> {
  engine.opening ??= openLive($, engine.machine).then((live) => {
    // This module receives every batch of calls (`onToolBatch`).
    live.watch.expectAnswered();
    return live;
  });
  return engine.opening;
}

/** After the last result of an answer, before the next request. */
async function endBatch({ opening }: Engine, e: JsonObject, next: CarryOn): Promise<unknown> {
  const live = await opening?.catch(() => undefined);
  if (textField(e, "agent_id") === "") live?.watch.answered();
  return next(e);
}

/** Answers one event of the client. A failure costs what we would have done with the event, never the event; what is settled is not repeated. */
export async function handleEvent(
  engine: Engine,
  $: ClientPort,
  event: string,
  e: JsonObject,
  next: CarryOn,
): Promise<unknown> {
  let below: Promise<unknown> | undefined;
  const carryOn: CarryOn = (given) => {
    below = next(given);
    return below;
  };
  try {
    return await followEvent(engine, $, event, e, carryOn);
  } catch (error) {
    await noteFailure(engine, event, error);
    return below ?? next(e);
  }
}

/** What we do nothing about, the client carries on with. */
async function followEvent(engine: Engine, $: ClientPort, event: string, e: JsonObject, next: CarryOn) {
  if (event === "session.end") return endSession(engine, $, e, next);
  if (event === "classic.PostToolBatch") return endBatch(engine, e, next);
  const live = await current(engine, $);
  if (!live.settings.isOn) return next(e);
  switch (event) {
    case "engine.restart":
      // The session goes on: what it was told at its beginning, it is not told again.
      live.window = { ...live.window, opening: parseOpening(e) };
      return undefined;
    case "session.start":
      startSession($, live);
      return next(e);
    case "classic.SessionStart":
      return sayAtBoundary($, live, e, next);
    case "session.append":
      return followRow($, live, e, next);
    case "session.compact":
      return overseeCompaction($, live, e, next);
    case "session.measure":
      live.limits = parseEngineLimits(e);
      await afterTurn($, live);
      return next(e);
    case "tool.call":
      if (textField(e, "tool") !== RECALL_TOOL) return admitCall($, live, e);
      return textField(e, "handle") === DONE_HANDLE ? { result: answerDone($, live, e) } : recallInClient($, live, e);
    case "tool.called":
      return followCall($, live, e, next);
    case "command.run":
      return e.command === "caveman"
        ? hearCaveman($, live, textField(e, "args"))
        : { text: await runSlashCommand($, live, textField(e, "args")) };
    default:
      return next(e);
  }
}

/** A subagent's window is the client's to compact. */
function answerDone($: ClientPort, live: Live, e: JsonObject): string {
  return textField(e, "agentId") === "" ? hearDone($, live) : "Only the main agent's window is compacted so.";
}

/** Before a call of a held tool runs: why it is refused, or with what other input it runs. */
async function admitCall($: ClientPort, live: Live, e: JsonObject): Promise<JsonObject | undefined> {
  const refusal = await guardCall($, live, e);
  if (refusal !== undefined) return { deny: refusal };
  const action = claudeCodeVocabulary.interpretCall(textField(e, "tool"), e);
  if (action.kind === "run") warnOfBreach($, live, action.command);
  if (action.kind !== "delegate") return undefined;
  priceWorker($, live, textField(e, "prompt"));
  return sendPacket(live, e);
}

/** A call has run: its result's row comes next. */
async function followCall($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  const [tool, callId] = [textField(e, "tool"), textField(e, "tool_use_id")];
  noteDeferredCall(live, tool);
  noteCall(live, callId, e);
  const action = claudeCodeVocabulary.interpretCall(tool, e);
  const result = await next(e);
  if (isObject(result) && isObject(result.result)) live.watch.note(callId, result.result);
  if (textField(e, "agentId") === "") {
    await sayAtEdit($, live, e, result);
    const answeredCharacters = isObject(result) ? textField(result, "text").length : 0;
    await notifyAfterCall($, live, { action, asked: textField(e, "prompt"), answeredCharacters });
  }
  return result;
}

/** Notes what failed. A session that could not be opened is tried again at the next event. */
export async function noteFailure(engine: Engine, event: string, error: unknown): Promise<void> {
  const live = await engine.opening?.catch(() => undefined);
  live?.journal.note(event, { kind: "failed", why: error instanceof Error ? error.message : String(error) });
  if (live === undefined) engine.opening = undefined;
}

/** What the module has to ask before the client carries on. */
export async function describeRule({ opening }: Engine): Promise<JsonObject> {
  const live = await opening?.catch(() => undefined);
  if (live === undefined) return { holdsRows: true, heldTools: null, foldFrom: 0, isRestating: false };
  const { settings, life, window, watch } = live;
  return {
    // What waits for its place in the conversation must come in exactly there.
    holdsRows: life.kind !== "idle" || window.opening !== undefined || live.steering.isTidyDue,
    heldTools: listHeldTools(settings),
    // A shorter one cannot save enough.
    foldFrom: settings.combinesOutputs ? 0 : DEFAULT_BUDGET + LEAST_SAVED_CHARACTERS,
    isRestating: watch.isRestating(),
    opening: window.opening ?? null,
    deferred: settings.isOn ? [...live.deferred] : [],
  };
}

function parseOpening({ opening }: JsonObject): Live["window"]["opening"] {
  return opening === "startup" || opening === "resume" || opening === "compact" ? opening : undefined;
}

/** The state of the work for a later process, if one is open. */
export async function saveSession({ opening }: Engine): Promise<void> {
  const live = await opening?.catch(() => undefined);
  if (live?.settings.isOn) await saveLive(live);
}

/** The client ends its engine before it says that the session ends, so the engine ends the session by itself. */
export async function leaveSession(engine: Engine, $: ClientPort): Promise<void> {
  const live = await engine.opening?.catch(() => undefined);
  if (engine.opening !== undefined)
    await handleEvent(engine, $, "session.end", { reason: "other" }, async () => undefined);
  // A session of one turn may end while the records are read.
  if (live !== undefined) await awaitBase(live);
}

/** Shows the load of the resumed session. */
function showResumed(engine: Engine, $: ClientPort): void {
  setTimeout(
    () =>
      void current(engine, $).then(
        (live) => showStatus($, live),
        () => undefined,
      ),
    RESUMED_AFTER_MS,
  ).unref();
}

function startSession($: ClientPort, live: Live): void {
  live.journal.note("session.start", { kind: "ran", ms: 0 });
  showStatus($, live);
  if (live.settings.hasAdvisories) setTimeout(() => flagSkills($, live), SKILLS_AFTER_MS).unref();
  // Reading a long transcript takes a while, and the client waits for this event.
  setImmediate(() => showBreak($, live));
}

/** The first request does not wait until all skills are read. */
const SKILLS_AFTER_MS = 1000;

function flagSkills($: ClientPort, live: Live): void {
  try {
    for (const line of describeSkillConflicts(live.env, live.root)) $.ui.log(line);
  } catch (error) {
    live.journal.note("session.start", { kind: "failed", why: error instanceof Error ? error.message : String(error) });
  }
}

/** The client measures at the end of each turn, so this is the moment to save the state. */
async function afterTurn($: ClientPort, live: Live): Promise<void> {
  const startMs = performance.now();
  await measure($, live);
  live.policy = responded(live.policy);
  await lookForColdTasks(live, {});
  await sayAtTurnEnd($, live);
  showStatus($, live);
  live.journal.note("session.measure", { kind: "ran", ms: Math.round(performance.now() - startMs) });
  await saveLive(live);
  expectBreak($, live);
  void checkBudget($, live).catch(() => undefined);
  renewBase(live);
}

/** A `/clear` ends a session too: the process goes on under another id, and only this event says so. */
async function endSession(engine: Engine, $: ClientPort, e: JsonObject, next: CarryOn): Promise<unknown> {
  const live = await current(engine, $);
  engine.opening = undefined;
  clearTimeout(live.breakTimer);
  if (!live.settings.isOn) return next(e);
  raise($, live);
  await settleCompaction($, live, undefined);
  if (leavesSomething(live.watch.happened())) {
    await saveProject(live, true);
    await endPause(live);
  }
  await saveLive(live);
  // Otherwise the old load would be shown until the first answer after a `/clear` or a `/resume`.
  if (e.reason === "clear" || e.reason === "resume") hideStatus($);
  if (e.reason === "resume") showResumed(engine, $);
  return next(e);
}

/** The person sees what they forbade before it is done. Nothing is held back: where the client asks for permission, they can refuse it. */
function warnOfBreach($: ClientPort, live: Live, command: string): void {
  const ban = live.settings.hasAdvisories ? findBreach(command, live.watch.happened().state.words) : undefined;
  if (ban !== undefined) $.ui.log(`you said "${ban}", and the next command is ${clipLine(command, 120)}`);
}

/** The person sees what an expensive worker costs before it is sent. */
function priceWorker($: ClientPort, live: Live, prompt: string): void {
  if (!live.settings.hasAdvisories) return;
  for (const command of dispatched(prompt, modelOf(live))) if (command.kind === "warn") $.ui.log(command.text);
}

async function endPause(live: Live): Promise<void> {
  const isEnded = endsPause(live.policy, await readPause(agreedFilesOf(live), live.root));
  const why = isEnded ? await leavePause(live, "") : undefined;
  if (why !== undefined) live.journal.note("session.end", { kind: "failed", why });
}

/** Adds a packet to the prompt of a call that starts a subagent, if a person has asked for that. */
function sendPacket(live: Live, e: JsonObject): JsonObject | undefined {
  if (!live.settings.sendsPackets) return undefined;
  const { state } = live.watch.happened();
  const commands = delegated(
    { task: textField(e, "description"), state, root: live.root, model: () => modelOf(live) },
    live.settings,
  );
  const texts = commands.flatMap((command) => (command.kind === "tell" ? [command.text] : []));
  for (const command of commands) if (command.kind === "note") live.journal.note("tool.call", command.action);
  if (texts.length === 0) return undefined;
  return { e: { ...e, prompt: [textField(e, "prompt"), ...texts].join("\n\n") } };
}
