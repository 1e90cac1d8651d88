import type { Message } from "../../core/message.ts";
import { renderSaid, splitStretches } from "./ledger-text.ts";
import { LEDGER_PREFIX } from "./render-chunk.ts";

/** The ledger behind an earlier record, stretch by stretch; the record itself is written anew. */
export function toStretches(text: string): readonly Message[] {
  return splitStretches(text).map((stretch, order) => {
    const id = `${LEDGER_PREFIX}record:${order}`;
    const [whole = ""] = stretch.split(`\n\n${CLOSING}`, 1);
    return { id, role: "user", blocks: [{ kind: "text", id: `${id}:0`, text: whole, author: "host" }] };
  });
}

/** Stands between the ledger and what was said last. */
export const CLOSING = "What was said last follows word for word. Go on from there.";

/** Stretches as one text; a picture between them has no words. */
export function renderStretches(messages: readonly Message[]): string {
  const blocks = messages.flatMap((message) => message.blocks);
  return blocks.map((block) => (block.kind === "text" ? block.text : renderSaid("person", "(a picture)"))).join("\n");
}
