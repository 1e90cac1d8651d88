import { clipLine } from "../../core/clip-text.ts";
import type { Notation } from "./record-work.ts";
import type { Section } from "./section.ts";
import type { CallNote } from "./trail.ts";

const HEADING = "## Calls (request, tool, subject, characters of the result, handle)";
/** Calls without a line of their own are told in so many stretches. */
const STRETCHES = 6;

/** A handle to everything: the newest calls in a line each, all older ones in stretches. Nothing is without one. */
export function createCallSection(calls: readonly CallNote[], notation: Notation): Section {
  const newestFirst = [...calls].reverse();
  const render = (count: number): string => {
    const single = newestFirst.slice(0, count).reverse();
    const older = calls.slice(0, calls.length - single.length);
    const size = Math.ceil(older.length / (count === 0 ? 1 : STRETCHES));
    const stretches: string[] = [];
    for (let from = 0; from < older.length; from += size)
      stretches.push(renderStretch(older.slice(from, from + size), notation));
    return [HEADING, ...stretches, ...single.map((call) => renderCall(call, notation))].join("\n");
  };
  return { name: "calls", items: calls.length, share: 0.06, most: 0.3, render };
}

function renderCall({ callId, request, tool, subject, characters, outcome }: CallNote, notation: Notation): string {
  const size = outcome === "waiting" ? "no result" : `${outcome === "failed" ? "failed " : ""}${characters}`;
  return `r${request} ${clipLine(tool, 40)} ${notation.shorten(clipLine(subject, 70))} ${size} ${notation.handle(callId)}`;
}

function renderStretch(calls: readonly CallNote[], { handle }: Notation): string {
  const [first, last] = [calls[0], calls.at(-1)];
  if (!first || !last) return "";
  const tools = new Map<string, number>();
  for (const { tool } of calls) tools.set(tool, (tools.get(tool) ?? 0) + 1);
  const most = [...tools].sort(([, left], [, right]) => right - left).slice(0, 3);
  const kinds = most.map(([tool, count]) => `${count} ${clipLine(tool, 40)}`).join(", ");
  return `r${first.request}-r${last.request}: ${calls.length} calls (${kinds}) ${handle(first.callId)}..${handle(last.callId)}`;
}
