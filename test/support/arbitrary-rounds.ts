import fc from "fast-check";
import { type RenderedMessage, renderAnswer } from "../api/render-answer.ts";
import { answer } from "../api/replies.ts";
import type { AnswerBlock } from "../api/scenario.ts";

export const RECALL = "plimsoll_recall";

type Piece = "text" | "cited" | "blank" | "thinking" | "recall" | "own";

const words = fc.string({ unit: "binary", maxLength: 60 }).map((text) => `a ${text.replaceAll("\r", " ")} z`);

function toBlock(piece: Piece, text: string): AnswerBlock {
  if (piece === "text") return { type: "text", text };
  if (piece === "cited") return { type: "text", text, citations: [{ cited_text: text }, { cited_text: "the log" }] };
  if (piece === "blank") return { type: "text", text: " \n" };
  if (piece === "thinking")
    return { type: "thinking", thinking: text, signature: Buffer.from(text).toString("base64") };
  return {
    type: "tool_use",
    name: piece === "recall" ? RECALL : "bash",
    input: { handle: text, n: [1, { deep: text }] },
  };
}

const blocks = (pieces: readonly Piece[], most: number): fc.Arbitrary<readonly AnswerBlock[]> =>
  fc
    .array(fc.tuple(fc.constantFrom(...pieces), words), { maxLength: most })
    .map((all) => all.map(([piece, text]) => toBlock(piece, text)));

const recall = words.map((text) => toBlock("recall", text));

/** A round in which something is asked back, and nothing else is called. */
const asking = fc
  .tuple(blocks(["text", "cited", "blank", "thinking", "recall"], 4), recall, blocks(["text", "recall"], 2))
  .map(([before, one, after]) => [...before, one, ...after]);

/** The last one: words, or calls of the client's own, with or without something asked back next to them. */
const ending = fc.tuple(blocks(["text", "cited", "thinking", "own", "recall"], 4), words).map(([before, text]) => {
  const hasOwn = before.some((block) => block.type === "tool_use" && block.name !== RECALL);
  const kept = before.filter((block) => hasOwn || block.type !== "tool_use");
  return [...kept, toBlock("text", text)];
});

/** The answers of an upstream to one request of a client, each as the API gives it. */
export const arbitraryRounds: fc.Arbitrary<readonly RenderedMessage[]> = fc
  .tuple(fc.array(asking, { maxLength: 3 }), ending, fc.uuid())
  .map(([before, last, id]) =>
    [...before, last].map((content, index) =>
      renderAnswer(answer(...content), {
        model: "claude-sonnet-4-6",
        label: `${id}_${index}`,
        scale: 1,
        usage: {
          input_tokens: index + 1,
          cache_creation_input_tokens: 10,
          cache_read_input_tokens: 100,
          output_tokens: 0,
          cache_creation: { ephemeral_5m_input_tokens: 4, ephemeral_1h_input_tokens: 6 },
        },
      }),
    ),
  );
