import type { Block, ImageBlock, Message, TextBlock, ToolCallBlock, ToolResultBlock } from "../../core/message.ts";
import { findHandles } from "../../fold/marker.ts";
import { countLines } from "../../fold/thresholds.ts";
import { isMarker, renderLine } from "../history/markers.ts";
import { type Hash, nameOriginal, renderOriginal } from "../history/originals.ts";

/** What is left of an exchange in the ledger, in its order. */
export type Piece =
  /** What the person or the host said, or an image they gave: the very same block. */
  | { readonly kind: "block"; readonly block: TextBlock | ImageBlock }
  /** What the model said, word for word, or a call in one line. */
  | { readonly kind: "line"; readonly text: string; readonly handles: readonly string[] }
  /** A system message keeps its place and its weight. */
  | { readonly kind: "message"; readonly message: Message };

const MAX_INPUT_CHARACTERS = 160;
const MAX_RESULT_CHARACTERS = 120;
const MAX_ERROR_CHARACTERS = 200;

/** A line once written depends on its exchange alone, so it never changes. */
export function renderExchange(messages: readonly Message[], hash?: Hash): readonly Piece[] {
  const results = new Map<string, ToolResultBlock>();
  for (const block of messages.flatMap(({ blocks }) => blocks))
    if (block.kind === "toolResult" && !results.has(block.callId)) results.set(block.callId, block);
  const told = new Set<ToolResultBlock>();
  const renderCall = (call: ToolCallBlock): Piece => {
    const result = results.get(call.callId);
    if (!result || told.has(result)) return renderPair({ call, hash });
    told.add(result);
    return renderPair({ call, result, hash });
  };
  return messages.flatMap((message): readonly Piece[] => {
    if (message.role === "system") return [{ kind: "message", message }];
    return message.blocks.flatMap((block): readonly Piece[] => {
      if (block.kind === "toolCall") return [renderCall(block)];
      if (block.kind === "toolResult") return told.has(block) ? [] : [renderPair({ result: block, hash })];
      return renderSaid(block);
    });
  });
}

function renderSaid(block: Block): readonly Piece[] {
  if (block.kind === "image") return [{ kind: "block", block }];
  if (block.kind !== "text") return [];
  if (block.author !== "model") return [{ kind: "block", block }];
  return [{ kind: "line", text: `assistant: ${block.text}`, handles: [] }];
}

interface Pair {
  readonly call?: ToolCallBlock;
  readonly result?: ToolResultBlock;
  readonly hash: Hash | undefined;
}

function renderPair({ call, result, hash }: Pair): Piece {
  const input = call ? renderInput(call, hash) : { text: "a result whose call is missing", handles: [] };
  const output = result ? renderResult(result, hash) : { text: "no result", handles: [] };
  return { kind: "line", text: `- ${input.text} → ${output.text}`, handles: [...input.handles, ...output.handles] };
}

interface Rendered {
  readonly text: string;
  readonly handles: readonly string[];
}

function renderInput({ tool, input }: ToolCallBlock, hash: Hash | undefined): Rendered {
  const json = JSON.stringify(input);
  if (json.length <= MAX_INPUT_CHARACTERS) return { text: `${tool} ${json}`, handles: [] };
  const handle = nameOriginal(json, hash);
  return {
    text: `${tool} ${renderLine(json, MAX_INPUT_CHARACTERS)} (${json.length} chars, ${handle})`,
    handles: [handle],
  };
}

function renderResult(result: ToolResultBlock, hash: Hash | undefined): Rendered {
  const text = renderOriginal(result) ?? "";
  const failed = result.isError ? "failed: " : "";
  // One line stays one line: several are quoted with their line feeds.
  if (text.length <= MAX_RESULT_CHARACTERS)
    return { text: `${failed}${text.includes("\n") ? JSON.stringify(text) : text}`, handles: [] };
  // What was folded or cleared before is fetched by the handle it left, not by a handle to the preview.
  const known = isMarker(text) ? findHandles(text).slice(-1) : [];
  const [handle = nameOriginal(text, hash)] = known;
  const size = known.length > 0 ? "shortened before" : `${countLines(text)} lines, ${text.length} chars`;
  const shown = result.isError ? `${renderLine(text, MAX_ERROR_CHARACTERS)} (` : "(";
  return { text: `${failed}${shown}${size}, ${handle})`, handles: [handle] };
}
