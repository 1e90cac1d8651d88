import type { JsonObject } from "../../core/json.ts";
import { askEngine, leaveEngine, startEngine, tellEngine } from "./engine-link.ts";
import type { ModuleApi, Next, On } from "./module-api.ts";
import { RECALL_TOOL } from "./names.ts";
import { isLineLowered } from "./perform-ops.ts";
import { rule } from "./rule.ts";
import { addHint, createScreen, drawRow } from "./screen.ts";

/**
 * The module that the client loads. It draws, and hands everything else to the engine, a process of its own next to the client: the client
 * reads the whole of this file at every start. Events are named one by one, since a family brings along a hundred that nobody needs here.
 */
export function register(on: On): void {
  on("classic.SessionStart", onStart).catch(carryOn);
  on("classic.PostToolBatch", onBatch).catch(carryOn);
  on("session.start", onSessionStart).catch(carryOn);
  on("session.append", onRow).catch(carryOn);
  on("session.compact", onCompaction).catch(carryOn);
  on("session.measure", onEvent).catch(carryOn);
  on("session.end", onEnd).catch(carryOn);
  on("tool.check", { tool: "mcp__plimsoll__recall" }, onCheck).catch(carryOn);
  on("tool.describe", onDescribed).catch(carryOn);
  on("tool.call", onCall).catch(carryOn);
  on("command.run", { command: ["plimsoll", "caveman"] }, onEvent).catch(carryOn);
  on("ui.render", { component: ["UserMessage", "AssistantMessage", "CommandOutput", "PromptHint"] }, onDrawn).catch(
    carryOn,
  );
}

const screen = createScreen();
let isOff = false;

/** Whatever failed here, the client goes on; what `next` has already settled is not repeated. */
async function carryOn(_: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  return next(e);
}

/** The variable is set before the first command hook starts, so that other installed parts of Plimsoll leave this session to the module. */
async function onStart($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  isOff = !!(await $.env.get("PLIMSOLL_OFF"));
  if (!isOff) void startEngine($);
  await $.env.set("PLIMSOLL_MODULE", "1");
  // What follows a compaction is the only place from which the next request can still be reached.
  return e.source === "compact" ? onEvent($, e, next) : next(e);
}

/** Without an engine, the model is offered no tool: its requests are the client's own. */
async function onSessionStart($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  const engine = isOff ? undefined : await startEngine($);
  if (engine === undefined) return next(e);
  // Another plugin may have a command of this name. The requests need the tool, and nothing waits for the commands.
  for (const command of engine.commands) void $.command.register(command).catch(() => undefined);
  const [answered] = await Promise.all([onEvent($, e, next), $.tool.register(engine.tool)]);
  return answered;
}

async function onEvent($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  if (isOff) return next(e);
  const answered = await askEngine($, next, { event: next.event ?? "", e });
  return answered === undefined ? next(e) : answered.value;
}

/** A row that the engine may change, or put something before, waits for it; another only where the next request may depend on it. */
async function onRow($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  const result = await passRow($, e, next);
  // What the client says again after a compaction is on the screen already.
  if (!rule.isRetelling) screen.saw(e);
  return result;
}

async function passRow($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  const isResult = e.door === "tool-result";
  const text = isResult ? JSON.stringify(e.message) : "";
  const mayFold = isResult && (text.length >= rule.foldFrom || text.includes("<persisted-output>"));
  if (isOff || rule.holdsRows || e.door === "prompt" || mayFold) return onEvent($, e, next);
  const result = await next(e);
  const raised = { event: "session.append", e, isPassed: true, result };
  if (isResult) await askEngine($, next, raised);
  else tellEngine($, next, raised);
  return result;
}

async function onBatch($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  if (!isOff)
    tellEngine($, next, { event: "classic.PostToolBatch", e: { agent_id: e.agent_id ?? "" }, isPassed: true });
  return next(e);
}

async function onCall($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  if (isOff || rule.holdsCalls || e.tool === RECALL_TOOL) return onEvent($, e, next);
  const result = await next(e);
  await askEngine($, next, { event: "tool.call", e, isPassed: true, result });
  return result;
}

/** The client asks before a thread's first request, and after the first prompt was answered. Another plugin's word on a tool's place stands. */
async function onDescribed(_: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  const described = await next(e);
  return rule.deferred.includes(String(e.tool)) ? { isDeferred: true, ...Object(described) } : described;
}

/** The person has agreed to the tool by installing the plugin. */
async function onCheck(): Promise<unknown> {
  return { decision: "allow" };
}

/** A compaction that the engine started and cannot answer is called off; any other is the client's own then. */
async function onCompaction($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  const isOurs = isLineLowered() && e.trigger === "auto";
  const answered = isOff ? undefined : await askEngine($, next, { event: "session.compact", e });
  if (answered === undefined) return isOurs ? { skip: "Plimsoll's engine does not answer" } : next(e);
  screen.answered(answered.value);
  return answered.value;
}

/** A `/clear` ends a session too, and the process goes on under another id. */
async function onEnd($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  if (e.reason !== "clear" && e.reason !== "resume") leaveEngine();
  return onEvent($, e, next);
}

async function onDrawn($: ModuleApi, e: JsonObject, next: Next): Promise<unknown> {
  return e.component === "PromptHint" ? next(addHint(e)) : drawRow($, screen, e, next);
}
