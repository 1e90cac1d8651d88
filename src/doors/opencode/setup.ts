import type { JsonObject } from "../../core/json.ts";
import { locateOwnHome } from "../../hosts/claude-code/disk/projects.ts";
import { openCodeVocabulary } from "../../hosts/opencode/vocabulary.ts";
import { decideCompactionPoint } from "../../measure/compaction-point.ts";
import { decideModelWindow } from "../../models/find-model.ts";
import { RECALL_DESCRIPTION, RECALL_PARAMETERS } from "../../survive/recall/recall-request.ts";
import type { WireMessage } from "../../wire/conversation.ts";
import { isJsonObject, isRecord } from "../../wire/is-json.ts";
import { requestFormat } from "../../wire/opencode/request-messages.ts";
import type { Speech } from "../aboard/aboard.ts";
import { answerCompaction } from "../aboard/answer-compaction.ts";
import { foldArrived } from "../aboard/fold-arrived.ts";
import { shapeRequest } from "../aboard/shape-request.ts";
import { attemptQuietly, type ChatSession, createSessionsById, fetchBack } from "./sessions.ts";

const SPEECH: Speech = { format: requestFormat, vocabulary: openCodeVocabulary, recallTool: "plimsoll_recall" };

/**
 * The plugin for OpenCode 2, written from its published sources. It fits the published types of version 2, which lack some of
 * what it needs; no version 2 was available to run it in.
 */
export function setup(context: SetupContext): Promise<void> {
  return setUp(context, { project: process.cwd(), configFolder: locateOwnHome(process.env) });
}

export async function setUp(
  { session: asked, tool: tools }: SetupContext,
  { project, configFolder }: { readonly project: string; readonly configFolder: string },
): Promise<void> {
  // A version without these hooks continues without them.
  if (!asked || !tools) return;
  const { open } = createSessionsById(SPEECH, project, configFolder);
  const { settings } = open("").aboard;
  if (!settings.isOn) return;
  await tools.transform((editor) =>
    editor.add({
      name: SPEECH.recallTool,
      description: RECALL_DESCRIPTION,
      input: RECALL_PARAMETERS,
      execute: async (input, { sessionID }) => ({
        content: await fetchBack(open(sessionID), isJsonObject(input) ? input : {}),
      }),
    }),
  );
  await tools.hook("execute.after", (event) => {
    const { sessionID, id, tool, status, result } = event;
    if (status !== "completed" || typeof result?.content !== "string") return;
    const input = isJsonObject(event.input) ? event.input : {};
    const arrived = { callId: id, tool, input, text: result.content };
    const folded = attemptQuietly(() => foldArrived(open(sessionID).aboard, arrived));
    if (folded !== undefined) event.result = { ...result, content: folded };
  });
  await asked.hook("context", (event) => shapeContext(open(event.sessionID), event));
  await asked.hook("compaction", (event) => {
    if (settings.compaction === "native") return;
    const session = open(event.sessionID);
    const messages = listMessages(event);
    const answer = attemptQuietly(() =>
      answerCompaction(session.aboard, {
        entries: messages.map((message, index) => ({ id: String(index), message })),
        earlier: "",
        history: messages,
        decisions: session.file.decisions,
        model: event.model.id,
        instructions: "",
        transcript: "",
        roomTokens: undefined,
        findPicture: () => undefined,
      }),
    );
    if (answer !== undefined) event.result = { summary: answer.summary };
  });
}

/** Edits a request in place before it is sent. */
function shapeContext(session: ChatSession, event: SetupRequest): void {
  const messages = listMessages(event);
  session.messages = messages;
  const shaped = attemptQuietly(() => {
    const made = shapeRequest(session.aboard, {
      messages,
      decisions: session.file.decisions,
      model: event.model.id,
      compactionPointTokens: decideCompactionPoint(decideModelWindow(event.model.id)).tokens,
      // Nothing here reports the tokens of a request.
      readAnswer: () => undefined,
    });
    if (made.edits.length > 0) session.file.add(made.edits);
    return made.messages;
  });
  if (shaped !== undefined && shaped !== messages) event.messages.splice(0, event.messages.length, ...shaped);
}

function listMessages({ messages }: SetupRequest): readonly WireMessage[] {
  return messages.filter(isMessage);
}

function isMessage(value: unknown): value is WireMessage {
  return isRecord(value) && typeof value.role === "string" && Array.isArray(value.content);
}

/**
 * The part of OpenCode 2's plugin API that we use, from `packages/plugin/src/promise` of anomalyco/opencode
 * (`session.hook("compaction")` with `result` came with pull request 48212). The types of version 2 in `@opencode-ai/plugin`
 * 1.18.33 do not have `session` or `tool` yet.
 */
export interface SetupContext {
  /** What a person wrote next to the plugin's name; every version passes it. */
  readonly options?: unknown;
  readonly session?: {
    hook(name: "context", callback: (event: SetupRequest) => void): Promise<unknown>;
    hook(name: "compaction", callback: (event: SetupCompaction) => void): Promise<unknown>;
  };
  readonly tool?: {
    transform(callback: (editor: { add(tool: SetupTool): void }) => void): Promise<unknown>;
    hook(name: "execute.after", callback: (event: SetupExecuted) => void): Promise<unknown>;
  };
}

export interface SetupRequest {
  readonly sessionID: string;
  readonly model: { readonly id: string };
  readonly messages: unknown[];
}

export interface SetupCompaction extends SetupRequest {
  /** If set, it is the summary, and no model is called. */
  result?: { readonly summary: string };
}

export interface SetupExecuted {
  readonly tool: string;
  readonly sessionID: string;
  readonly id: string;
  readonly input: unknown;
  readonly status: "completed" | "error";
  result?: { readonly content?: unknown };
}

interface SetupTool {
  readonly name: string;
  readonly description: string;
  readonly input: JsonObject;
  execute(input: unknown, context: { readonly sessionID: string }): Promise<{ readonly content: string }>;
}
