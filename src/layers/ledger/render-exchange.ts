import { textField } from "../../core/json-fields.ts";
import type { Block, ImageBlock, Message, TextBlock, ToolCallBlock, ToolResultBlock } from "../../core/message.ts";
import { foldCodeBlocks } from "../../fold/fold-code-block.ts";
import { findHandles } from "../../fold/marker.ts";
import { countLines, MEMBER_BUDGET } from "../../fold/thresholds.ts";
import { isMarker, renderLine } from "../history/markers.ts";
import { renderOriginal } from "../history/originals.ts";
import { describeCall, type LedgerStyle } from "./describe-call.ts";
import {
  renderCall,
  renderLineCount,
  renderSaid,
  renderShortened,
  renderShortenedBefore,
  renderWhole,
} from "./ledger-text.ts";
import { SHORT_WORDS_CHARACTERS } from "./thin-stretch.ts";

/** What is left of an exchange in the ledger, in its order. */
export type Piece =
  /** What the person or the host said, or an image they gave: the very same block. */
  | { readonly kind: "block"; readonly block: TextBlock | ImageBlock }
  /** Something in one line. With sections it gets a number by which they are fetched. */
  | { readonly kind: "line"; readonly text: string; readonly sections: readonly Section[] }
  /** A system message keeps its place and its weight. */
  | { readonly kind: "message"; readonly message: Message };

/** What a line stands for, word for word. `part` tells the sections of one line apart. */
export interface Section {
  readonly part: "" | "i";
  readonly text: string;
}

const MAX_RESULT_CHARACTERS = 120;
const MAX_ERROR_CHARACTERS = 160;
/** Reminders and attachments that are longer are fetched like results. */
const MAX_NOTE_CHARACTERS = 400;
const CLIPPED_NOTE_CHARACTERS = 80;

/** A line once written depends on its exchange alone, so it never changes. */
export function renderExchange(messages: readonly Message[], style: LedgerStyle): readonly Piece[] {
  const results = new Map<string, ToolResultBlock>();
  for (const block of messages.flatMap(({ blocks }) => blocks))
    if (block.kind === "toolResult" && !results.has(block.callId)) results.set(block.callId, block);
  const told = new Set<ToolResultBlock>();
  const renderAnswered = (call: ToolCallBlock): Piece => {
    const result = results.get(call.callId);
    if (!result || told.has(result)) return renderPair({ call, style });
    told.add(result);
    return renderPair({ call, result, style });
  };
  return messages.flatMap((message): readonly Piece[] => {
    if (message.role === "system") return [{ kind: "message", message }];
    return message.blocks.flatMap((block): readonly Piece[] => {
      if (block.kind === "toolCall") return [renderAnswered(block)];
      if (block.kind === "toolResult") return told.has(block) ? [] : [renderPair({ result: block, style })];
      return renderOther(block, style);
    });
  });
}

function renderOther(block: Block, { wordsCharacters }: LedgerStyle): readonly Piece[] {
  if (block.kind === "image") return [{ kind: "block", block }];
  if (block.kind !== "text") return [];
  const { text } = block;
  if (block.author === "model") return [renderWords(text, wordsCharacters)];
  if (block.author === "person" || text.length <= MAX_NOTE_CHARACTERS) return [{ kind: "block", block }];
  const note = renderShortened(renderLine(text, CLIPPED_NOTE_CHARACTERS), text.length);
  return [{ kind: "line", text: renderSaid("note", note), sections: [{ part: "", text }] }];
}

/** The model's words: short ones as they are, others on one line as far as there is room. */
function renderWords(text: string, wordsCharacters: number): Piece {
  const isShort = text.length <= SHORT_WORDS_CHARACTERS && !text.includes("\n");
  if (isShort) return { kind: "line", text: renderSaid("assistant", text), sections: [] };
  const { message, blocks } = foldCodeBlocks(text);
  // A block is shown by its outline, and what was said behind it has the room that it would have had alone.
  const line = renderLine(message, wordsCharacters + blocks * MEMBER_BUDGET);
  const isWhole = blocks === 0 && text.length <= wordsCharacters;
  const shown = isWhole ? line : renderShortened(line, text.length);
  return { kind: "line", text: renderSaid("assistant", shown), sections: [{ part: "", text }] };
}

interface Pair {
  readonly call?: ToolCallBlock;
  readonly result?: ToolResultBlock;
  readonly style: LedgerStyle;
}

function renderPair({ call, result, style }: Pair): Piece {
  const described = call && describeCall(call, style);
  const input: readonly Section[] = call ? [{ part: "i", text: JSON.stringify(call.input) }] : [];
  if (!result) return { kind: "line", text: renderCall(described?.text, "none"), sections: input };
  const original = renderOriginal(result) ?? "";
  const outcome = {
    failed: result.isError,
    text: renderResult(result, nameUnknown(result) ?? original, described?.isDeed === true),
  };
  const sections = [...input, { part: "", text: original } as const];
  return { kind: "line", text: renderCall(described?.text, outcome), sections };
}

/** A result with parts that nobody here understands, each by its kind and its name; `undefined` where there is none. */
function nameUnknown({ parts }: ToolResultBlock): string | undefined {
  if (!parts.some(({ kind }) => kind === "opaque")) return undefined;
  const named = parts.map((part) => {
    if (part.kind === "text") return part.text;
    if (part.kind === "image") return `[${part.mediaType}]`;
    const name = textField(part.raw, "tool_name") || textField(part.raw, "title");
    return `[${textField(part.raw, "type") || "unknown"}${name === "" ? "" : ` ${name}`}]`;
  });
  return named.join("\n");
}

/** What a door leaves in the place of a picture: its handle stays in sight. */
const PICTURE_NOTE = /\[(?:picture|document) plimsoll:[0-9a-f]{12}[^\]\n]*\]/g;

/** What is shown of a result; nothing where the call says it all. */
function renderResult({ isError }: ToolResultBlock, text: string, isDeed: boolean): string {
  const wasShortened = isMarker(text);
  const pictures = text.match(PICTURE_NOTE)?.join(" ") ?? "";
  if (isDeed && !isError && !wasShortened) return pictures;
  // What is shown may later grow thin.
  if (text.length <= MAX_RESULT_CHARACTERS) return renderWhole(text);
  // What was folded or cleared before is fetched by the handle it left. Its section is kept all the same: a result may only
  // look like a marker, and what is stored must not depend on the vocabulary.
  const [known] = wasShortened ? findHandles(text).slice(-1) : [];
  if (known !== undefined) return renderShortenedBefore(known);
  const shown = isError ? [renderLine(text, MAX_ERROR_CHARACTERS)] : [];
  return [...shown, renderLineCount(countLines(text)), ...(pictures === "" ? [] : [pictures])].join(" ");
}
