import { countField, isObject, type JsonObject, objectField, textField } from "../../core/json.ts";
import { renderCount } from "../../core/render-count.ts";
import { locateOwnHome } from "../../hosts/claude-code/disk/projects.ts";
import { piVocabulary } from "../../hosts/pi/vocabulary.ts";
import { classifyMeasured } from "../../measure/level.ts";
import { renderTokens } from "../../measure/render-load.ts";
import { renderGauge } from "../../measure/status-line.ts";
import { listUnheededInAgent } from "../../policy/settings/settings.ts";
import type { RecallAnswer } from "../../survive/recall/answer-recall.ts";
import { recall } from "../../survive/recall/recall.ts";
import { RECALL_DESCRIPTION, RECALL_PARAMETERS } from "../../survive/recall/recall-request.ts";
import { renderOpenWork } from "../../survive/record/continuation.ts";
import { isJsonObject, isRecord, parseConversation, type WireMessage } from "../../wire/conversation.ts";
import { piFormat } from "../../wire/pi/messages.ts";
import { type AgentSession, createSessionPort, openAgentSession, type Speech } from "../in-agent/agent-session.ts";
import { foldArrived } from "../in-agent/fold-arrived.ts";
import { type Answered, type PendingRequest, renderBreak, shapeRequest } from "../in-agent/shape-request.ts";
import {
  answerCompaction,
  compactionPointOf,
  ENTRY,
  isMessage,
  listHistory,
  listWindow,
  readDecisions,
  toHappened,
} from "./answer-compaction.ts";
import type { PiApi, PiContext, PiEvent } from "./extension-api.ts";

function renderLoad(context: PiContext): string {
  const compactionPointTokens = compactionPointOf(context);
  const usedTokens = context.getContextUsage()?.tokens ?? undefined;
  if (usedTokens === undefined) return "⊖ context size not known yet";
  const level = classifyMeasured(usedTokens, compactionPointTokens);
  return renderGauge({ usedTokens, compactionPointTokens, level, confidence: "exact", toolCalls: 0 });
}

function showStatus(context: PiContext): void {
  context.ui.setStatus("plimsoll", renderLoad(context));
}

/** One session of pi; `/new`, `/resume` and `/fork` begin another. */
interface Session {
  readonly id: string;
  readonly agentSession: AgentSession;
  /** False after `/plimsoll off`: then neither the price nor a line set by the person triggers anything. */
  isSteering: boolean;
  /** Why requests were collapsed. */
  readonly whys: string[];
  /** The person was told that a collapse would pay; they are told again after the next compaction. */
  isSaid: boolean;
  /** The last failure, shown on request; the agent continued as if we were not there. */
  failure: string;
}

const SPEECH: Speech = { format: piFormat, vocabulary: piVocabulary, recallTool: "plimsoll_recall" };

/** The extension that pi loads. If anything fails here, pi continues as if it had not run. */
export default function plimsoll(pi: PiApi): void {
  let session: Session | undefined;
  const open = (context: PiContext): Session => {
    const id = context.sessionManager.getSessionId();
    if (session?.id !== id) session = openSession(id, context.cwd);
    return session;
  };
  /** Registers a handler that runs only while a session is open. */
  const answer = (name: string, handle: (session: Session, event: PiEvent, context: PiContext) => unknown): void => {
    pi.on(name, (event, context) => {
      const current = open(context);
      if (!current.agentSession.settings.isOn) return undefined;
      try {
        return handle(current, event, context);
      } catch (error) {
        current.failure = `${name}: ${error instanceof Error ? error.message : String(error)}`;
        return undefined;
      }
    });
  };
  if (!openSession("", process.cwd()).agentSession.settings.isOn) return;
  answer("session_start", (current, _, context) => {
    showStatus(context);
    const price = renderBreak(current.agentSession, toPending(listWindow(context), context), {
      prompt: "your next prompt",
      command: "/compact",
    });
    if (price !== undefined) context.ui.notify(price, "info");
  });
  answer("tool_result", foldResult);
  answer("context", (current, event, context) => shape(pi, current, event, context));
  answer("session_before_compact", ({ agentSession }, event, context) =>
    answerCompaction(agentSession, event, context),
  );
  answer("session_compact", (current, _, context) => {
    current.isSaid = false;
    showStatus(context);
  });
  answer("turn_end", (_, __, context) => showStatus(context));
  pi.registerTool({
    name: SPEECH.recallTool,
    label: "recall",
    description: RECALL_DESCRIPTION,
    parameters: RECALL_PARAMETERS,
    execute: async (_callId, input, _signal, _onUpdate, context) => {
      const content = toContent(await fetchBack(open(context).agentSession, input, context));
      return { content, details: undefined };
    },
  });
  pi.registerCommand("plimsoll", {
    description: "Show how full the context window is, what work is open, and what was shortened and why",
    handler: async (args, context) => context.ui.notify(runCommand(open(context), args, context), "info"),
  });
}

function openSession(id: string, project: string): Session {
  const agentSession = openAgentSession({
    speech: SPEECH,
    project,
    sessionId: id,
    configFolder: locateOwnHome(process.env),
  });
  return { id, agentSession, isSteering: true, whys: [], isSaid: false, failure: "" };
}

