import { type Block, renderResultText } from "../../core/message.ts";
import type { Recording, Step } from "../../measure/recording.ts";
import { estimateBlockTokens, tokenizerOf } from "../../models/tokens.ts";
import type { RequestBlock, RequestContents, ShownOriginal } from "./wire.ts";

const START_CHARACTERS = 240;
/** More of one text nobody reads on a page, and a browser lays it out for seconds. */
const MOST_CHARACTERS = 200_000;

/** What one request carried anew, and what was answered. `undefined` where there is no such request. */
export function describeRequest({ steps }: Recording, request: number): RequestContents | undefined {
  const step = steps[request - 1];
  if (!step) return undefined;
  const tokenizer = tokenizerOf(step.model);
  return {
    request,
    blocks: listBlocks(step).map(({ direction, label, block }, index): RequestBlock => {
      const text = textOf(block);
      const tokens = Math.round(estimateBlockTokens(block, tokenizer));
      return { index, direction, label, characters: text.length, tokens, start: text.slice(0, START_CHARACTERS) };
    }),
  };
}

/** One block's whole text, as far as a page can show it. */
export function describeBlock({ steps }: Recording, request: number, index: number): ShownOriginal | undefined {
  const step = steps[request - 1];
  const found = step && listBlocks(step)[index];
  return found && describeOriginal(found.label, textOf(found.block));
}

export function describeOriginal(label: string, text: string): ShownOriginal {
  return { label, text: text.slice(0, MOST_CHARACTERS), characters: text.length };
}

interface LabelledBlock extends Pick<RequestBlock, "direction" | "label"> {
  readonly block: Block;
}

function listBlocks({ arrivals, outputs }: Step): readonly LabelledBlock[] {
  return [
    ...arrivals.map(({ source, label, block }): LabelledBlock => {
      return { direction: "sent", label: source === "toolResult" ? `${label} result` : label, block };
    }),
    ...outputs.map((block): LabelledBlock => ({ direction: "answered", label: nameOutput(block), block })),
  ];
}

function nameOutput(block: Block): string {
  return block.kind === "toolCall" ? `${block.tool} call` : block.kind;
}

function textOf(block: Block): string {
  switch (block.kind) {
    case "text":
    case "thinking":
      return block.text;
    case "toolCall":
      return JSON.stringify(block.input, null, 2);
    case "toolResult":
      return renderResultText(block) || `(${block.parts.map(({ kind }) => kind).join(", ") || "empty"})`;
    case "image":
      return `(an image, ${block.mediaType})`;
    case "opaque":
      return JSON.stringify(block.raw, null, 2);
  }
}
