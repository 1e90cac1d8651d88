import { clipLine } from "../../core/clip-text.ts";
import { redactSecrets } from "../../fold/redact-secrets.ts";
import type { WorkStatus } from "../../session/action.ts";
import { baseName } from "../../session/file-path.ts";
import type { OpenWork } from "../../session/open-work.ts";
import { findStandingRequest, isMereReply, renderRequest } from "../../session/standing-request.ts";
import type { FileRecord } from "../../session/track-files.ts";
import { type Continuation, findContinuation, type Happened } from "../record/continuation.ts";
import { isVague } from "../record/next-step.ts";
import { clipDecision, createShortener } from "../record/summary.ts";
import { rankTerms } from "../record/track-terms.ts";
import { type Fact, type FactOf, IMPORTANCE } from "./fact.ts";
import { findWords } from "./find-words.ts";
import { isBinding, isLasting, isPasted } from "./person-words.ts";

const MAX_OPEN_TASKS = 10;
const MAX_DONE_TASKS = 10;
const MAX_CONSTRAINTS = 20;
const MAX_FILES = 20;
const MAX_ERRORS = 8;
const MAX_IDENTIFIERS = 10;
const MAX_DECISIONS = 15;
const HASH_CHARACTERS = 8;
/** With fewer content words, a fact would be recognised in any text. */
const MIN_WORDS = 2;
const LINE_CHARACTERS = 300;

/** What must survive a compaction, the most important first, the newest first within a kind. Paths are written relative to `root`. */
export function listFacts(
  happened: Happened,
  { root = "", continuation }: { readonly root?: string; readonly continuation?: Continuation } = {},
): readonly Fact[] {
  const known = continuation ?? findContinuation(happened);
  const shorten = createShortener(root);
  const lasting = known.done.filter(({ subject }) => isLasting(subject));
  const done = lasting.sort((left, right) => right.changedRequest - left.changedRequest);
  return [
    ...listContinuation(happened, known, shorten),
    ...listRequest(happened),
    ...listTasks(known.open, MAX_OPEN_TASKS),
    ...listConstraints(happened),
    ...listFiles(happened, shorten, { isChanged: true }),
    ...listErrors(known),
    ...listIdentifiers(happened),
    ...listDecisions(happened, known),
    ...listTasks(done, MAX_DONE_TASKS),
    ...listFiles(happened, shorten, { isChanged: false }),
  ];
}

