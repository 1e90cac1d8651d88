import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit } from "../../core/edit.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Block, Message, ResultPart } from "../../core/message.ts";
import { createTrackers, tellMessages } from "../../hosts/happening.ts";
import { isLedger, toStretches } from "../../layers/ledger/render-chunk.ts";
import {
  type CompactionAsked,
  type CompactionPlan,
  compactionAsked,
  renderCompactionRecord,
} from "../../policy/compaction-asked.ts";
import { renderPictureNote } from "../../survive/recall/picture.ts";
import type { Happened } from "../../survive/record/continuation.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import { parseConversation, type WireMessage } from "../../wire/conversation.ts";
import type { Aboard, AboardStore } from "./aboard.ts";

export interface WindowEntry {
  readonly id: string;
  readonly message: WireMessage;
}

export interface Asked {
  /** The window without the summary of an earlier compaction, and that summary. */
  readonly entries: readonly WindowEntry[];
  readonly earlier: string;
  /** The whole conversation, including what left the window. */
  readonly history: readonly WireMessage[];
  readonly decisions: readonly Edit[];
  readonly model: string;
  readonly instructions: string;
  /** Where the client keeps the conversation verbatim; empty if it does not. */
  readonly transcript: string;
  readonly roomTokens: number | undefined;
  readonly findPicture: FindPicture;
}

export interface CompactionAnswer {
  /** Replaces everything before the first message that is kept. */
  readonly summary: string;
  readonly firstKept: string;
}

/** The record and the ledger instead of a model's summary; `undefined` if nothing old is left, or if it cannot be stored. */
export function answerCompaction(aboard: Aboard, asked: Asked): CompactionAnswer | undefined {
  const { speech, settings, project: root, shelf, totals } = aboard;
  const { vocabulary, recallTool } = speech;
  const { model, instructions, transcript, roomTokens, entries } = asked;
  const { messages: said } = parseConversation(
    entries.map(({ message }) => message),
    speech.format,
  );
  const view = namePictures(applyEdits(said, asked.decisions).messages, shelf, asked.findPicture);
  const messages = [...openWith(asked.earlier), ...view];
  const compacted = collapseOld({ messages, policy: settings.policy, vocabulary, model, root, roomTokens });
  const tail = compacted.messages.slice(compacted.messages.findLastIndex(isLedger) + 1);
  const first = said.findIndex(({ id }) => id === tail[0]?.id);
  const firstKept = entries[first]?.id;
  if (firstKept === undefined || compacted.edits.length === 0) return undefined;
  const isKept = compacted.originals.every(({ text }) => shelf.keep({ output: text, tool: "ledger" }) !== undefined);
  if (!isKept) return undefined;
  const { ledger } = compacted;
  const words = tail.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === "text" ? [block.text] : [])));
  const terms = { ledger, tail: words.join("\n"), hasTail: true, root, recallTool, transcript, instructions };
  totals.compactions++;
  return { summary: renderCompactionRecord(tellHappened(aboard, asked.history), terms), firstKept };
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
  if (earlier.trimStart().startsWith(RECORD_OPENING)) return toStretches(earlier);
  const block = { kind: "text", id: "earlier:0", text: earlier, author: "host" } as const;
  return [{ id: "earlier", role: "user", blocks: [block] }];
}

export function tellHappened({ speech }: Aboard, history: readonly WireMessage[]): Happened {
  const trackers = createTrackers(speech.vocabulary);
  for (const event of tellMessages(parseConversation(history, speech.format).messages)) trackers.feed(event);
  const { session, trail } = trackers.state();
  return { state: session, trail };
}

/** The data URL of a picture, `data:image/png;base64,…`; `undefined` if it has none. */
type FindPicture = (raw: JsonObject) => string | undefined;

/** Stores every picture and replaces it with its name, because the summary is text and cannot hold pictures. */
function namePictures(messages: readonly Message[], shelf: AboardStore, find: FindPicture): readonly Message[] {
  const name = (raw: JsonObject): string | undefined => {
    const url = find(raw);
    return url && renderPictureNote(url, shelf.keep({ output: url, tool: "picture" })?.handle);
  };
  const nameBlock = (block: Block): Block => {
    if (block.kind === "image") {
      const text = name(block.raw);
      return text === undefined ? block : { kind: "text", id: block.id, text, author: "person" };
    }
    if (block.kind !== "toolResult" || block.parts.every(({ kind }) => kind === "text")) return block;
    return { ...block, parts: block.parts.map(namePart) };
  };
  const namePart = (part: ResultPart): ResultPart => {
    const text = part.kind === "image" ? name(part.raw) : undefined;
    return text === undefined ? part : { kind: "text", text };
  };
  return messages.map((message) => {
    const blocks = message.blocks.map(nameBlock);
    return blocks.every((block, index) => block === message.blocks[index]) ? message : { ...message, blocks };
  });
}
