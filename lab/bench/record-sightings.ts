/** Where every name of a session was seen, and whether a record's handles lead there. */
import type { SessionEvent } from "../../src/core/event.ts";
import { renderResultText } from "../../src/core/message.ts";
import { findCall } from "../../src/survive/record/call-handle.ts";
import { collectStrings } from "../../src/survive/record/collect-strings.ts";
import { findTerms } from "../../src/survive/record/find-terms.ts";
import type { CallNote } from "../../src/survive/record/trail.ts";

/** A request, and the call in it where there was one. */
export interface Sighting {
  readonly request: number;
  readonly callId: string;
}

/** The last time each name was seen. */
export type Sightings = ReadonlyMap<string, Sighting>;

export interface Watch {
  note(event: SessionEvent): void;
  /** As they are now; what comes later changes nothing in it. */
  sightings(): Sightings;
}

export function createWatch(): Watch {
  const last = new Map<string, Sighting>();
  let request = 0;
  let step = "";
  const see = (text: string, sighting: Sighting): void => {
    for (const term of findTerms(text)) last.set(term, sighting);
  };
  return {
    note(event) {
      if (event.kind === "output") {
        if (event.stepId !== step) request++;
        step = event.stepId;
        for (const block of event.blocks) {
          if (block.kind === "text") see(block.text, { request, callId: "" });
          if (block.kind === "toolCall")
            for (const text of collectStrings(block.input)) see(text, { request, callId: block.callId });
        }
      }
      if (event.kind !== "arrival") return;
      const { block } = event;
      if (block.kind === "toolResult") see(renderResultText(block), { request, callId: block.callId });
      if (block.kind === "text") see(block.text, { request, callId: "" });
    },
    sightings: () => new Map(last),
  };
}

/** Read off the text alone, as a reader would: a line of the call itself, or a stretch of calls or requests around it. */
export function isRecoverable(record: string, calls: readonly CallNote[], sighting: Sighting | undefined): boolean {
  if (!sighting) return false;
  const order = new Map(calls.map(({ callId }, index) => [callId, index]));
  const resolve = (handle: string | undefined): number => order.get(findCall(calls, handle ?? "")?.callId ?? "") ?? -1;
  const at = order.get(sighting.callId);
  const stretches = [...record.matchAll(/^r(\d+)-r(\d+): .* (call:\S+?)\.\.(call:\S+)$/gm)];
  const singles = [...record.matchAll(/^r(\d+) .* (call:\S+)$/gm)];
  if (at !== undefined) {
    return (
      singles.some(([, , handle]) => resolve(handle) === at) ||
      stretches.some(([, , , from, to]) => resolve(from) <= at && at <= resolve(to) && resolve(from) >= 0)
    );
  }
  const requests = [
    ...stretches.flatMap(([, from, to]) => [Number(from), Number(to)]),
    ...singles.map(([, request]) => Number(request)),
  ];
  const [, told] = record.match(/Requests 1 to (\d+)/) ?? [];
  return requests.length > 0 && sighting.request <= Math.max(...requests, Number(told ?? 0));
}
