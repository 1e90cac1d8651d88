import { applyEdits } from "../../core/apply-edits.ts";
import type { Edit, ReplaceSpan } from "../../core/edit.ts";
import type { Message } from "../../core/message.ts";
import { renderChunkOriginal, takeOriginal } from "../ledger/render-chunk.ts";
import { type Hash, type NamedOriginal, nameBlock, nameWhole, renderSpan, renderThoughts } from "./originals.ts";

/** Every original that the edits name, found in the conversation they apply to, but for handles of earlier edits: those were stored then. */
export function listOriginals(
  edits: readonly Edit[],
  messages: readonly Message[],
  hash?: Hash,
): readonly NamedOriginal[] {
  const found = new Map<string, NamedOriginal>();
  let current = messages;
  let applied = 0;
  // Only an original that has to be looked for needs the conversation as the edits before it left it.
  const leaveAt = (index: number): readonly Message[] => {
    current = applyEdits(current, edits.slice(applied, index)).messages;
    applied = index;
    return current;
  };
  for (let index = 0; index < edits.length; ) {
    const edit = edits[index];
    if (!edit) break;
    const from = index++;
    if (edit.kind === "replaceSpan") collectFromSpan(edit, () => leaveAt(from), { found, hash });
    else {
      while (edits[index]?.kind === "replaceBlock") index++;
      collectFromBlocks(edits.slice(from, index), leaveAt(from), { found, hash });
    }
  }
  return [...found.values()];
}

interface Search {
  /** By full hash, so that two originals with the same handle are both kept. */
  readonly found: Map<string, NamedOriginal>;
  readonly hash: Hash | undefined;
}

function collectFromBlocks(edits: readonly Edit[], messages: readonly Message[], { found, hash }: Search): void {
  const handles = new Map(edits.map((edit) => [edit.kind === "replaceBlock" ? edit.block : "", edit.handles]));
  for (const { blocks } of messages) {
    for (const block of blocks) {
      const wanted = handles.get(block.id);
      const original = wanted && nameBlock(block, hash);
      if (original && wanted.includes(original.handle)) found.set(original.hash, original);
    }
  }
}

function collectFromSpan(edit: ReplaceSpan, find: () => readonly Message[], { found, hash }: Search): void {
  const known = new Set([...found.values()].map(({ handle }) => handle));
  const wanted = new Set(edit.handles.filter((handle) => !known.has(handle)));
  const keep = (original: NamedOriginal): void => {
    if (wanted.delete(original.handle)) found.set(original.hash, original);
  };
  // Most spans become a ledger, whose originals are one text; hashing every block first would take most of the time.
  const made = wanted.size > 0 ? takeOriginal(edit) : undefined;
  if (made) keep(made);
  if (wanted.size === 0) return;
  const messages = find();
  const first = messages.findIndex(({ id }) => id === edit.first);
  const last = messages.findIndex(({ id }) => id === edit.last);
  if (first < 0 || last < first) return;
  const span = messages.slice(first, last + 1);
  const take = (text: string): void => keep(nameWhole(text, hash));
  const rendered = made ? undefined : renderChunkOriginal(span);
  if (rendered !== undefined) take(rendered);
  if (wanted.size > 0) take(renderThoughts(span));
  for (const block of span.flatMap(({ blocks }) => blocks)) {
    if (wanted.size === 0) return;
    const original = nameBlock(block, hash);
    if (original) keep(original);
  }
  if (wanted.size > 0) take(renderSpan(span));
}
