import { applyEdits } from "../../../src/core/apply-edits.ts";
import type { Edit, ReplaceBlock, ReplaceSpan } from "../../../src/core/edit.ts";
import type { Message } from "../../../src/core/message.ts";
import { replaceBlock, replaceSpan } from "../../../src/core/propose-edit.ts";

export interface Wanted {
  /** New texts of blocks, by block. */
  readonly texts: ReadonlyMap<string, { readonly text: string; readonly handles: readonly string[] }>;
  readonly dropped: ReadonlySet<string>;
  /** What stands in front of the rest. */
  readonly summary?: Message;
}

/** The edits that make a view what a peer would have sent, whatever stands in it: a peer clears what we would not touch. */
export function planEdits(messages: readonly Message[], wanted: Wanted, by: string): readonly Edit[] {
  const replaced = [...planReplacements(messages, wanted, by)];
  const current = replaced.length === 0 ? messages : applyEdits(messages, replaced, undefined, "mayGo").messages;
  return wanted.dropped.size === 0 && !wanted.summary ? replaced : [...replaced, ...planSpans(current, wanted, by)];
}

function* planReplacements(messages: readonly Message[], { texts }: Wanted, by: string): Generator<ReplaceBlock> {
  if (texts.size === 0) return;
  for (const block of messages.flatMap((message) => message.blocks)) {
    const next = texts.get(block.id);
    if (!next || block.kind !== "toolResult") continue;
    const [only] = block.parts;
    if (block.parts.length === 1 && only?.kind === "text" && only.text === next.text) continue;
    yield replaceBlock(block, { content: { text: next.text }, by, reason: "cleared", handles: next.handles });
  }
}

/** One edit for each segment that changes; segments end where no call waits for its result, so that pairs go together. */
function planSpans(messages: readonly Message[], { dropped, summary }: Wanted, by: string): readonly ReplaceSpan[] {
  const edits: ReplaceSpan[] = [];
  let open: { readonly span: Message[]; readonly messages: Message[] } | undefined;
  const close = (): void => {
    if (open) edits.push(replaceSpan(open.span, { messages: open.messages, by, reason: "dropped", handles: [] }));
    open = undefined;
  };
  for (const segment of splitSegments(messages)) {
    const next = segment.flatMap((message) => keep(message, dropped));
    const isSame = next.length === segment.length && next.every((message, index) => message === segment[index]);
    if (isSame) {
      close();
      continue;
    }
    open ??= { span: [], messages: edits.length === 0 && summary ? [summary] : [] };
    open.span.push(...segment);
    open.messages.push(...next);
  }
  close();
  return edits;
}

function splitSegments(messages: readonly Message[]): readonly (readonly Message[])[] {
  const answeredAt = new Map<string, number>();
  for (const [index, { blocks }] of messages.entries()) {
    for (const block of blocks) if (block.kind === "toolResult") answeredAt.set(block.callId, index);
  }
  const segments: Message[][] = [];
  let reach = -1;
  for (const [index, message] of messages.entries()) {
    if (index > reach) segments.push([]);
    segments.at(-1)?.push(message);
    for (const block of message.blocks) {
      if (block.kind === "toolCall") reach = Math.max(reach, answeredAt.get(block.callId) ?? index);
    }
  }
  return segments;
}

function keep(message: Message, dropped: ReadonlySet<string>): readonly Message[] {
  const blocks = message.blocks.filter(({ id }) => !dropped.has(id));
  if (blocks.length === message.blocks.length) return [message];
  if (blocks.length === 0) return [];
  // Thinking leaves with its message only, so a message that lost some is another one.
  const losesThinking = message.blocks.some(({ id, kind }) => kind === "thinking" && dropped.has(id));
  return [{ ...message, id: losesThinking ? `${message.id}~` : message.id, blocks }];
}
