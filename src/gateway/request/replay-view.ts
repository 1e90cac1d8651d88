import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit } from "../../core/edit.ts";
import type { Message } from "../../core/message.ts";

/** A conversation with the decisions about it carried out. */
export interface ReplayedView {
  readonly messages: readonly Message[];
  readonly view: readonly Message[];
  readonly decisions: readonly Edit[];
}

/** The last request of the same conversation, and how many of its messages are still the same objects. */
export interface EarlierView extends ReplayedView {
  readonly kept: number;
}

/**
 * The same as carrying out all decisions on all messages, in the time that the new messages take: what was made of the
 * beginning stays as it is. Where a decision reaches across the place from which messages are new, all is done anew.
 */
export function replayView(
  messages: readonly Message[],
  decisions: readonly Edit[],
  earlier?: EarlierView,
): ReplayedView {
  if (decisions.length === 0) return { messages, decisions, view: messages };
  const view = earlier ? continueView(messages, decisions, earlier) : undefined;
  return { messages, decisions, view: view ?? applyEdits(messages, decisions).messages };
}

function continueView(
  messages: readonly Message[],
  decisions: readonly Edit[],
  earlier: EarlierView,
): readonly Message[] | undefined {
  const { kept } = earlier;
  // What another instance has decided since may be about any place.
  if (kept === 0 || decisions !== earlier.decisions) return undefined;
  const tail = messages.slice(kept);
  const dropped = earlier.messages.slice(kept);
  const ids = new Set([...tail, ...dropped].flatMap(({ id, blocks }) => [id, ...blocks.map((block) => block.id)]));
  const ofTail: Edit[] = [];
  for (const edit of decisions) {
    if (edit.kind === "replaceBlock") {
      if (ids.has(edit.block)) ofTail.push(edit);
    } else if (ids.has(edit.first) || ids.has(edit.last)) return undefined;
  }
  let end = earlier.view.length;
  while (end > 0 && ids.has(earlier.view[end - 1]?.id ?? "")) end--;
  const beginning = earlier.view.slice(0, end);
  const made = applyEdits(tail, ofTail).messages;
  const isPlain = made === tail && beginning.every((message, index) => message === messages[index]);
  return isPlain && beginning.length === kept ? messages : [...beginning, ...made];
}