function listContinuation(
  happened: Happened,
  { next: { kind, action } }: Continuation,
  shorten: (text: string) => string,
): readonly Fact[] {
  // "Nothing is open" and "unknown" are nothing that a summary could lose.
  if (kind === "unknown" || kind === "nothing" || kind === "ended") return [];
  const { lastEdit } = happened.trail;
  const names = lastEdit !== undefined && action.includes(lastEdit.path);
  return [
    {
      kind: "continuation",
      importance: IMPORTANCE.continuation,
      text: `Next, at this point: ${shorten(action)}`,
      request: happened.trail.request,
      subject: action.match(/"(.+)"/)?.[1]?.replace(/…$/, "") ?? "",
      command: action.match(/`([^`]+)`/)?.[1] ?? "",
      path: names ? lastEdit.path : "",
      symbol: names ? lastEdit.symbol : "",
    },
  ];
}

/** Longer requests are documents, which are in the ledger and on disk. */
const MAX_REQUEST_CHARACTERS = 600;

/** What the user wants now, whole; a bare "1" or "yes" with the question that it answers. */
function listRequest({ state }: Happened): readonly Fact[] {
  const said = findStandingRequest(state);
  if (
    !said ||
    (isVague(said.text) && (said.answers ?? "") === "") ||
    said.text.length > MAX_REQUEST_CHARACTERS ||
    isPasted(said.text)
  )
    return [];
  const other = said.constraints.reduce((text, constraint) => text.replace(constraint, ""), said.text).trim();
  return [
    {
      kind: "request",
      importance: IMPORTANCE.request,
      // Later words may follow that ask for nothing by themselves.
      text: `Before this point the user asked${said === state.words.at(-1) ? " last" : ""}: ${isMereReply(said.text) ? renderRequest(said, LINE_CHARACTERS) : `"${said.text.trim()}"`}`,
      request: said.request,
      words: said.text,
      sentence: isInformative(other) ? other : said.text,
    },
  ];
}

function listTasks(items: readonly OpenWork[], most: number): readonly Fact[] {
  return (
    items
      // The task behind the next step is already a fact: the request.
      .filter(({ id, subject }) => !id.startsWith("next:") && isInformative(subject))
      .slice(0, most)
      .map(({ subject, status, changedRequest }) => ({
        kind: "task",
        importance: status === "done" ? IMPORTANCE.doneWork : IMPORTANCE.openWork,
        text: `Task, ${STATUS_WORDS[status]}: ${clipLine(subject, LINE_CHARACTERS)}`,
        request: changedRequest,
        subject,
        status,
      }))
  );
}

const STATUS_WORDS: Readonly<Record<WorkStatus, string>> = {
  active: "at this point in progress",
  open: "at this point open",
  done: "done",
  cancelled: "given up",
  dropped: "left the list",
};

function listConstraints({ state }: Happened): readonly FactOf<"constraint">[] {
  const newest = state.words
    .filter(({ text }) => !isPasted(text))
    .flatMap(({ constraints, request }) => constraints.map((sentence) => ({ sentence, request })));
  const unique = new Map(newest.map((said) => [said.sentence, said]));
  return [...unique.values()]
    .filter(({ sentence }) => isInformative(sentence) && isBinding(sentence))
    .reverse()
    .slice(0, MAX_CONSTRAINTS)
    .map(({ sentence, request }) => ({
      kind: "constraint",
      importance: IMPORTANCE.constraint,
      text: `The user said: "${sentence.replace(/\s+/g, " ")}"`,
      request,
      sentence,
    }));
}

function listFiles(
  { state }: Happened,
  shorten: (text: string) => string,
  { isChanged }: { readonly isChanged: boolean },
): readonly Fact[] {
  const names = new Map<string, number>();
  for (const { path } of state.files) names.set(baseName(path), (names.get(baseName(path)) ?? 0) + 1);
  return state.files
    .filter(({ changedRequest }) => changedRequest > 0 === isChanged)
    .sort((left, right) => right.lastRequest - left.lastRequest)
    .slice(0, MAX_FILES)
    .map((file) => ({
      kind: "file",
      importance: isChanged ? IMPORTANCE.changedFile : IMPORTANCE.readFile,
      text: describeFile(file, shorten),
      request: file.lastRequest,
      path: file.path,
      isUnique: names.get(baseName(file.path)) === 1,
      isChanged,
    }));
}

function describeFile({ path, isCreated, changedRequest, contentHash }: FileRecord, shorten: (text: string) => string) {
  const use = isCreated ? "created" : changedRequest > 0 ? "changed" : "read";
  const hash = contentHash === "" || changedRequest === 0 ? "" : ` #${contentHash.slice(0, HASH_CHARACTERS)}`;
  return `File ${use}: ${shorten(path).replace(/[\r\n]+/g, " ")}${hash}`;
}

function listErrors({ errors }: Continuation): readonly Fact[] {
  return errors.slice(0, MAX_ERRORS).map(({ attempt, line, request }) => ({
    kind: "error",
    importance: IMPORTANCE.error,
    text: `Unresolved: \`${clipLine(attempt, 120)}\` → ${clipLine(line, 200)}`,
    request,
    attempt,
    line,
  }));
}

/** Never put back: the name of a folded output, which cannot be opened without its path; a tool of our own; anything that looks like a credential. */
function isUnreported(term: string): boolean {
  return (
    /^(?=.*\d)[\da-f]{12}$|^toolu_|^[a-z]?(?=.*\d)[\da-f]{6,40}$/.test(term) ||
    /plimsoll__\w+$/.test(term) ||
    redactSecrets(term) !== term
  );
}

function listIdentifiers({ state, trail }: Happened): readonly Fact[] {
  const files = new Set(state.files.map(({ path }) => baseName(path).replace(/\..*$/, "")));
  return rankTerms(trail.terms, trail.request)
    .filter((term) => !files.has(term) && !/^\d+$/.test(term) && !isUnreported(term))
    .slice(0, MAX_IDENTIFIERS)
    .map((term) => ({
      kind: "identifier",
      importance: IMPORTANCE.identifier,
      text: `Name in use: ${term}`,
      request: trail.request,
      term,
    }));
}

/** A hedged statement is not a decision. An answer of the user is one, however it is worded. */
const HEDGE = /^(?!.* → ).*\b(?:possibly|not (?:certain|sure)|I wonder|might (?:want|need|be))\b/i;

function listDecisions(happened: Happened, { decisions }: Continuation): readonly Fact[] {
  const known = new Set(listConstraints(happened).map(({ sentence }) => sentence));
  return decisions
    .filter(({ text }) => isInformative(text) && !HEDGE.test(text) && !known.has(text))
    .slice(0, MAX_DECISIONS)
    .map(({ text, request }) => ({
      kind: "decision",
      importance: IMPORTANCE.decision,
      text: `Decided: ${clipDecision(text, LINE_CHARACTERS)}`,
      request,
      sentence: text,
    }));
}

function isInformative(text: string): boolean {
  return !isVague(text) && findWords(text).length >= MIN_WORDS;
}
