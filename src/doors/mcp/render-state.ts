import { renderCount } from "../../core/render-count.ts";
import { createHandles } from "../../survive/record/call-handle.ts";
import { findContinuation } from "../../survive/record/continuation.ts";
import { createFileSection } from "../../survive/record/record-files.ts";
import {
  createDecisionSection,
  createErrorSection,
  createFailureSection,
  createWorkSection,
  type Notation,
} from "../../survive/record/record-work.ts";
import { placeSections } from "../../survive/record/section.ts";
import { createShortener } from "../../survive/record/summary.ts";
import type { ServerSession } from "./server-session.ts";

/** As a recall's page: the sections' own limits keep it below. */
const BUDGET_TOKENS = 2500;

/** Tasks, decisions, files, failed approaches and open errors, and where to go on. */
export function renderState(session: ServerSession): string {
  const followed = session.follow();
  if (followed === undefined) return "Nothing is recorded of this session yet.";
  const { session: state, trail } = followed;
  const shorten = createShortener(session.place.project);
  const notation: Notation = { handle: createHandles(trail.calls), shorten };
  const sections = [
    createWorkSection(state, notation),
    createDecisionSection(state, notation),
    createFailureSection(state, notation),
    createErrorSection(state, notation),
    createFileSection(state.files, shorten),
  ].map((section) => ({ ...section, share: 0.2, most: 1 }));
  const { action } = findContinuation({ state, trail });
  const head = `${renderCount(state.requests.count, "request")}, ${renderCount(state.compactions, "compaction")}, phase: ${state.phase.phase}\nNext: ${shorten(action)}`;
  const body = placeSections(sections, BUDGET_TOKENS).filter(({ shown }) => shown > 0);
  return `${head}${body.map(({ text }) => text).join("")}`;
}
