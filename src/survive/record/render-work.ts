import { clipLine } from "../../core/clip-text.ts";
import type { OpenWork } from "../../session/open-work.ts";
import type { FileRecord } from "../../session/track-files.ts";
import type { Continuation, Happened } from "./continuation.ts";
import { createShortener, renderDecision } from "./summary.ts";
import { createHandles } from "./trail.ts";
import { type Fitted, fitItems, weighText } from "./weigh.ts";

/** A list, the most important first, that can be cut to any length. */
interface WorkSection {
  readonly items: number;
  /** The section with its first `count` items; empty for none. */
  render(count: number): string;
}

/** What is done and what is not, what was decided, what failed and which files are known, each with the call or request that proves it. */
export function renderWork(
  { state, trail }: Happened,
  { open, closed, decisions, errors }: Continuation,
  { root, budgetTokens }: { readonly root: string; readonly budgetTokens: number },
): string {
  const shorten = createShortener(root);
  const handle = createHandles(trail.calls);
  const decided = decisions.map((decision) => `${shorten(renderDecision(decision, 200))} (r${decision.request})`);
  // That it was tried and why it failed; the detail is dropped on purpose.
  const failed = [...state.decided.failedApproaches]
    .reverse()
    .map(({ line, request }) => `- ${shorten(clipLine(line, 200))} (r${request})`);
  const unfixed = errors
    .filter(({ resolvedBy }) => resolvedBy === "")
    .map(
      ({ attempt, line, callId, request }) =>
        `- r${request} \`${shorten(clipLine(attempt, 100))}\` → ${shorten(clipLine(line, 200))} (${handle(callId)})`,
    );
  const sections = [
    createList("## Work, with the proof of its status", listWorkLines(open, closed, handle)),
    createList("## Decisions and reasons", decided),
    createList("## Tried, and failed", [...new Set(failed)]),
    createList("## Errors with no recorded fix", [...new Set(unfixed)]),
    createFileSection(state.files, shorten),
  ];
  return placeSections(sections, budgetTokens)
    .map(({ text }) => text)
    .join("");
}

function listWorkLines(
  open: readonly OpenWork[],
  closed: readonly OpenWork[],
  handle: (callId: string) => string,
): readonly string[] {
  const over = [...closed].sort(
    (left, right) =>
      Number(left.status === "cancelled") - Number(right.status === "cancelled") ||
      right.changedRequest - left.changedRequest,
  );
  const work = [...open, ...over];
  // Without a list the prompts are the list, and they are already among the user's words.
  const width = work.some(({ source }) => source === "tasks") ? 200 : 80;
  return work.map(
    ({ status, subject, evidence }) =>
      `- [${status}] ${clipLine(subject, width)} (${/^request:/.test(evidence) ? evidence : handle(evidence)})`,
  );
}

function createList(heading: string, lines: readonly string[]): WorkSection {
  return { items: lines.length, render: (count) => renderList(heading, lines.slice(0, count)) };
}

const HEADING = "## Files (+ created, ~ changed, others read; #hash of the content, lines last read, r last request)";
const HASH_CHARACTERS = 6;

/**
 * Every file the session knows. Dropped first, from the end of the list: notes on files that were only read, notes on changed ones, then
 * names, the longest untouched first. Hence twice as many items as there are files.
 */
function createFileSection(files: readonly FileRecord[], shorten: (text: string) => string): WorkSection {
  const ordered = [...files].sort(
    (left, right) =>
      Number(right.changedRequest > 0) - Number(left.changedRequest > 0) || right.lastRequest - left.lastRequest,
  );
  const render = (count: number): string => {
    const noted = Math.max(0, count - ordered.length);
    const shown = ordered.slice(0, count).map((file, index) => ({
      path: shorten(file.path).replace(/[\r\n]+/g, " "),
      mark: file.isCreated ? "+" : file.changedRequest > 0 ? "~" : "",
      note: index < noted ? describeFile(file) : "",
    }));
    return renderList(HEADING, renderGrouped(shown));
  };
  return { items: ordered.length * 2, render };
}

function describeFile({ contentHash, lastRange, lastRequest }: FileRecord): string {
  const last = lastRange?.last === Number.MAX_SAFE_INTEGER ? "" : lastRange?.last;
  return [
    ...(contentHash === "" ? [] : [`#${contentHash.slice(0, HASH_CHARACTERS)}`]),
    ...(lastRange ? [`L${lastRange.first}-${last}`] : []),
    `r${lastRequest}`,
  ].join(" ");
}

/** Every section first gets an equal share; then the rest is offered to them in order, the most important first. */
export function placeSections(sections: readonly WorkSection[], budgetTokens: number): readonly Fitted[] {
  const asking = sections.map(({ items, render }) => {
    const wanted = items === 0 ? 0 : Math.min(weighText(frame(render(items))), budgetTokens);
    return { items, render, wanted, granted: Math.min(wanted, budgetTokens / sections.length) };
  });
  let left = budgetTokens - asking.reduce((sum, { granted }) => sum + granted, 0);
  return asking.map(({ items, render, wanted, granted }) => {
    const fitted = fitItems(items, Math.min(wanted, granted + left), (count) => frame(render(count)));
    // What a section does not use, because its next item is too long, goes to those after it.
    left += granted - weighText(fitted.text);
    return fitted;
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

/** `src/a/: +x.ts #1f2e L1-80 t9, y.ts`: one line per folder, in the order of their files, so that a path is paid for once. */
export function renderGrouped(
  files: readonly { readonly path: string; readonly mark: string; readonly note: string }[],
): readonly string[] {
  const folders = new Map<string, string[]>();
  for (const { path, mark, note } of files) {
    // Backslashes separate folders too.
    const at = Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1;
    const folder = path.slice(0, at) || "./";
    const names = folders.get(folder) ?? [];
    names.push(`${mark}${path.slice(at)}${note === "" ? "" : ` ${note}`}`);
    folders.set(folder, names);
  }
  return [...folders].map(([folder, names]) => `${folder}: ${names.join(", ")}`);
}
