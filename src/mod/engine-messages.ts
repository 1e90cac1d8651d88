import type { JsonObject } from "../core/json.ts";
import type { Block, Message } from "../core/message.ts";
import { isObject, listField, objectField, textField } from "../hosts/claude-code/json-fields.ts";
import { decidePromptAuthor } from "../hosts/claude-code/prompt-author.ts";
import { LEDGER_PREFIX } from "../layers/ledger/render-chunk.ts";
import { RECORD_OPENING } from "../session/compaction/record.ts";
import type { EngineMessage } from "./compaction-event.ts";

const STRETCH = "[LEDGER: ";

/**
 * The conversation that the engine hands over, as neutral messages: message `e3` is the fourth of the engine's. A record of
 * ours stands before the first answer, and only where there was a compaction; anywhere else somebody has pasted one.
 */
export function toMessages(messages: readonly EngineMessage[], hasRecord: boolean): readonly Message[] {
  const answered = messages.findIndex(({ role }) => role === "assistant");
  const record = hasRecord ? messages.findIndex(({ text }) => text.startsWith(RECORD_OPENING)) : -1;
  return messages.flatMap((message, index) => {
    if (index === record && (answered < 0 || index < answered)) return toStretches(message.text, index);
    const blocks = message.role === "assistant" ? toAnswer(message, index) : toArrivals(message, index);
    return [{ id: `e${index}`, role: message.role, blocks }];
  });
}

/** Where a neutral message came from; `undefined` for a stretch of ledger. */
export function indexOf({ id }: Message): number | undefined {
  const index = /^e(\d+)$/.exec(id)?.[1];
  return index === undefined ? undefined : Number(index);
}

/** The ledger behind an earlier record, stretch by stretch; the record itself is told anew. */
function toStretches(text: string, index: number): readonly Message[] {
  const from = text.indexOf(`\n${STRETCH}`);
  if (from < 0) return [];
  const end = text.lastIndexOf(`\n\n${CLOSING}`);
  const stretches = text.slice(from + 1, end > from ? end : undefined).split(`\n${STRETCH}`);
  return stretches.map((stretch, order) => {
    const id = `${LEDGER_PREFIX}${index}:${order}`;
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

function toAnswer({ raw, text }: EngineMessage, index: number): readonly Block[] {
  const said: readonly Block[] = text === "" ? [] : [{ kind: "text", id: `e${index}:t`, text, author: "model" }];
  const calls = listField(raw, "toolUses")
    .filter(isObject)
    .map((call): Block => {
      const callId = textField(call, "tool_use_id");
      const tool = textField(call, "tool");
      return { kind: "toolCall", id: `call:${callId}`, callId, tool, input: objectField(call, "input") ?? NO_INPUT };
    });
  return [...said, ...calls];
}

const NO_INPUT: JsonObject = {};

const PICTURE = { kind: "image", mediaType: "", encodedLength: 0, raw: {} } as const;

function toArrivals({ raw, text, resultTexts }: EngineMessage, index: number): readonly Block[] {
  const failed = new Set(
    listField(raw, "toolResults")
      .filter(isObject)
      .filter((result) => result.isError === true || result.is_error === true)
      .map((result) => textField(result, "tool_use_id")),
  );
  const results = resultTexts.map(
    (result): Block => ({
      kind: "toolResult",
      id: `result:${result.callId}`,
      callId: result.callId,
      parts: [{ kind: "text", text: result.text }],
      isError: failed.has(result.callId),
    }),
  );
  // The engine tells a prompt's words only: one without any was a picture.
  if (text === "") return results.length > 0 ? results : [{ ...PICTURE, id: `e${index}:p` }];
  const isPasted = text.trimStart().startsWith(RECORD_OPENING);
  const author = isPasted || decidePromptAuthor(text) === "person" ? "person" : "host";
  return [...results, { kind: "text", id: `e${index}:p`, text, author }];
}
