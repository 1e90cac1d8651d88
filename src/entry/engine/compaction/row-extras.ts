import { isObject, type JsonObject, listField, textField } from "../../../core/json.ts";
import type { SessionStore } from "../../../files/artifacts/create-session-store.ts";
import { decidePromptAuthor } from "../../../hosts/claude-code/prompt-author.ts";
import type { Row } from "../../../hosts/claude-code/row-reader.ts";
import { renderPictureNote } from "../../../survive/recall/picture.ts";
import type { EngineMessage } from "./compaction-event.ts";

/** Something that was in a request without a row of its own: text typed while the model worked, a skill, a file. */
export interface Aside {
  /** The row before it. */
  readonly after: string;
  readonly author: "person" | "host";
  readonly text: string;
}

/** A row that the client reports incompletely: with pictures, loaded tools, or several text parts. */
export interface Rich {
  readonly row: string;
  /** The call that it is the result of; empty for a prompt. */
  readonly callId: string;
  /** All parts as text, each picture as its handle. */
  readonly parts: readonly string[];
}

/** What the client leaves out of the conversation that it passes to a compaction. Plain data. */
export interface RowExtras {
  /** Every row that was seen, so that a conversation with other rows is recognised as one we did not follow. */
  readonly rows: readonly string[];
  readonly answers: readonly string[];
  readonly asides: readonly Aside[];
  readonly rich: readonly Rich[];
  /** Queued text of the person, as typed. */
  readonly queued: readonly string[];
  /** Hashes of client texts that our last answer returned as rows: the client reports them as if they had been typed. */
  readonly retold?: readonly string[];
  /** The client's text about plan mode when it began; empty outside of it. */
  readonly planMode: string;
}

export const NO_EXTRAS: RowExtras = { rows: [], answers: [], asides: [], rich: [], queued: [], planMode: "" };

/** What the client repeats in every window by itself, so it need not be kept. */
export const RECURRING: ReadonlySet<string> = new Set(
  `environment model deferred_tools_delta agent_listing_delta skill_listing mcp_instructions_delta instructions
   session_context date date_change remote_session_change prompt_snapshot total_tokens_reminder task_reminder
   todo_reminder output_style plan_mode plan_mode_reentry plan_mode_exit auto_mode auto_mode_exit hook_success`.split(
    /\s+/,
  ),
);

const MAX_QUEUED = 50;

/** `pictured` is the row's text with every picture as its handle, if it has any. */
export function followExtras(state: RowExtras, row: Row, pictured: readonly Rich[]): RowExtras {
  if (row.message.name === "compact_boundary") return clearExtras(state);
  const text = row.message.content.map((block) => textField(block, "text")).join("\n");
  if (row.door === "queue") return { ...state, queued: [...state.queued, text].slice(-MAX_QUEUED) };
  if (isPassedOn(row)) {
    const answers = row.message.type === "assistant" ? [...state.answers, row.uuid] : state.answers;
    return { ...state, rows: [...state.rows, row.uuid], answers, rich: [...state.rich, ...pictured] };
  }
  const planMode = followPlanMode(state.planMode, row, text);
  const aside = toAside(row, text, state.queued);
  if (aside === undefined || state.rows.length === 0) return { ...state, planMode };
  return { ...state, planMode, asides: [...state.asides, { ...aside, after: state.rows.at(-1) ?? "" }] };
}

export function clearExtras({ planMode, retold: restated = [] }: RowExtras): RowExtras {
  return { ...NO_EXTRAS, planMode, retold: restated };
}

/** Rows that the client passes to a compaction: what was said, called and answered. */
function isPassedOn({ door, message }: Row): boolean {
  if (message.type === "assistant") return true;
  return message.type === "user" && message.isMeta !== true && door !== "queue";
}

function toAside({ message }: Row, text: string, queued: readonly string[]): Omit<Aside, "after"> | undefined {
  if (text.trim() === "" || RECURRING.has(message.name ?? "")) return undefined;
  if (message.name === "queued_command") {
    const words = unwrapQueued(text, queued);
    return { author: decidePromptAuthor(words) === "person" ? "person" : "host", text: words };
  }
  // The picture itself is stored; the path of the client's copy does not matter.
  const isIdle = text.startsWith("<local-command-caveat>") || text.startsWith("[Image: source: ");
  const isSaid = message.type === "user" || message.type === "attachment";
  return isIdle || !isSaid ? undefined : { author: "host", text };
}

/** The client wraps text typed while the model worked in words of its own. */
function unwrapQueued(text: string, queued: readonly string[]): string {
  const typed = queued.findLast((words) => words !== "" && text.includes(words));
  const wrapped =
    /while you were working:\n([\s\S]*?)(?:\n\nThis is how |\n\nIMPORTANT: |\n<\/system-reminder>|$)/.exec(text);
  return typed ?? wrapped?.[1] ?? text;
}

