import { clipText } from "../../core/clip-text.ts";
import type { Block, Message, ToolCallBlock, ToolResultBlock } from "../../core/message.ts";
import { renderOriginal } from "../history/originals.ts";
import { describeCall, type LedgerStyle } from "./describe-call.ts";
import { foldPastes } from "./fold-paste.ts";
import { renderCall, renderSaid, renderShortened } from "./ledger-text.ts";
import type { Piece, Section } from "./piece.ts";
import { renderNote } from "./render-note.ts";
import { renderResult } from "./render-result.ts";
import { renderWords } from "./render-words.ts";

const MAX_TOLD_CHARACTERS = 40;

/** A line once written depends on its exchange alone, so it never changes; and what lies behind it not on the style. */
export function renderExchange(messages: readonly Message[], style: LedgerStyle): readonly Piece[] {
  const results = new Map<string, ToolResultBlock>();
  const blocks = messages.flatMap((message) => message.blocks);
  for (const block of blocks)
    if (block.kind === "toolResult" && !results.has(block.callId)) results.set(block.callId, block);
  const told = new Set<ToolResultBlock>();
  const renderAnswered = (call: ToolCallBlock): Piece => {
    const result = results.get(call.callId);
    if (!result || told.has(result)) return renderPair({ call, style });
    told.add(result);
    return renderPair({ call, result, style });
  };
  // Who calls nothing more has come to an end, and tells the person.
  const { wordsCharacters, answerCharacters } = style;
  const isAnswer = blocks.every(({ kind }) => kind !== "toolCall");
  const words = { isAnswer, room: isAnswer ? answerCharacters : wordsCharacters };
  return messages.flatMap((message): readonly Piece[] => {
    if (message.role === "system") return [{ kind: "message", message }];
    return message.blocks.flatMap((block): readonly Piece[] => {
      if (block.kind === "toolCall") return [renderAnswered(block)];
      if (block.kind === "toolResult") return told.has(block) ? [] : [renderPair({ result: block, style })];
      return renderOther(block, style, words);
    });
  });
}

function renderOther(block: Block, style: LedgerStyle, words: Parameters<typeof renderWords>[1]): readonly Piece[] {
  if (block.kind === "image") return [{ kind: "block", block }];
  if (block.kind !== "text") return [];
  const { text, author } = block;
  if (author === "model") return [renderWords(text, words)];
  if (author === "host") return [renderNote(text, style)];
  const shown = foldPastes(text);
  if (shown === text) return [{ kind: "block", block }];
  return [
    {
      kind: "line",
      text: renderSaid("person", renderShortened(shown, text.length)),
      sections: [{ part: "", text }],
    },
  ];
}

interface Pair {
  readonly call?: ToolCallBlock;
  readonly result?: ToolResultBlock;
  readonly style: LedgerStyle;
}

function renderPair({ call, result, style }: Pair): Piece {
  const described = call && describeCall(call, style);
  const input: readonly Section[] = call ? [{ part: "i", text: JSON.stringify(call.input) }] : [];
  const { path, tells = "look" } = described ?? {};
  const about = { kind: "line", path, isDeed: tells === "deed" } as const;
  if (!result) return { ...about, text: renderCall(described?.text, "none"), sections: input };
  const original = renderOriginal(result) ?? "";
  const sections = [...input, { part: "", text: original } as const];
  const outcome = renderResult(result, original, { tells, briefCharacters: style.briefCharacters });
  // A commit says itself what it is of.
  const isTold = tells === "landmark" && outcome.isLasting === true && outcome.text.startsWith("[");
  const what = isTold ? clipText(described?.text ?? "", MAX_TOLD_CHARACTERS) : described?.text;
  const text = renderCall(what, outcome);
  return { ...about, text, sections, ...(outcome.failed ? { failure: outcome.text } : {}) };
}
