import { clipLine } from "../../core/clip-text.ts";
import { listOpenWork, listWork, type OpenWork } from "../../session/open-work.ts";
import type { SessionState } from "../../session/session.ts";
import { renderList, type Section } from "./section.ts";
import { rankDecision, renderDecision } from "./summary.ts";

/** How calls and paths are written. */
export interface Notation {
  readonly handle: (callId: string) => string;
  readonly shorten: (text: string) => string;
}

const STATUS_RANK = { active: 0, open: 1, done: 2, cancelled: 3 } as const;

/** What is done and what is not, each with the call or request that proves it. */
export function createWorkSection(state: SessionState, { handle }: Notation): Section {
  const closed = [...listWork(state)]
    .filter(({ status }) => status === "done" || status === "cancelled")
    .sort(
      (left, right) =>
        STATUS_RANK[left.status] - STATUS_RANK[right.status] || right.changedRequest - left.changedRequest,
    );
  const work = [...listOpenWork(state), ...closed];
  // Where nobody kept a list, the prompts are the list, and they stand among the person's words already.
  const width = state.work.length > 0 ? 200 : 80;
  const render = ({ status, subject, evidence }: OpenWork): string =>
    `- [${status}] ${clipLine(subject, width)} (${/^request:/.test(evidence) ? evidence : handle(evidence)})`;
  return createList(
    { name: "work", share: 0.06, most: 0.25 },
    "## Work, with the proof of its status",
    work.map(render),
  );
}

export function createErrorSection({ errors }: SessionState, { handle, shorten }: Notation): Section {
  const open = errors.filter(({ resolvedBy }) => resolvedBy === "").reverse();
  const lines = open.map(
    ({ attempt, line, callId, request }) =>
      `- r${request} \`${shorten(clipLine(attempt, 100))}\` → ${shorten(clipLine(line, 200))} (${handle(callId)})`,
  );
  return createList({ name: "errors", share: 0.05, most: 0.15 }, "## Errors not seen to be resolved", [
    ...new Set(lines),
  ]);
}

export function createDecisionSection({ decided }: SessionState, { shorten }: Notation): Section {
  const decisions = [...decided.decisions].reverse().sort((left, right) => rankDecision(left) - rankDecision(right));
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
