import { hashText } from "../../core/hash.ts";
import type { Block, Message } from "../../core/message.ts";
import { decidePromptAuthor } from "../../hosts/claude-code/prompt-author.ts";
import { toSegments } from "../../layers/ledger/render-chunk.ts";
import { RECORD_OPENING } from "../../survive/record/record-opening.ts";
import type { EngineMessage } from "./compaction/compaction-event.ts";
import type { Aside, Rich, RowExtras } from "./compaction/row-extras.ts";

/** A row from the client, or something that was sent next to one, in the order of sending. */
export type Entry =
  | {
      readonly kind: "row";
      readonly id: string;
      readonly row: EngineMessage;
      readonly said: readonly string[];
      /** The client's own words, which an earlier answer of ours turned into a row. */
      readonly isRestated: boolean;
    }
  | { readonly kind: "aside"; readonly id: string; readonly aside: Aside };

export interface EngineConversation {
  /**
   * What was said before the first answer. It keeps its handles, and with them what the client says at the start of
   * a window: the environment, agents, skills, instructions. Empty if it is a long paste, or a long text of the client came along with it.
   */
  readonly opening: readonly EngineMessage[];
  /** The record of an earlier compaction; it is written anew, but its ledger stays. */
  readonly record: EngineMessage | undefined;
  readonly entries: readonly Entry[];
}

/** Merges the client's rows with what was sent next to them. `repeated` rows occur twice after a resume. */
export function readConversation(
  reported: readonly EngineMessage[],
  extras: RowExtras,
  { hasRecord, repeated }: { readonly hasRecord: boolean; readonly repeated: ReadonlySet<string> },
): EngineConversation {
  const messages = reported.filter(({ handle }) => !repeated.has(handle));
  const answered = messages.findIndex(({ role }) => role === "assistant");
  const front = answered < 0 ? messages.length : answered;
  // A record comes before the first answer, and only after a compaction; anywhere else someone has pasted one.
  const at = hasRecord ? messages.slice(0, front).findIndex(({ text }) => text.startsWith(RECORD_OPENING)) : -1;
  const first = takeOpening(messages.slice(0, at < 0 ? front : at));
  const opening = isHeavy(first, extras) ? [] : first;
  const rest = messages.slice(opening.length).filter((message) => message !== messages[at]);
  return {
    opening,
    record: messages[at],
    entries: behindExchanges(rest.flatMap((message, index) => listEntries(message, `e${index}`, extras))),
  };
}

/** What was sent next to a row goes after its whole exchange: nothing may come between the results of an answer. */
function behindExchanges(entries: readonly Entry[]): readonly Entry[] {
  const ordered: Entry[] = [];
  const waiting: Entry[] = [];
  let previous: EngineMessage | undefined;
  for (const entry of entries) {
    if (entry.kind === "aside") {
      waiting.push(entry);
      continue;
    }
    const { row } = entry;
    const goesOn = row.results.length > 0 || (row.role === "assistant" && previous?.role === "assistant");
    if (!goesOn) ordered.push(...waiting.splice(0));
    ordered.push(entry);
    previous = row;
  }
  return [...ordered, ...waiting];
}

/** Rows up to the first result, which cannot come first without its call. */
function takeOpening(messages: readonly EngineMessage[]): readonly EngineMessage[] {
  const end = messages.findIndex(({ results, handle }) => results.length > 0 || handle === "");
  return end < 0 ? messages : messages.slice(0, end);
}

/** About 2,000 tokens: keeping them through a window costs more than writing the client's opening text again. */
const HEAVY_CHARACTERS = 8_000;
/** A first prompt as long as this is a paste, of which the ledger keeps both ends. */
const HEAVY_PROMPT_CHARACTERS = 24_000;

/**
 * A row that keeps its handle brings along everything that came in after it, so the template of a command would stay for ever. Without the row
 * the client repeats what it says at the start of a window: instructions in the next request, all of it in the one after that (seen in 2.1.325).
 */
