import { createHandles, findCall } from "../record/call-handle.ts";
import type { CallNote } from "../record/trail.ts";

/** `call:a..call:b`, as the record writes where it had no room: the calls in between, a line each. */
export function listStretch(calls: readonly CallNote[], handle: string): string | undefined {
  const [first, last] = handle.split("..").map((end) => findCall(calls, end));
  if (!first || !last) return undefined;
  const name = createHandles(calls);
  const ends = [calls.indexOf(first), calls.indexOf(last)];
  const between = calls.slice(Math.min(...ends), Math.max(...ends) + 1);
  return between
    .map((call) => `r${call.request} ${call.tool} ${call.subject} ${call.characters} ${name(call.callId)}`)
    .join("\n");
}
