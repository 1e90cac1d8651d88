import { clipLine } from "../../core/clip-text.ts";
import type { OpenWork } from "../../session/open-work.ts";
import type { SessionState } from "../../session/session.ts";
import type { Continuation } from "./continuation.ts";
import { renderList, type Section } from "./section.ts";
import { renderDecision } from "./summary.ts";

/** How calls and paths are written. */
export interface Notation {
  readonly handle: (callId: string) => string;
  readonly shorten: (text: string) => string;
}

/** What is done and what is not, each with the call or request that proves it. */
export function createWorkSection({ open, closed }: Continuation, { handle }: Notation): Section {
  const over = [...closed].sort(
    (left, right) =>
      Number(left.status === "cancelled") - Number(right.status === "cancelled") ||
      right.changedRequest - left.changedRequest,
  );
  const work = [...open, ...over];
  // Where nobody kept a list, the prompts are the list, and they stand among the person's words already.
  const width = work.some(({ source }) => source === "tasks") ? 200 : 80;
  const render = ({ status, subject, evidence }: OpenWork): string =>
    `- [${status}] ${clipLine(subject, width)} (${/^request:/.test(evidence) ? evidence : handle(evidence)})`;
  return createList(
    { name: "work", share: 0.06, most: 0.25 },
    "## Work, with the proof of its status",
    work.map(render),
  );
}

export function createErrorSection({ errors }: Continuation, { handle, shorten }: Notation): Section {
  const open = errors.filter(({ resolvedBy }) => resolvedBy === "");
  const lines = open.map(
    ({ attempt, line, callId, request }) =>
      `- r${request} \`${shorten(clipLine(attempt, 100))}\` → ${shorten(clipLine(line, 200))} (${handle(callId)})`,
  );
  return createList({ name: "errors", share: 0.05, most: 0.15 }, "## Errors not seen to be resolved", [
    ...new Set(lines),
  ]);
}

export function createDecisionSection({ decisions }: Continuation, { shorten }: Notation): Section {
  const lines = decisions.map((decision) => `${shorten(renderDecision(decision, 200))} (r${decision.request})`);
  return createList({ name: "decisions", share: 0.06, most: 0.2 }, "## Decisions and reasons", lines);
}

/** One line each: that it was tried and why it failed; the detail is dropped on purpose. */
export function createFailureSection({ decided }: SessionState, { shorten }: Notation): Section {
  const lines = [...decided.failedApproaches]
    .reverse()
    .map(({ line, request }) => `- ${shorten(clipLine(line, 200))} (r${request})`);
  return createList({ name: "failures", share: 0.03, most: 0.1 }, "## Tried, and failed", [...new Set(lines)]);
}

function createList(
  part: Pick<Section, "name" | "share" | "most">,
  heading: string,
  lines: readonly string[],
): Section {
  return {
    ...part,
    items: lines.length,
    render: (count) => renderList(heading, lines.slice(0, count)),
  };
}