function isHeavy(opening: readonly EngineMessage[], { asides }: RowExtras): boolean {
  const handles = new Set(opening.map(({ handle }) => handle));
  const own = asides.filter(({ after, author }) => author === "host" && handles.has(after));
  const count = (texts: readonly { readonly text: string }[]): number =>
    texts.reduce((sum, { text }) => sum + text.length, 0);
  return count(own) >= HEAVY_CHARACTERS || count(opening) >= HEAVY_PROMPT_CHARACTERS;
}

function listEntries(message: EngineMessage, id: string, extras: RowExtras): readonly Entry[] {
  const { handle } = message;
  const rich = handle === "" ? [] : extras.rich.filter(({ row }) => row === handle);
  const asides = handle === "" ? [] : extras.asides.filter(({ after }) => after === handle);
  const said = rich.find(({ callId }) => callId === "")?.parts ?? [];
  const isRestated = message.role === "user" && extras.retold?.includes(hashText(message.text)) === true;
  return [
    { kind: "row", id, row: withWords(message, rich), said, isRestated },
    ...asides.map((aside, order): Entry => ({ kind: "aside", id: `${id}a${order}`, aside })),
  ];
}

function withWords(message: EngineMessage, rich: readonly Rich[]): EngineMessage {
  if (rich.length === 0) return message;
  const textOf = (callId: string): string | undefined => rich.find((one) => one.callId === callId)?.parts.join("\n");
  const resultTexts = message.resultTexts.map((result) => ({ ...result, text: textOf(result.callId) ?? result.text }));
  return { ...message, text: textOf("") ?? message.text, resultTexts };
}

/** The conversation after its opening as neutral messages; the client's have the ids of their entries. */
export function toMessages({ record, entries }: EngineConversation): readonly Message[] {
  return [...(record ? toSegments(record.text) : []), ...entries.map(toMessage)];
}

export function toMessage(entry: Entry): Message {
  if (entry.kind === "row") {
    const { row, id, said, isRestated } = entry;
    const words = said.length > 0 ? said : [row.text].filter((text) => text !== "");
    const blocks = row.role === "assistant" ? toAnswer(row, id) : toArrivals(row, id, words);
    const isHost = (block: Block): boolean => isRestated && block.kind === "text";
    return {
      id,
      role: row.role,
      blocks: blocks.map((block) => (isHost(block) ? { ...block, author: "host" } : block)),
    };
  }
  const { text, author } = entry.aside;
  return { id: entry.id, role: "user", blocks: [{ kind: "text", id: `${entry.id}:p`, text, author }] };
}

/** Hashes of the client's own texts among the entries that are returned to it as rows. */
export function listRestated(entries: readonly Entry[]): readonly string[] {
  const texts = entries.flatMap((entry) => {
    if (entry.kind === "aside") return entry.aside.author === "host" ? [entry.aside.text] : [];
    return entry.isRestated ? [entry.row.text] : [];
  });
  return texts.map(hashText);
}

function toAnswer({ toolUses, text }: EngineMessage, id: string): readonly Block[] {
  const said: readonly Block[] = text === "" ? [] : [{ kind: "text", id: `${id}:t`, text, author: "model" }];
  return [...said, ...toolUses.map((call): Block => ({ kind: "toolCall", id: `call:${call.callId}`, ...call }))];
}

const PICTURE = { kind: "image", mediaType: "", encodedLength: 0, raw: {} } as const;

function toArrivals({ resultTexts }: EngineMessage, id: string, said: readonly string[]): readonly Block[] {
  const results = resultTexts.map(
    (result): Block => ({
      kind: "toolResult",
      id: `result:${result.callId}`,
      callId: result.callId,
      parts: [{ kind: "text", text: result.text }],
      isError: result.isError,
    }),
  );
  // The client reports only a prompt's text: one without any was a picture that we did not see come in.
  if (said.length === 0) return results.length > 0 ? results : [{ ...PICTURE, id: `${id}:p` }];
  return [
    ...results,
    ...said.map((text, order): Block => {
      const isPasted = text.trimStart().startsWith(RECORD_OPENING);
      const author = isPasted || decidePromptAuthor(text) === "person" ? "person" : "host";
      return { kind: "text", id: order === 0 ? `${id}:p` : `${id}:p${order}`, text, author };
    }),
  ];
}
