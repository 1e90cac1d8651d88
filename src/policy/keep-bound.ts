import type { Edit } from "../core/edit.ts";
import type { Message } from "../core/message.ts";
import { findModel } from "../models/find-model.ts";

/** The edits that leave every message before this one as it is. */
export function keepBound(edits: readonly Edit[], messages: readonly Message[], boundTo = 0): readonly Edit[] {
  if (boundTo <= 0) return edits;
  const places = new Map(
    messages.flatMap(({ id, blocks }, index) => [
      [id, index] as const,
      ...blocks.map((block) => [block.id, index] as const),
    ]),
  );
  const placeOf = (edit: Edit): number => places.get(edit.kind === "replaceBlock" ? edit.block : edit.last) ?? boundTo;
  return edits.filter((edit) => placeOf(edit) >= boundTo);
}

/** Some models tie their thinking to everything before it: the message up to which nothing may change. */
export function findBound(messages: readonly Message[], model: string): number {
  return findModel(model).bindsThinking ? findLastThinking(messages) : 0;
}

/** The same of a model that does, whatever the table says of it. */
export function findLastThinking(messages: readonly Message[]): number {
  return messages.findLastIndex(({ blocks }) => blocks.some(({ kind }) => kind === "thinking"));
}
