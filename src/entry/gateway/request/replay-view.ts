import { applyEdits } from "../../../core/apply-edits.ts";
import type { Edit, KeptEdit } from "../../../core/edit.ts";
import type { Message } from "../../../core/message.ts";
import { sha256 } from "../../../files/native-sha256.ts";
import { nameHandle } from "../../../fold/marker.ts";

export interface ReplayedView {
  readonly messages: readonly Message[];
  readonly view: readonly Message[];
  readonly decisions: readonly KeptEdit[];
  /** Decisions that were not applied, because what they replaced has changed. */
  readonly dropped: readonly Edit[];
  /** All decisions that were not applied in this request, whatever the reason: they removed nothing from it. */
  readonly refused: ReadonlySet<Edit>;
}

/** The decisions of this very run, which follow an answer that the model gave here. Returns the identical list if all do. */
export function selectOwn(decisions: readonly KeptEdit[], answers: readonly string[] | undefined): readonly KeptEdit[] {
  if (!answers) return decisions;
  const given = new Set(["", ...answers]);
  const own = decisions.filter(({ after = "" }) => given.has(after));
  return own.length === decisions.length ? decisions : own;
}

/** The full hashes of what was removed from this very request, or the handle where an older decision has none. Nothing else may be fetched in it. */
export function listLeft({ decisions, refused }: Pick<ReplayedView, "decisions" | "refused">): readonly string[] {
  const left = new Set<string>();
  const carriedOut = decisions.filter((decision) => !refused.has(decision));
  for (const { originals = [] } of carriedOut) for (const hash of originals) left.add(hash);
  const named = new Set([...left].map(nameHandle));
  for (const handle of carriedOut.flatMap(({ handles }) => handles)) if (!named.has(handle)) left.add(handle);
  return [...left];
}

/**
 * Gives the same as applying all decisions to all messages, in the time that the new messages take: `earlier` is the view of the
 * conversation's last request, and its beginning is reused. If a decision reaches across the first new message, everything is computed again.
 */
export function replayView(
  messages: readonly Message[],
  decisions: readonly KeptEdit[],
  earlier?: ReplayedView,
): ReplayedView {
  if (decisions.length === 0) return { messages, decisions, view: messages, dropped: [], refused: new Set() };
  const made = (earlier && continueView(messages, decisions, earlier)) ?? carryOut(messages, decisions);
  return { messages, decisions, ...made };
}

type Made = Pick<ReplayedView, "view" | "dropped" | "refused">;

function carryOut(messages: readonly Message[], decisions: readonly Edit[]): Made {
  const { messages: view, refused } = applyEdits(messages, decisions, sha256);
  const dropped = refused.flatMap(({ edit, why }) => (why === "targetDiffers" ? [edit] : []));
  return { view, dropped, refused: new Set(refused.map(({ edit }) => edit)) };
}

function continueView(
  messages: readonly Message[],
  decisions: readonly Edit[],
  earlier: ReplayedView,
): Made | undefined {
  // Decisions that another instance has made since may be about any place.
  if (decisions !== earlier.decisions) return undefined;
  const tail = findTail(messages, decisions, earlier);
  if (!tail) return undefined;
  let end = earlier.view.length;
  while (end > 0 && tail.ids.has(earlier.view[end - 1]?.id ?? "")) end--;
  const beginning = earlier.view.slice(0, end);
  const { view: made, dropped, refused } = carryOut(tail.messages, [...tail.edits]);
  const isPlain = made === tail.messages && beginning.every((message, index) => message === messages[index]);
  return {
    view: isPlain && beginning.length === tail.from ? messages : [...beginning, ...made],
    dropped: [...earlier.dropped.filter((edit) => !tail.edits.has(edit)), ...dropped],
    refused: new Set([...[...earlier.refused].filter((edit) => !tail.edits.has(edit)), ...refused]),
  };
}

/** The new messages, and as many before them as their decisions depend on, such as the call of a result. `undefined` if a span reaches into them. */
function findTail(messages: readonly Message[], decisions: readonly Edit[], earlier: ReplayedView) {
  let from = 0;
  while (from < messages.length && messages[from] === earlier.messages[from]) from++;
  while (from > 0) {
    const tail = messages.slice(from);
    const ids = new Set([...tail, ...earlier.messages.slice(from)].flatMap(listIds));
    const edits = new Set<Edit>();
    const missing = new Set<string>();
    for (const edit of decisions) {
      const places = edit.kind === "replaceBlock" ? [edit.block, ...(edit.restsOn ?? [])] : [edit.first, edit.last];
      if (!places.some((id) => ids.has(id))) continue;
      if (edit.kind !== "replaceBlock") return undefined;
      edits.add(edit);
      for (const id of places) if (!ids.has(id)) missing.add(id);
    }
    const first = missing.size === 0 ? -1 : messages.slice(0, from).findIndex((message) => holds(message, missing));
    if (first < 0) return { from, messages: tail, ids, edits };
    from = first;
  }
  return undefined;
}

function listIds({ id, blocks }: Message): readonly string[] {
  return [id, ...blocks.map((block) => block.id)];
}

function holds({ blocks }: Message, ids: ReadonlySet<string>): boolean {
  return blocks.some(({ id }) => ids.has(id));
}