function followPlanMode(before: string, { message }: Row, text: string): string {
  // The instruction itself is given once; reminders only refer to it.
  if (message.name === "plan_mode") return before === "" || text.includes("Plan mode is active") ? text : before;
  return message.name === "plan_mode_exit" ? "" : before;
}

/** A row of several parts, each picture under the handle of its stored copy. */
export function describeRich({ uuid, message }: Row, handles: ReadonlyMap<string, string>): readonly Rich[] {
  const results = message.content
    .filter(({ type }) => type === "tool_result")
    .map((result) => ({ callId: textField(result, "tool_use_id"), parts: listParts(result) }));
  const said = { callId: "", parts: message.content.filter(({ type }) => type !== "tool_result") };
  return (message.type === "user" ? [...results, said] : results)
    .filter(({ parts }) => isRich(parts))
    .map(({ callId, parts }) => ({ row: uuid, callId, parts: renderParts(parts, handles) }));
}

/** The pictures and documents of a row in the form in which they are stored: as the `src` of an `img` tag. */
export function listPictures({ message }: Row): readonly string[] {
  const parts = message.content.flatMap((block) => (block.type === "tool_result" ? listParts(block) : [block]));
  return parts.flatMap((part) => toDataUrl(part) ?? []);
}

function isRich(parts: readonly JsonObject[]): boolean {
  return parts.length > 1 || parts.some((part) => toDataUrl(part) !== undefined || renderLoaded(part) !== "");
}

function listParts(result: JsonObject): readonly JsonObject[] {
  return listField(result, "content").filter(isObject);
}

function renderParts(parts: readonly JsonObject[], handles: ReadonlyMap<string, string>): readonly string[] {
  const texts = parts.map((part) => {
    const url = toDataUrl(part);
    return url === undefined ? textField(part, "text") || renderLoaded(part) : renderPictureNote(url, handles.get(url));
  });
  return texts.filter((text) => text !== "");
}

/** A tool's schema is not part of the conversation, and the client drops it at a compaction that a module answers: this tells the model to load it again. */
function renderLoaded(part: JsonObject): string {
  if (part.type !== "tool_reference") return "";
  return `[${textField(part, "tool_name")} was loaded; after a compaction, load it again with ToolSearch]`;
}

function toDataUrl(part: JsonObject): string | undefined {
  const source = isObject(part.source) ? part.source : {};
  if ((part.type !== "image" && part.type !== "document") || source.type !== "base64") return undefined;
  return `data:${textField(source, "media_type")};base64,${textField(source, "data")}`;
}

/** Finds pictures and the like of rows that we did not see come in, as in a session that is older than the plugin, in the conversation as it is sent. */
export function recoverExtras(
  extras: RowExtras,
  store: SessionStore,
  { reported, sent }: { readonly reported: readonly EngineMessage[]; readonly sent: unknown },
): RowExtras {
  const seen = new Set(extras.rows);
  const unseen = reported.filter(({ handle }) => !seen.has(handle));
  if (unseen.length === 0) return extras;
  const rows = findRows(unseen, Array.isArray(sent) ? sent.filter(isObject) : []);
  return { ...extras, rich: [...extras.rich, ...rows.flatMap((row) => keepPictures(store, row))] };
}

/** Stores a row's pictures and returns its content; a picture that could not be stored has no handle. */
export function keepPictures(store: Pick<SessionStore, "keep">, row: Row): readonly Rich[] {
  const handles = new Map<string, string>();
  for (const url of listPictures(row)) {
    const kept = store.keep({ output: url, tool: "picture", command: "" });
    if (kept !== undefined) handles.set(url, kept.handle);
  }
  return describeRich(row, handles);
}

function findRows(unseen: readonly EngineMessage[], sent: readonly JsonObject[]): readonly Row[] {
  const user = sent
    .filter(({ role }) => role === "user")
    .map((message) => listField(message, "content").filter(isObject));
  const blocks = user.flat();
  return unseen.flatMap(({ handle: uuid, role, text, results }): readonly Row[] => {
    if (role !== "user") return [];
    const answered = blocks.filter((block) => results.includes(textField(block, "tool_use_id")));
    const said = results.length > 0 ? [] : findPrompt(user, text);
    const content = [...answered, ...said];
    return content.length === 0 ? [] : [{ door: "", uuid, origin: {}, message: { type: "user", content } }];
  });
}

/** The parts of the prompt with this text, and the pictures next to them. */
function findPrompt(user: readonly (readonly JsonObject[])[], text: string): readonly JsonObject[] {
  for (const blocks of user) {
    const pictures = blocks.filter(({ type }) => type === "image");
    const words = blocks.filter((block) => block.type === "text" && text.includes(textField(block, "text").trim()));
    if (pictures.length > 0 && (text === "" || words.length > 0)) return [...words, ...pictures];
  }
  return [];
}
