import type { Message } from "../../core/message.ts";
import { LEDGER_PREFIX } from "../../layers/ledger/render-chunk.ts";

const STRETCH = "[LEDGER: ";

/** The ledger behind an earlier record, stretch by stretch; the record itself is written anew. */
export function toStretches(text: string): readonly Message[] {
  const from = text.indexOf(`\n${STRETCH}`);
  if (from < 0) return [];
  const end = text.lastIndexOf(`\n\n${CLOSING}`);
  const stretches = text.slice(from + 1, end > from ? end : undefined).split(`\n${STRETCH}`);
  return stretches.map((stretch, order) => {
    const id = `${LEDGER_PREFIX}record:${order}`;
    const whole = order === 0 ? stretch : STRETCH + stretch;
    return { id, role: "user", blocks: [{ kind: "text", id: `${id}:0`, text: whole, author: "host" }] };
  });
}

/** Stands between the ledger and what was said last. */
export const CLOSING = "What was said last follows word for word. Go on from there.";

/** What stands before the ledger: no line of it is taken for a stretch. */
export function setIn(text: string): string {
  return text.replaceAll(/^\[LEDGER: /gm, ` ${STRETCH}`);
}

/** Stretches as one text; a picture between them has no words. */
export function renderStretches(messages: readonly Message[]): string {
  const blocks = messages.flatMap((message) => message.blocks);
  return blocks.map((block) => (block.kind === "text" ? block.text : "person: (a picture)")).join("\n");
}
