import { clipLine } from "../../core/clip-text.ts";
import type { OpenWork } from "../../session/open-work.ts";
import type { SessionState } from "../../session/session.ts";
import type { FileRecord } from "../../session/track-files.ts";
import type { Continuation } from "./continuation.ts";
import { renderDecision } from "./summary.ts";
import { type Fitted, fitItems, weighText } from "./weigh.ts";

export interface Notation {
  readonly handle: (callId: string) => string;
  readonly shorten: (text: string) => string;
}

/** What is done and what is not, each with the call or request that proves it. */
export function createWorkSection({ open, closed }: Continuation, { handle }: Notation): RecordPart {
  const over = [...closed].sort(
    (left, right) =>
      Number(left.status === "cancelled") - Number(right.status === "cancelled") ||
      right.changedRequest - left.changedRequest,
  );
  const work = [...open, ...over];
  // Without a list the prompts are the list, and they are already among the user's words.
  const width = work.some(({ source }) => source === "tasks") ? 200 : 80;
  const render = ({ status, subject, evidence }: OpenWork): string =>
    `- [${status}] ${clipLine(subject, width)} (${/^request:/.test(evidence) ? evidence : handle(evidence)})`;
  return createList(
    { name: "work", share: 0.06, most: 0.25 },
    "## Work, with the proof of its status",
    work.map(render),
  );
}

export function createErrorSection({ errors }: Continuation, { handle, shorten }: Notation): RecordPart {
  const open = errors.filter(({ resolvedBy }) => resolvedBy === "");
  const lines = open.map(
    ({ attempt, line, callId, request }) =>
      `- r${request} \`${shorten(clipLine(attempt, 100))}\` → ${shorten(clipLine(line, 200))} (${handle(callId)})`,
  );
  return createList({ name: "errors", share: 0.05, most: 0.15 }, "## Errors with no recorded fix", [...new Set(lines)]);
}

export function createDecisionSection({ decisions }: Continuation, { shorten }: Notation): RecordPart {
  const lines = decisions.map((decision) => `${shorten(renderDecision(decision, 200))} (r${decision.request})`);
  return createList({ name: "decisions", share: 0.06, most: 0.2 }, "## Decisions and reasons", lines);
}

/** One line each: that it was tried and why it failed. The detail is dropped on purpose. */
export function createFailureSection({ decided }: SessionState, { shorten }: Notation): RecordPart {
  const lines = [...decided.failedApproaches]
    .reverse()
    .map(({ line, request }) => `- ${shorten(clipLine(line, 200))} (r${request})`);
  return createList({ name: "failures", share: 0.03, most: 0.1 }, "## Tried, and failed", [...new Set(lines)]);
}

function createList(
  part: Pick<RecordPart, "name" | "share" | "most">,
  heading: string,
  lines: readonly string[],
): RecordPart {
  return { ...part, items: lines.length, render: (count) => renderList(heading, lines.slice(0, count)) };
}

const HEADING = "## Files (+ created, ~ changed, others read; #hash of the content, lines last read, r last request)";
const HASH_CHARACTERS = 6;

/**
 * Every file the session knows. Dropped first, from the end of the list: notes on files that were only read, notes on changed ones, then
 * names, the longest untouched first. Hence twice as many items as there are files.
 */
export function createFileSection(files: readonly FileRecord[], shorten: (text: string) => string): RecordPart {
  const ordered = [...files].sort(
    (left, right) =>
      Number(right.changedRequest > 0) - Number(left.changedRequest > 0) || right.lastRequest - left.lastRequest,
  );
  const render = (count: number): string => {
    const shown = ordered.slice(0, count);
    const noted = Math.max(0, count - ordered.length);
    const lines = renderGrouped(shown.map((file, index) => describe(file, shorten, { isNoted: index < noted })));
    return renderList(HEADING, lines);
  };
  return { name: "files", items: ordered.length * 2, share: 0.12, most: 0.4, render };
}

function describe(
  file: FileRecord,
  shorten: (text: string) => string,
  { isNoted }: { readonly isNoted: boolean },
): IndexedFile {
  const { isCreated, changedRequest, contentHash, lastRange, lastRequest } = file;
  const range = lastRange
    ? `L${lastRange.first}-${lastRange.last === Number.MAX_SAFE_INTEGER ? "" : lastRange.last}`
    : "";
  const notes = [contentHash === "" ? "" : `#${contentHash.slice(0, HASH_CHARACTERS)}`, range, `r${lastRequest}`];
  return {
    path: shorten(file.path).replace(/[\r\n]+/g, " "),
    mark: isCreated ? "+" : changedRequest > 0 ? "~" : "",
    note: isNoted ? notes.filter((note) => note !== "").join(" ") : "",
  };
}

/** A part of the record: a list, the most important first, that can be cut to any length. */
export interface RecordPart {
  readonly name: string;
  readonly items: number;
  /** Its guaranteed share of the budget, and the most it takes of what others leave. The shares sum to 1 at most. */
  readonly share: number;
  readonly most: number;
  /** The section with its first `count` items; empty for none. */
  render(count: number): string;
}

interface Placed extends Fitted {
  readonly name: string;
  readonly items: number;
}

/** Every section first gets its share; then the rest is offered to them in order, the most important first. */
export function placeSections(sections: readonly RecordPart[], budgetTokens: number): readonly Placed[] {
  const wanted = sections.map((section) =>
    section.items === 0 ? 0 : Math.min(weighText(frame(section.render(section.items))), section.most * budgetTokens),
  );
  const granted = sections.map(({ share }, index) => Math.min(wanted[index] ?? 0, share * budgetTokens));
  let left = budgetTokens - granted.reduce((sum, tokens) => sum + tokens, 0);
  return sections.map(({ name, items, render }, index) => {
    const limit = Math.min(Math.max(wanted[index] ?? 0, granted[index] ?? 0), (granted[index] ?? 0) + left);
    const fitted = fitItems(items, limit, (count) => frame(render(count)));
    // What a section does not use, because its next item is too long, goes to those after it.
    left += (granted[index] ?? 0) - weighText(fitted.text);
    return { name, items, shown: fitted.shown, text: fitted.text };
  });
}

/** Sections are separated by a blank line, which counts towards their size. */
function frame(text: string): string {
  return text === "" ? "" : `\n\n${text}`;
}

/** A heading with its lines; neither without the other. */
function renderList(heading: string, lines: readonly string[]): string {
  return lines.length === 0 ? "" : [heading, ...lines].join("\n");
}

interface IndexedFile {
  readonly path: string;
  /** Before the name: how the file was used. */
  readonly mark: string;
  /** After the name: what is known about it. */
  readonly note: string;
}

/** `src/a/: +x.ts #1f2e L1-80 t9, y.ts`: one line per folder, so that a path is paid for once. Folders follow the order of their files. */
export function renderGrouped(files: readonly IndexedFile[]): readonly string[] {
  const folders = new Map<string, string[]>();
  for (const { path, mark, note } of files) {
    const { folder, name } = splitPath(path);
    const names = folders.get(folder) ?? [];
    names.push(`${mark}${name}${note === "" ? "" : ` ${note}`}`);
    folders.set(folder, names);
  }
  return [...folders].map(([folder, names]) => `${folder}: ${names.join(", ")}`);
}

/** The folder with its slash, `./` for none. Backslashes separate folders too. */
export function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\"));
  return at < 0 ? { folder: "./", name: path } : { folder: path.slice(0, at + 1), name: path.slice(at + 1) };
}
