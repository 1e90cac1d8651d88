import { mkdirSync } from "node:fs";
import path from "node:path";
import { type Edit, parseKeptEdits } from "../../core/edit.ts";
import { countField, isObject, type JsonObject, objectField, textField } from "../../core/json.ts";
import { readPlainFile, writeAtomically } from "../../files/private-files.ts";
import { locateOwnHome } from "../../hosts/claude-code/disk/projects.ts";
import { openCodeVocabulary } from "../../hosts/opencode/vocabulary.ts";
import { decideModelWindow } from "../../models/find-model.ts";
import { locateSession } from "../../policy/actions/data-paths.ts";
import { recall } from "../../survive/recall/recall.ts";
import { RECALL_DESCRIPTION, RECALL_PARAMETERS } from "../../survive/recall/recall-request.ts";
import { isJsonObject, parseConversation, type WireMessage } from "../../wire/conversation.ts";
import {
  isHalf,
  isOpenCodeMessage,
  joinMessages,
  openCodeFormat,
  splitMessages,
} from "../../wire/opencode/messages.ts";
import { type AgentSession, createSessionPort, openAgentSession, type Speech } from "../in-agent/agent-session.ts";
import { foldArrived } from "../in-agent/fold-arrived.ts";
import { type Answered, type PendingRequest, renderBreak, shapeRequest } from "../in-agent/shape-request.ts";

const SPEECH: Speech = { format: openCodeFormat, vocabulary: openCodeVocabulary, recallTool: "plimsoll_recall" };

/** Reserved for OpenCode's answer, as in its own formula. */
const MOST_OUTPUT_TOKENS = 32_000;

/** The plugin for OpenCode 1. If anything fails here, OpenCode continues as if it had not run. */
export async function server({ directory, client }: OpenCodeInput): Promise<Partial<OpenCodeHooks>> {
  const show = (message: string): void => {
    // Without a screen there is nobody to show it to.
    const shown = client?.tui.showToast({ body: { title: "Plimsoll", message, variant: "info", duration: TOAST_MS } });
    shown?.catch(() => {});
  };
  return openHooks(directory, locateOwnHome(process.env), show);
}

/** Long enough to read it while the model begins. */
const TOAST_MS = 15_000;

export function openHooks(
  project: string,
  configFolder: string,
  show: (message: string) => void = () => {},
): Partial<OpenCodeHooks> {
  const open = createSessions(project, configFolder);
  const limits = new Map<string, number>();
  const { settings } = open("").agentSession;
  if (!settings.isOn) return {};
  const isOurs = settings.compaction !== "native";

  return {
    // Switch off OpenCode's own summaries and clearing: we remove the same content, but it can be fetched back.
    config: async (config) => {
      if (isOurs) config.compaction = { auto: false, prune: false, ...config.compaction };
    },
    tool: {
      [SPEECH.recallTool]: {
        description: RECALL_DESCRIPTION,
        // OpenCode tells the model to pass all arguments: an empty list of lines and an empty pattern mean none.
        args: objectField(RECALL_PARAMETERS, "properties") ?? {},
        execute: async (input, { sessionID }) => fetchBack(open(sessionID), input),
      },
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, output) => {
      if (typeof output.output !== "string") return;
      const input = isJsonObject(args) ? args : {};
      const folded = attemptQuietly(() =>
        foldArrived(open(sessionID).agentSession, { callId: callID, tool, input, text: output.output }),
      );
      if (folded !== undefined) output.output = folded;
    },
    "chat.params": async ({ model }) => {
      const point = pointOf(model);
      if (model?.id !== undefined && point !== undefined) limits.set(model.id, point);
    },
    "experimental.chat.messages.transform": async (_, { messages }) => {
      const findPoint = (model: string) => limits.get(model) ?? decideModelWindow(model).windowTokens * 0.8;
      const shaped = attemptQuietly(() => shape(open, messages, findPoint, show));
      if (shaped !== undefined) messages.splice(0, messages.length, ...shaped);
    },
  };
}

function pointOf({ limit }: OpenCodeModel): number | undefined {
  const { context = 0, output = 0 } = limit ?? {};
  return context > 0 ? Math.max(context / 2, context - Math.min(output, MOST_OUTPUT_TOKENS)) : undefined;
}

/** Edits the conversation before a request; `undefined` if it stays as it is. */
function shape(
  open: (id: string) => ChatSession,
  given: readonly unknown[],
  findPoint: (model: string) => number,
  show: (message: string) => void,
): readonly unknown[] | undefined {
  const messages = given.filter(isOpenCodeMessage);
  const id = messages[0]?.info.sessionID;
  if (messages.length !== given.length || typeof id !== "string") return undefined;
  const session = open(id);
  const halves = splitMessages(messages);
  session.messages = halves;
  const model = findModel(messages.map(({ info }) => info));
  const leaving: PendingRequest = {
    messages: halves,
    decisions: session.decisions,
    model,
    compactionPointTokens: findPoint(model),
    isLimitOurs: true,
    readAnswer,
  };
  // OpenCode tells no plugin that a session was opened, so the price is known first when the person has asked.
  if (messages.at(-1)?.info.role === "user") {
    const price = renderBreak(session.agentSession, leaving, { prompt: "this prompt" });
    if (price !== undefined) show(price);
  }
  const shaped = shapeRequest(session.agentSession, leaving);
  // Store first: a forgotten decision would change the next request.
  if (shaped.edits.length > 0) session.decide(shaped.edits);
  return shaped.messages === halves ? undefined : joinMessages(shaped.messages);
}

