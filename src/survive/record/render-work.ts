import { clipLine, toOneLine } from "../../core/clip-text.ts";
import { renderCount } from "../../core/render-count.ts";
import { isUnfinished, type WorkStatus } from "../../session/action.ts";
import type { OpenWork } from "../../session/open-work.ts";
import type { FileRecord } from "../../session/track-files.ts";
import { describeFix } from "../cold-tasks/plan-cold-tasks.ts";
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
  /** Adds to each line what it rests on. */
  readonly isWhy?: boolean;
}

const WIDTH = 160;
const ATTEMPT_WIDTH = 100;
/** The reason is at the end of a decision's sentence. */
const DECISION_WIDTH = 300;

/** What a statement rests on. */
type Basis = "the task list" | "the model's words" | "your words" | "the record of the calls" | "exit statuses";

const SOURCES: Readonly<Record<OpenWork["source"], Basis>> = {
  tasks: "the task list",
  model: "the model's words",
  person: "your words",
};

const STATUSES: Readonly<Record<WorkStatus, string>> = {
  active: "active",
  open: "open",
  done: "done",
  cancelled: "cancelled",
  dropped: "left the list",
};

type Render = (text: string, basis: Basis, proof: string) => string;

function createRenderer({ root, isWhy = false }: WorkReader): Render {
  const shorten = createShortener(root);
  return (text, basis, proof) => shorten(`${text} (${proof}${isWhy ? `; rests on ${basis}` : ""})`);
}

/** What is done and what is not, what was decided, what was fixed and what still fails, and which files are known, each with the call or request that proves it. */
export function renderWork({ state }: Happened, continuation: Continuation, reader: WorkReader): readonly WorkList[] {
  const { open, done, closed, decisions, errors, fixed } = continuation;
  const { handle } = reader;
  const render = createRenderer(reader);
  const user = handle === undefined ? "you: " : "the user: ";
  const prove = (evidence: string, request: number): string => {
    if (evidence.startsWith("request:")) return evidence.replace(":", " ");
    return handle === undefined ? `request ${request}` : handle(evidence);
  };
  // A request that was only answered, or not taken further, is no work.
  const gone = closed.filter(({ source, status }) => source === "tasks" && status !== "done");
  const work = [...open, ...done.toReversed(), ...gone.toReversed()].map(
    ({ status, subject, evidence, changedRequest, source }) =>
      render(
        `[${STATUSES[status]}${renderAge(status, source, state.requests.count - changedRequest)}] ${clipLine(subject, WIDTH)}`,
        SOURCES[source],
        prove(evidence, changedRequest),
      ),
  );
  const decided = decisions.map(({ text, by, files, request }) => {
    const affects = files.length === 0 ? "" : `, affects ${clipLine(files.join(", "), WIDTH)}`;
    const said = `${by === "person" ? user : ""}${clipDecision(text, DECISION_WIDTH)}${affects}`;
    return render(said, by === "person" ? "your words" : "the model's words", `request ${request}`);
  });
  const mended = fixed.map((error) =>
    render(
      `${clipLine(error.attempt, ATTEMPT_WIDTH)} → ${describeFix(error)}`,
      "exit statuses",
      prove(error.callId, error.request),
    ),
  );
  const failing = errors.map(({ attempt, line, callId, request }) =>
    render(`${clipLine(attempt, ATTEMPT_WIDTH)} → ${clipLine(line, WIDTH)}`, "exit statuses", prove(callId, request)),
  );
  const files = state.files.map((file) =>
    render(
      `${renderFile(file)}${handle === undefined ? "" : renderKnown(file)}`,
      "the record of the calls",
      `request ${file.lastRequest}`,
    ),
  );
  return [
    { title: "Work", lines: work },
    { title: "Files", lines: files.reverse() },
    { title: "Decisions", lines: decided },
    { title: "Errors, and what fixed them", lines: mended },
    { title: "Failed when last run", lines: failing },
  ];
}

/** What is guessed from words and is too often wrong to be said unasked: only for a user who asks for it, and told as a guess. */
export function renderGuesses(
  { state }: Happened,
  continuation: Continuation,
  reader: WorkReader,
): readonly WorkList[] {
  const render = createRenderer(reader);
  const known = new Set([...continuation.errors, ...continuation.fixed].map(({ callId }) => callId));
  const left = state.errors.filter(({ resolvedBy, callId }) => resolvedBy === "" && !known.has(callId));
  const failed = state.decided.failedApproaches.map(({ line, request }) =>
    render(clipLine(line, WIDTH), "the model's words", `request ${request}`),
  );
  const errors = left.map(({ attempt, line, request }) =>
    render(`${clipLine(attempt, ATTEMPT_WIDTH)} → ${clipLine(line, WIDTH)}`, "exit statuses", `request ${request}`),
  );
  const decided = (state.decided.perhaps ?? []).map(({ text, request }) =>
    render(clipDecision(text, DECISION_WIDTH), "your words", `request ${request}`),
  );
  const pressing = state.words.flatMap(({ urgency, request }) =>
    urgency.map((sentence) => render(clipLine(sentence, WIDTH), "your words", `request ${request}`)),
  );
  return [
    {
      title: "Perhaps the phase",
      lines: [render(state.phase.phase, "the record of the calls", `request ${state.requests.count}`)],
    },
    { title: "Perhaps decided", lines: decided.reverse() },
    { title: "Perhaps tried, and failed", lines: failed.reverse() },
    { title: "Perhaps pressing", lines: pressing.reverse() },
    { title: "Perhaps never fixed", lines: errors.reverse() },
  ];
}

/** An item that was not touched for so many requests may be done: only its list says that it is open. */
const STALE_REQUESTS = 10;

function renderAge(status: WorkStatus, source: OpenWork["source"], requests: number): string {
  const isStale = source === "tasks" && isUnfinished({ status }) && requests >= STALE_REQUESTS;
  return isStale ? ` on its list, unchanged for ${requests} requests` : "";
}

function renderFile({ path, isCreated, edits, reads }: FileRecord): string {
  return `${toOneLine(path)}: ${isCreated ? "created, " : ""}${renderCount(edits, "change")}, ${renderCount(reads, "read")}`;
}

const HASH_CHARACTERS = 6;

function renderKnown({ contentHash, lastRange }: FileRecord): string {
  const hash = contentHash === "" ? "" : `, SHA-256 ${contentHash.slice(0, HASH_CHARACTERS)}…`;
  if (lastRange === undefined) return hash;
  const { first, last } = lastRange;
  return `${hash}, lines ${first}${last === Number.MAX_SAFE_INTEGER ? " on" : `-${last}`}`;
}
