import type { Edit } from "../../core/edit.ts";

/**
 * For how many requests each declined edit has been carried since it was first proposed. This decides if the length of the session is
 * unknown (`docs/research/economics.md`, the bound). Plain data, kept by the entry point from request to request.
 */
export type Waiting = Readonly<Record<string, number>>;

export const nobodyWaits: Waiting = {};

/** The same edit has the same key in every request, whatever its replacement. */
export function keyOfEdit(edit: Edit): string {
  return edit.kind === "replaceBlock" ? `block ${edit.block}` : `span ${edit.first} ${edit.last}`;
}

export function countWaited(waiting: Waiting, key: string): number {
  return Object.hasOwn(waiting, key) ? (waiting[key] ?? 0) : 0;
}
