import type { JsonObject } from "../../core/json.ts";
import { askEngine, noteEvent, type Raised, rule, startEngine } from "./engine-link.ts";
import type { ModuleApi, Next, On } from "./module-api.ts";
import { RECALL_TOOL } from "./names.ts";
import { ownLine } from "./perform-ops.ts";
import { addHint, createScreen, drawRow } from "./screen.ts";

/**
 * The module that the client loads. It draws, and hands everything else to the engine, a process of its own next to the client: the client
 * reads the whole of this file at every start. Events are named one by one, since a family brings along a hundred that nobody needs here.
 */
export function register(on: On): void {
  on("classic.SessionStart", onStart).catch(pass);
  on("classic.PostToolBatch", onBatch).catch(pass);
  on("session.start", onBegin).catch(pass);
  on("session.append", onRow).catch(pass);
  on("session.compact", onCompaction).catch(pass);
  on("session.measure", onEvent).catch(pass);
  on("session.end", onEvent).catch(pass);
  on("tool.check", { tool: "mcp__plimsoll__recall" }, allow).catch(pass);
  on("tool.describe", onDescribed).catch(pass);
  on("tool.call", onCall).catch(pass);
  on("command.run", { command: ["plimsoll", "caveman"] }, onEvent).catch(pass);
  on("ui.render", { component: ["UserMessage", "AssistantMessage", "CommandOutput", "PromptHint"] }, onDrawn).catch(
    pass,
  );
}

const screen = createScreen();

/** Whatever failed here, the client goes on; what `next` has already settled is not repeated. */
async function pass(_: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  return next(e);
}

/** The variable is set before the first command hook starts, so that other installed parts of Plimsoll leave this session to the module. */
async function onStart($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  void startEngine($);
  await $.env.set("PLIMSOLL_MODULE", "1");
  // What follows a compaction is the only place from which the next request can still be reached.
  return e.source === "compact" ? onEvent($, e, next) : next(e);
}

/** The client waits for what the engine offers: it asks then which tools there are. */
async function onBegin($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  await startEngine($);
  noteEvent($, next, { event: "session.start", e: {} });
  return next(e);
}

/** All results of an answer are in: the next request waits for what follows from them, once for all. */
async function onBatch($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  await askEngine($, next, { event: next.event ?? "", e: { agent_id: e.agent_id }, isPassed: true });
  return next(e);
}

async function onEvent($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  return askEngine($, next, { event: next.event ?? "", e });
}

/** Only a row that the engine may change, or put something before, waits for it. */
async function onRow($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  const isResult = e.door === "tool-result";
  const text = isResult ? JSON.stringify(e.message) : "";
  const mayFold = isResult && (text.length >= rule.foldFrom || text.includes("<persisted-output>"));
  const waits = rule.holdsRows || e.door === "prompt" || mayFold;
  const result = await (waits ? onEvent($, e, next) : passOn($, next, { event: "session.append", e }));
  // What the client says again after a compaction is on the screen already.
  if (!rule.isRestating) screen.saw(e);
  return result;
}

/** A call waits for the engine only where it may be refused, changed, or warned of; what it came to waits for nothing. */
async function onCall($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  if (e.tool === RECALL_TOOL) return onEvent($, e, next);
  const isFree = rule.heldTools?.includes(String(e.tool)) === false;
  const answer = isFree ? { e } : await askEngine($, next, { event: "tool.call", e }, () => ({ e }));
  const { e: given } = Object(answer);
  return given ? passOn($, next, { event: "tool.called", e }, given) : answer;
}

/** Lets the client carry on, and has the engine follow it later: nothing waits for that. */
async function passOn($: ModuleApi, next: Next, raised: Raised, given = raised.e): Promise<unknown> {
  const result = await next(given);
  noteEvent($, next, { ...raised, result });
  return result;
}

/** The client asks before a thread's first request, and after the first prompt was answered. Another plugin's word on a tool's place stands. */
async function onDescribed(_: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  const described = await next(e);
  return rule.deferred.includes(String(e.tool)) ? { isDeferred: true, ...Object(described) } : described;
}

/** The person has agreed to the tool by installing the plugin. */
async function allow(): Promise<unknown> {
  return { decision: "allow" };
}

/** A compaction that the engine started and cannot answer is called off; any other is the client's own then. */
async function onCompaction($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  const isOurs = ownLine !== undefined && e.trigger === "auto";
  const alone = isOurs ? () => ({ skip: "Plimsoll does not answer" }) : next;
  const answer = await askEngine($, next, { event: "session.compact", e }, alone);
  screen.answered(answer);
  return answer;
}

async function onDrawn($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  return e.component === "PromptHint" ? next(addHint(e)) : drawRow($, screen, e, next);
}