/** Folds a new result if it is text only and not an error. */
function foldResult({ agentSession }: Session, event: PiEvent): unknown {
  const { toolCallId, toolName, input, content, isError } = event;
  if (isError === true || !Array.isArray(content) || !isJsonObject(input)) return undefined;
  const texts = content.map((part) => (isRecord(part) && part.type === "text" ? part.text : undefined));
  const text = texts.filter((part) => typeof part === "string").join("\n");
  if (texts.length === 0 || texts.some((part) => typeof part !== "string")) return undefined;
  const folded = foldArrived(agentSession, { callId: String(toolCallId), tool: String(toolName), input, text });
  return folded === undefined ? undefined : { content: [{ type: "text", text: folded }] };
}

/** Edits the conversation before a request. */
function shape(pi: PiApi, session: Session, event: PiEvent, context: PiContext): unknown {
  const messages = Array.isArray(event.messages) ? event.messages.filter(isMessage) : [];
  if (!Array.isArray(event.messages) || messages.length !== event.messages.length) return undefined;
  const { agentSession } = session;
  const settings: AgentSession["settings"] = session.isSteering
    ? agentSession.settings
    : { ...agentSession.settings, early: "off", lineTokens: null };
  const shaped = shapeRequest({ ...agentSession, settings }, toPending(messages, context));
  if (shaped.edits.length > 0) {
    pi.appendEntry(ENTRY, { decisions: shaped.edits });
    session.whys.push(shaped.why);
  }
  if (shaped.notice !== "" && !session.isSaid) {
    session.isSaid = true;
    context.ui.notify(
      `a compaction would pay off now: ${shaped.notice} · run /compact · /plimsoll off stops this hint`,
    );
  }
  return shaped.messages === messages ? undefined : { messages: shaped.messages };
}

function toPending(messages: readonly WireMessage[], context: PiContext): PendingRequest {
  return {
    messages,
    decisions: readDecisions(context.sessionManager.getBranch()),
    model: context.model?.id ?? "",
    compactionPointTokens: compactionPointOf(context),
    readAnswer,
  };
}

function fetchBack(agentSession: AgentSession, input: JsonObject, context: PiContext): Promise<RecallAnswer> {
  const history = () => parseConversation(listHistory(context.sessionManager.getBranch()), SPEECH.format).messages;
  const decided = () => readDecisions(context.sessionManager.getBranch());
  return recall(input, createSessionPort(agentSession, history, decided));
}

/** Pi marks a result as failed if its tool throws. */
function toContent(answer: RecallAnswer): readonly object[] {
  if (answer.isError) throw new Error(answer.words);
  return answer.blocks.map((block) =>
    typeof block === "string"
      ? { type: "text", text: block }
      : { type: "image", data: block.data, mimeType: block.mediaType },
  );
}

const HELP = `/plimsoll            shows how full the window is, and what was folded and compacted
/plimsoll why        lists why requests were shortened in this session
/plimsoll open       shows the next step and all open work
/plimsoll off        shortens no more requests; /plimsoll on restores your settings
/compact             compacts at once and without a model
Settings: ~/.claude/plimsoll.json, or .plimsoll/settings.json in a project.`;

function runCommand(session: Session, args: string, context: PiContext): string {
  switch (args.trim()) {
    case "":
    case "status":
      return renderOverview(session, context);
    case "why":
      return session.whys.join("\n") || "no request was shortened in this session yet";
    case "open":
      return renderOpenWork(toHappened(session.agentSession, context.sessionManager.getBranch()));
    case "off":
    case "on":
      session.isSteering = args.trim() === "on";
      return session.isSteering
        ? "Plimsoll shortens requests again, as your settings say"
        : "Plimsoll leaves requests unchanged until you run /plimsoll on";
    default:
      return HELP;
  }
}

function renderOverview({ agentSession, failure }: Session, context: PiContext): string {
  const { settings, totals } = agentSession;
  const { folds, savedTokens, compactions } = totals;
  const saved = folds === 0 ? "" : `, about ${renderTokens(savedTokens)} tokens less in every request since`;
  return [
    settings.isOn ? renderLoad(context) : "Plimsoll is off",
    `${renderCount(folds, "result")} folded${saved}; ${renderCount(compactions, "compaction")} by Plimsoll`,
    `compaction: ${settings.compaction}, early: ${settings.early}`,
    agentSession.settingsProblem,
    ...listUnheededInAgent(settings),
    failure === "" ? "" : `last failure: ${failure}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

/** What an answer says about its request; `undefined` if the request failed. */
function readAnswer(message: WireMessage): Answered | undefined {
  if (!isObject(message) || message.role !== "assistant") return undefined;
  const usage = objectField(message, "usage");
  const atMs = message.timestamp;
  if (usage === undefined || typeof atMs !== "number" || message.stopReason === "error") return undefined;
  const written = countField(usage, "cacheWrite");
  const hour = Math.min(written, countField(usage, "cacheWrite1h"));
  return {
    model: textField(message, "model"),
    atMs,
    usage: {
      inputTokens: countField(usage, "input"),
      cacheReadTokens: countField(usage, "cacheRead"),
      cacheWrite5mTokens: written - hour,
      cacheWrite1hTokens: hour,
      outputTokens: countField(usage, "output"),
    },
  };
}
