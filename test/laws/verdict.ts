import type { Violation } from "../api/validate-messages.ts";

/** Something that stood in a request and must not go. */
export type What = "prompt" | "words" | "answer" | "input" | "result" | "picture" | "handle";

export interface Missing {
  readonly what: What;
  readonly excerpt: string;
  readonly callId?: string;
  /** Index of the request in which it first stood; -1 for what was typed and never stood in any. */
  readonly firstSeen: number;
  /** Index of the request in which it went. */
  readonly goneAt: number;
}

export interface Untruth {
  readonly what: What;
  readonly request: number;
  readonly callId?: string;
  readonly said: string;
  /** What it was in truth; empty where nothing of the kind was ever said. */
  readonly truth: string;
}

export interface InvalidRequest {
  readonly request: number;
  readonly violations: readonly Violation[];
}

/** What an audit of a whole run came to. */
export interface Verdict {
  readonly requests: number;
  /** Things followed; at the end of each conversation they are in view or behind a handle, or were taken back. */
  readonly followed: number;
  readonly inView: number;
  readonly behindHandles: number;
  readonly takenBack: number;
  readonly handlesFetched: number;
  readonly missing: readonly Missing[];
  readonly untrue: readonly Untruth[];
  readonly invalid: readonly InvalidRequest[];
  /** Requests that do not begin with all that the one before them held: each costs the prompt cache behind that place. */
  readonly prefixBreaks: readonly number[];
}

/** Throws with the whole verdict where a law is broken. */
export function expectLawful(verdict: Verdict): void {
  if (isLawful(verdict)) return;
  throw new Error(renderVerdict(verdict));
}

export function isLawful({ missing, untrue, invalid }: Verdict): boolean {
  return missing.length + untrue.length + invalid.length === 0;
}

const MAX_LINES = 40;

/** Lines that a person can read in a failing test. */
export function renderVerdict(verdict: Verdict): string {
  const { requests, followed, inView, behindHandles, takenBack, handlesFetched } = verdict;
  const { missing, untrue, invalid, prefixBreaks } = verdict;
  return [
    `${requests} requests, ${followed} things followed: ${inView} in view, ${behindHandles} behind handles, ${takenBack} taken back, ${missing.length} missing; ${untrue.length} untrue, ${invalid.length} requests invalid, ${handlesFetched} handles fetched, ${prefixBreaks.length} prefix breaks`,
    ...clip(missing.map(renderMissing), "missing"),
    ...clip(untrue.map(renderUntruth), "untrue"),
    ...clip(
      invalid.flatMap(({ request, violations }) =>
        violations.map(({ rule, at, detail }) => `invalid: request ${request}, ${at}: ${rule} ${detail}`),
      ),
      "invalid",
    ),
  ].join("\n");
}

function renderMissing({ what, callId, excerpt, firstSeen, goneAt }: Missing): string {
  const who = callId === undefined ? what : `${what} of ${callId}`;
  if (firstSeen < 0) return `missing: ${who} was given and never stood in any request: ${excerpt}`;
  return `missing: ${who}, first in request ${firstSeen}, gone in request ${goneAt}: ${excerpt}`;
}

function renderUntruth({ what, callId, request, said, truth }: Untruth): string {
  const who = callId === undefined ? what : `${what} of ${callId}`;
  return `untrue: ${who} in request ${request} says ${said} ${truth === "" ? "(never said)" : `instead of ${truth}`}`;
}

function clip(lines: readonly string[], name: string): readonly string[] {
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `${name}: ${lines.length - MAX_LINES} more`];
}

const EXCERPT_CHARACTERS = 100;

/** The beginning of a text on one line, in quotes, with its length where it is cut. */
export function excerptOf(text: string): string {
  const shown = JSON.stringify(text.slice(0, EXCERPT_CHARACTERS));
  return text.length <= EXCERPT_CHARACTERS ? shown : `${shown}… (${text.length} characters)`;
}
