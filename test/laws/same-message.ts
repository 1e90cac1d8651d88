import { blocksOf, isRecord, type Message } from "../api/messages-body.ts";

/** How many messages two requests begin with alike; where a breakpoint stands does not count. */
export function countShared(before: readonly Message[], now: readonly Message[]): number {
  let shared = 0;
  while (shared < before.length && shared < now.length && isSameMessage(before[shared], now[shared])) shared++;
  return shared;
}

/** Compared in place: hashing half a megabyte for each of a thousand requests would take most of the time. */
function isSameMessage(one: Message | undefined, other: Message | undefined): boolean {
  if (!one || !other || one.role !== other.role) return false;
  return isSame(blocksOf(one.content), blocksOf(other.content));
}

function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((entry, at) => isSame(entry, other[at]));
  if (!isRecord(one) || !isRecord(other)) return false;
  const fields = Object.keys(one).filter((field) => field !== "cache_control");
  const others = Object.keys(other).filter((field) => field !== "cache_control");
  return fields.length === others.length && fields.every((field) => isSame(one[field], other[field]));
}
