import type { CallNote } from "./trail.ts";

const SHORTEST_HANDLE = 6;

/**
 * Ids of calls cut to the shortest end that still tells them apart, as one does with commits: an id whole costs as much as
 * the rest of its line. Search the transcript for the end of the id, or resolve it with `findCall`.
 */
export function createHandles(calls: readonly CallNote[]): (callId: string) => string {
  let length = SHORTEST_HANDLE;
  const longest = calls.reduce((most, { callId }) => Math.max(most, callId.length), 0);
  const ids = new Set(calls.map(({ callId }) => callId));
  while (length < longest && new Set([...ids].map((id) => id.slice(-length))).size < ids.size) length++;
  return (callId) => `call:${callId.slice(-length)}`;
}

/** The call that a handle names, whole id or end of it; nothing where none or more than one would fit. */
export function findCall(calls: readonly CallNote[], handle: string): CallNote | undefined {
  const end = handle.replace(/^call:/, "");
  const found = calls.filter(({ callId }) => callId.endsWith(end));
  const ids = new Set(found.map(({ callId }) => callId));
  return end !== "" && ids.size === 1 ? found[0] : undefined;
}
