import { clipLine, toOneLine } from "../../core/clip-text.ts";
import { renderCount } from "../../core/render-count.ts";
import type { FileRecord } from "../../session/track-files.ts";
import type { Continuation, Happened } from "./continuation.ts";
import { clipDecision, createShortener } from "./summary.ts";

/** The most important first. */
export interface WorkList {
  readonly title: string;
  readonly lines: readonly string[];
}

interface WorkReader {
  /** The project's folder; paths are written relative to it. */
  readonly root: string;
  /** Names a call as recall takes it. Only a model asks for that, and for the content and lines it knows of a file. */
  readonly handle?: (callId: string) => string;
}

const WIDTH = 160;
const ATTEMPT_WIDTH = 100;
/** The reason is at the end of a decision's sentence. */
const DECISION_WIDTH = 300;

/** What is done and what is not, what was decided, what failed and which files are known, each with the call or request that proves it. */
export function renderWork(
  { state }: Happened,
  { open, closed, decisions, errors }: Continuation,
  { root, handle }: WorkReader,
): readonly WorkList[] {
  const user = handle === undefined ? "you: " : "the user: ";
  const prove = (evidence: string, request: number): string => {
    if (evidence.startsWith("request:")) return evidence.replace(":", " ");
    return handle === undefined ? `request ${request}` : handle(evidence);
  };
  const work = [...open, ...closed.toReversed()].map(
    ({ status, subject, evidence, changedRequest }) =>
      `[${status}] ${clipLine(subject, WIDTH)} (${prove(evidence, changedRequest)})`,
  );
  const decided = decisions.map(({ text, by, files, request }) => {
    const affects = files.length === 0 ? "" : `, affects ${clipLine(files.join(", "), WIDTH)}`;
    return `${by === "person" ? user : ""}${clipDecision(text, DECISION_WIDTH)}${affects} (request ${request})`;
  });
  // That it was tried and why it failed; the detail is dropped on purpose.
  const failed = state.decided.failedApproaches.map(
    ({ line, request }) => `${clipLine(line, WIDTH)} (request ${request})`,
  );
  const unfixed = errors
    .filter(({ resolvedBy }) => resolvedBy === "")
    .map(
      ({ attempt, line, callId, request }) =>
        `${clipLine(attempt, ATTEMPT_WIDTH)} → ${clipLine(line, WIDTH)} (${prove(callId, request)})`,
    );
  const files = state.files.map((file) => `${renderFile(file)}${handle === undefined ? "" : renderKnown(file)}`);
  const shorten = createShortener(root);
  const list = (title: string, lines: readonly string[]): WorkList => ({ title, lines: lines.map(shorten) });
  return [
    list("Work", work),
    list("Files", files.reverse()),
    list("Decisions", decided),
    list("Tried, and failed", failed.reverse()),
    list("Errors with no recorded fix", unfixed),
  ];
}

function renderFile({ path, isCreated, edits, reads, lastRequest }: FileRecord): string {
  return `${toOneLine(path)}: ${isCreated ? "created, " : ""}${renderCount(edits, "change")}, ${renderCount(reads, "read")}, last in request ${lastRequest}`;
}

const HASH_CHARACTERS = 6;

function renderKnown({ contentHash, lastRange }: FileRecord): string {
  const hash = contentHash === "" ? "" : `, SHA-256 ${contentHash.slice(0, HASH_CHARACTERS)}…`;
  if (lastRange === undefined) return hash;
  const { first, last } = lastRange;
  return `${hash}, lines ${first}${last === Number.MAX_SAFE_INTEGER ? " on" : `-${last}`}`;
}
