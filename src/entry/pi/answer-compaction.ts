import { applyEdits } from "../../core/apply-edits.ts";
import { type Edit, parseKeptEdits } from "../../core/edit.ts";
import { type JsonObject, textField } from "../../core/json.ts";
import type { Block, Message, ResultPart } from "../../core/message.ts";
import { createTrackers, toMessageEvents } from "../../hosts/happening.ts";
import { isLedger, toSegments } from "../../layers/ledger/render-chunk.ts";
import { countRoom } from "../../policy/collapse-due.ts";
import {
  type CompactionAsked,
  type CompactionPlan,
  compactionAsked,
  renderCompactionRecord,
} from "../../policy/compaction-asked.ts";
import { renderPictureNote } from "../../survive/recall/picture.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import { isRecord, parseConversation, type WireMessage } from "../../wire/conversation.ts";
import type { AgentSession } from "../in-agent/agent-session.ts";
import type { PiContext, PiEntry, PiEvent } from "./extension-api.ts";

/** Pi compacts this far before the end of the window, unless its settings say otherwise. */
const RESERVED_TOKENS = 16_384;
const DEFAULT_WINDOW_TOKENS = 200_000;

export function compactionPointOf(context: PiContext): number {
  const window = context.getContextUsage()?.contextWindow ?? DEFAULT_WINDOW_TOKENS;
  return Math.max(window - RESERVED_TOKENS, Math.round(window / 2));
}

/** Record and ledger instead of a model's summary. `undefined`, and pi makes its own, if the person wants that, if nothing old is left, or if it cannot be stored. */
export function answerCompaction(agentSession: AgentSession, event: PiEvent, context: PiContext): unknown {
  const { speech, settings, project: root, store, totals } = agentSession;
  if (settings.compaction === "native") return undefined;
  const { vocabulary, recallTool, format } = speech;
  const { sessionManager } = context;
  const branch = sessionManager.getBranch();
  const { entries, earlier } = readWindow(context);
  const { messages: said } = parseConversation(
    entries.map(({ message }) => message),
    format,
  );
  const view = namePictures(applyEdits(said, readDecisions(branch)).messages, store);
  const compacted = collapseOld({
    messages: [...openWith(earlier), ...view],
    policy: settings.policy,
    vocabulary,
    model: context.model?.id ?? "",
    root,
    roomTokens: countRoom({ lineTokens: compactionPointOf(context), baseTokens: 0 }),
  });
  const tail = compacted.messages.slice(compacted.messages.findLastIndex(isLedger) + 1);
  const firstKeptEntryId = entries[said.findIndex(({ id }) => id === tail[0]?.id)]?.id;
  if (firstKeptEntryId === undefined || compacted.edits.length === 0) return undefined;
  const isKept = compacted.originals.every(({ text }) => store.keep({ output: text, tool: "ledger" }) !== undefined);
  if (!isKept) return undefined;
  totals.compactions++;
  const words = tail.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])));
  const summary = renderCompactionRecord(toHappened(agentSession, branch), {
    ledger: compacted.ledger,
    hasNewerList: compacted.hasNewerList,
    tail: words.join("\n"),
    hasTail: true,
    root,
    recallTool,
    transcript: sessionManager.getSessionFile() ?? "",
    instructions: typeof event.customInstructions === "string" ? event.customInstructions : "",
  });
  const { tokensBefore = 0 } = isRecord(event.preparation) ? event.preparation : {};
  return { compaction: { summary, firstKeptEntryId, tokensBefore: Number(tokensBefore) } };
}

/** Keeps what the policy's own rule keeps. If that removes nothing, everything but the last exchange goes. */
function collapseOld(asked: CompactionAsked): CompactionPlan {
  const compacted = compactionAsked(asked);
  return compacted.edits.length > 0
    ? compacted
    : compactionAsked({ ...asked, tail: { keepExchanges: 1, maxTailTokens: 0 } });
}

/** The ledger of our own record stays; another summary is treated as any text of the client. */
function openWith(earlier: string): readonly Message[] {
  if (earlier === "") return [];
  if (earlier.trimStart().startsWith(RECORD_OPENING)) return toSegments(earlier);
  const block = { kind: "text", id: "earlier:0", text: earlier, author: "host" } as const;
  return [{ id: "earlier", role: "user", blocks: [block] }];
}

/** Stores every picture and replaces it with its name, because the summary is text and cannot hold pictures. */
function namePictures(messages: readonly Message[], store: AgentSession["store"]): readonly Message[] {
  const name = (raw: JsonObject): string => {
    const url = `data:${textField(raw, "mimeType")};base64,${textField(raw, "data")}`;
    return renderPictureNote(url, store.keep({ output: url, tool: "picture" })?.handle);
  };
  const namePart = (part: ResultPart): ResultPart =>
    part.kind === "image" ? { kind: "text", text: name(part.raw) } : part;
  const nameBlock = (block: Block): Block => {
    if (block.kind === "image") return { kind: "text", id: block.id, text: name(block.raw), author: "person" };
    if (block.kind !== "toolResult" || block.parts.every(({ kind }) => kind === "text")) return block;
    return { ...block, parts: block.parts.map(namePart) };
  };
  return messages.map((message) => {
    const blocks = message.blocks.map(nameBlock);
    return blocks.every((block, index) => block === message.blocks[index]) ? message : { ...message, blocks };
  });
}

export function toHappened({ speech }: AgentSession, branch: readonly PiEntry[]): Happened {
  const trackers = createTrackers(speech.vocabulary);
  const { messages } = parseConversation(listHistory(branch), speech.format);
  for (const event of toMessageEvents(messages)) trackers.feed(event);
  const { session, trail } = trackers.state();
  return { state: session, trail };
}

/** The entry type under which decisions are stored in the session's file, on the branch that they were made on. */
export const ENTRY = "plimsoll";

export function isMessage(value: unknown): value is WireMessage {
  // A summary has no content and stays opaque.
  return isRecord(value) && typeof value.role === "string" && value.role !== "system";
}

export function readDecisions(branch: readonly PiEntry[]): readonly Edit[] {
  return branch.flatMap(({ type, customType, data }) => {
    if (type !== "custom" || customType !== ENTRY || !isRecord(data)) return [];
    return parseKeptEdits(data.decisions);
  });
}

/** The whole conversation of a branch, including what left the window. */
export function listHistory(branch: readonly PiEntry[]): readonly WireMessage[] {
  return branch.flatMap(({ type, message }) => (type === "message" && isMessage(message) ? [message] : []));
}

/** What the window still holds since its last compaction, whose size no answer from before it says; empty right after one. */
export function listWindow({ sessionManager }: PiContext): readonly WireMessage[] {
  const branch = sessionManager.getBranch();
  return listHistory(branch.slice(branch.findLastIndex(({ type }) => type === "compaction") + 1));
}

/** The window's messages, and the summary that it begins with; empty if it has none. */
function readWindow({ sessionManager }: PiContext) {
  const entries: { readonly id: string; readonly message: WireMessage }[] = [];
  let earlier = "";
  for (const { sourceEntry, messages } of sessionManager.buildSessionProjection().entries) {
    if (sourceEntry.type === "compaction") earlier = String(sourceEntry.summary ?? "");
    else for (const message of messages) if (isMessage(message)) entries.push({ id: sourceEntry.id, message });
  }
  return { entries, earlier };
}