/** The person's newest message names the model that is to answer it. */
function findModel(infos: readonly Readonly<Record<string, unknown>>[]): string {
  const asked = infos.findLast(({ role }) => role === "user")?.model;
  return isObject(asked) ? textField(asked, "modelID") : "";
}

function readAnswer(message: WireMessage): Answered | undefined {
  if (!isHalf(message) || message.role !== "assistant") return undefined;
  const { info } = message.source;
  const tokens = isObject(info.tokens) ? info.tokens : {};
  const cache = objectField(tokens, "cache") ?? {};
  const time = isObject(info.time) ? info.time : {};
  const usage = {
    inputTokens: countField(tokens, "input"),
    cacheReadTokens: countField(cache, "read"),
    cacheWrite5mTokens: countField(cache, "write"),
    cacheWrite1hTokens: 0,
    outputTokens: countField(tokens, "output"),
  };
  const atMs = countField(time, "completed") || countField(time, "created");
  const isReported = usage.inputTokens + usage.cacheReadTokens + usage.cacheWrite5mTokens > 0;
  return isReported ? { model: String(info.modelID), atMs, usage } : undefined;
}

/** One conversation of OpenCode; a subagent has its own. */
interface ChatSession {
  readonly agentSession: AgentSession;
  readonly decisions: readonly Edit[];
  /** Throws if they cannot be written: then nothing may be decided. */
  decide(edits: readonly Edit[]): void;
  /** As last sent; the results of calls are looked up here. */
  messages: readonly WireMessage[];
}

/** Opens sessions on first use. Underscores of their ids become hyphens in the names of Plimsoll's own folders. */
function createSessions(project: string, configFolder: string): (id: string) => ChatSession {
  const sessions = new Map<string, ChatSession>();
  return (id) => {
    const session = sessions.get(id) ?? openSession(id.replaceAll("_", "-"), project, configFolder);
    sessions.set(id, session);
    return session;
  };
}

/** A long session has hundreds of decisions of a few thousand characters each. */
const MAX_BYTES = 64 << 20;

/** Decisions are kept in Plimsoll's own data, because OpenCode has no place for them. */
function openSession(sessionId: string, project: string, configFolder: string): ChatSession {
  const folder = locateSession(configFolder, sessionId);
  const file = folder === undefined ? undefined : path.join(folder, "decisions.json");
  let decisions = file === undefined ? [] : readDecisions(file);
  return {
    agentSession: openAgentSession({ speech: SPEECH, project, sessionId, configFolder }),
    messages: [],
    get decisions() {
      return decisions;
    },
    decide(edits) {
      if (folder === undefined || file === undefined) throw new Error(`not a valid session id: ${sessionId}`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const next = [...decisions, ...edits];
      writeAtomically(file, JSON.stringify(next));
      decisions = next;
    },
  };
}

function readDecisions(file: string): readonly Edit[] {
  try {
    return parseKeptEdits(JSON.parse(readPlainFile(file, MAX_BYTES)?.text || "[]"));
  } catch {
    return [];
  }
}

/** OpenCode cuts what a plugin's tool returns at 2,000 lines or 50 KB. */
const PAGE_CHARACTERS = 30_000;

/** A tool of OpenCode returns text only, so pictures are named. Throws with a message if there is nothing. */
async function fetchBack({ agentSession, messages, decisions }: ChatSession, input: JsonObject): Promise<string> {
  const history = () => parseConversation(messages, SPEECH.format).messages;
  const port = createSessionPort(agentSession, history, () => decisions);
  const answer = await recall(input, { ...port, pageCharacters: PAGE_CHARACTERS });
  if (answer.isError) throw new Error(answer.words);
  const texts = answer.blocks.map((block) =>
    typeof block === "string" ? block : `[${block.mediaType}, ${block.bytes} bytes]`,
  );
  return texts.join("\n");
}

/** If anything fails, OpenCode continues as if we were not there. */
function attemptQuietly<Value>(run: () => Value): Value | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Hooks receive what happened and change `output` in place. */
type Hook<Input, Output> = (input: Input, output: Output) => Promise<void>;

/** What OpenCode 1 gives a plugin, as far as we use it. */
interface OpenCodeInput {
  readonly directory: string;
  readonly client?: { readonly tui: { showToast(options: { readonly body: Toast }): Promise<unknown> } };
}

interface Toast {
  readonly title: string;
  readonly message: string;
  readonly variant: "info";
  readonly duration: number;
}

/** The part of OpenCode 1's plugin API that we use. */
interface OpenCodeHooks {
  readonly config: (config: { compaction?: { readonly auto?: boolean; readonly prune?: boolean } }) => Promise<void>;
  readonly tool: Readonly<Record<string, OpenCodeTool>>;
  readonly "tool.execute.after": Hook<ExecutedTool, { output: string }>;
  readonly "chat.params": Hook<{ readonly model: OpenCodeModel }, unknown>;
  readonly "experimental.chat.messages.transform": Hook<unknown, { readonly messages: unknown[] }>;
}

interface ExecutedTool {
  readonly tool: string;
  readonly sessionID: string;
  readonly callID: string;
  readonly args?: unknown;
}

interface OpenCodeModel {
  readonly id?: string;
  readonly limit?: { readonly context?: number; readonly output?: number };
}

interface OpenCodeTool {
  readonly description: string;
  /** The properties of its input, each as JSON Schema. */
  readonly args: JsonObject;
  execute(input: JsonObject, context: { readonly sessionID: string }): Promise<string>;
}
