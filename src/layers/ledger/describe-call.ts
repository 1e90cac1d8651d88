import type { JsonObject } from "../../core/json.ts";
import type { ToolCallBlock } from "../../core/message.ts";
import { countLines } from "../../fold/thresholds.ts";
import { renderLine } from "../history/markers.ts";
import type { CallMeaning, CallVocabulary } from "../history/vocabulary.ts";
import { describeChange } from "./describe-change.ts";
import { findShown, isBrief, isLandmark, isPlanFile, isRules } from "./lasting-calls.ts";
import { type LedgerEntry, renderLineCount } from "./ledger-text.ts";
import type { KnownLines } from "./piece.ts";

/** How many characters of each kind of text stay in view; the rest is fetched. */
export interface LedgerLengths {
  /** The model's findings while it worked. */
  readonly wordsCharacters: number;
  /** The same in an old segment; twice as much for answers to the person, two thirds for a call with its outcome. */
  readonly oldWordsCharacters: number;
  /** The model's answer to the person at the end of a turn. */
  readonly answerCharacters: number;
  /** A subagent's report, a skill's instructions, the person's choice; and, up to a lower limit, the content of a change or a short file. */
  readonly briefCharacters: number;
  /** A plan or the text of a task, as long as it is current. */
  readonly planCharacters: number;
}

export interface LedgerStyle extends LedgerLengths {
  readonly vocabulary: CallVocabulary;
  /** Paths below it are written relative to it. */
  readonly root?: string | undefined;
  /** For a segment that is shortened at once: skips wording the results that shortening would drop. */
  readonly isBrief?: boolean;
  /** What is skipped counts as so many characters a line. */
  readonly unwordedCharacters?: number;
  /** Looked up before anything is worded, and added to. */
  readonly known?: KnownLines | undefined;
}

export interface CallDescription {
  readonly text: string;
  /** How much of the result is shown: nothing for a success that adds nothing to the call, everything there is room for, the names in it, or little. */
  readonly reports: "action" | "wrote" | "plan" | "brief" | "task" | "landmark" | "read" | "look";
  /** Of the lines in a segment with this name, only the last is current. */
  readonly name?: string | undefined;
  readonly isOrder?: boolean;
  /** The file it shows; its type decides which names are listed. */
  readonly path?: string | undefined;
}

const MAX_COMMAND_CHARACTERS = 120;
const MAX_FIELD_CHARACTERS = 80;
const MAX_INPUT_CHARACTERS = 160;
/** A subagent's report already says what its order was. */
const ORDER_SHARE = 0.5;
const MAX_ORDER_CHARACTERS = 400;
const MAX_CHANGE_CHARACTERS = 800;
/** The first lines of a test say what it covers, and the rest is seldom asked for. */
const TEST_SHARE = 0.25;
/** A long path in `cd` would take the room of the command. */
const FAR_FOLDER = /^cd "?[^\s"&;|]{30,400}([\\/][^\s"&;|\\/]{1,80})"? && /;
const TEST_FILE = /(?:^|[\\/])(?:tests?|__tests__|specs?)[\\/]|(?:^|[\\/])test_|[._-](?:test|spec)s?\./i;

/** A call as a person would note it: the file, the command or the search; for anything else its short inputs. */
export function describeCall({ tool, input }: ToolCallBlock, style: LedgerStyle): CallDescription {
  const { vocabulary, root, briefCharacters, planCharacters } = style;
  const meaning = vocabulary.interpretCall(tool, input);
  const { kind, path = "" } = meaning;
  const plan = (): string => shortenPaths(renderLine(stripMarkup(findLongest(input)), planCharacters), root);
  if (isPlanFile(meaning))
    return { text: `${tool} ${nameSubject(meaning, root) ?? ""}: ${TASK}${plan()}`, reports: "plan", name: "plan" };
  if (kind === "edit" || kind === "write") {
    const change = renderChange(input, path, Math.min(briefCharacters, MAX_CHANGE_CHARACTERS), root);
    return { text: `${tool} ${nameSubject(meaning, root) ?? ""}${change}`, reports: "action" };
  }
  if (kind === "createTask")
    return { text: `${tool} ${renderLine(meaning.subject ?? "", MAX_INPUT_CHARACTERS)}`, reports: "action" };
  if (meaning.todos) return { text: `${tool} ${describeTodos(meaning.todos)}`, reports: "look", name: "list" };
  // Task updates are left out: the work itself shows what was done.
  if (kind === "updateTask") return { text: "", reports: "action" };
  if (kind === "proposePlan")
    return plan() === ""
      ? { text: tool, reports: "task" }
      : { text: `${tool} ${TASK}${plan()}`, reports: "task", name: "plan" };
  if (kind === "delegate") {
    const order = shortenPaths(
      renderLine(findLongest(input), Math.min(briefCharacters * ORDER_SHARE, MAX_ORDER_CHARACTERS)),
      root,
    );
    const parts = [meaning.prompt ?? "", order].filter((part) => part !== "");
    return { text: `${tool} ${parts.join(": ")}`, reports: "brief", isOrder: true };
  }
  const written = kind === "run" ? findWritten(meaning.command ?? "") : undefined;
  if (written) return describeWritten(tool, written, style);
  const subject = nameSubject(meaning, root);
  const text = subject === undefined ? describeFields(tool, input) : `${tool} ${subject}`;
  if (isBrief(meaning, tool)) return { text, reports: "task", name: text };
  const reports = isLandmark(meaning)
    ? "landmark"
    : kind === "ask" || isRules(meaning)
      ? "brief"
      : findShown(meaning) === ""
        ? "look"
        : "read";
  // A repeated lookup replaces the earlier one. Clipped text does not count, because two different calls may share it.
  const name =
    (reports === "look" || reports === "read") && subject !== undefined && !text.includes("…") ? text : undefined;
  return { text, reports, name, path: namePath(findShown(meaning) || path, root) };
}

/** Files written by a command are described like those written by a tool, followed by the rest of the command. */
function describeWritten(tool: string, { files, rest }: ShellWriting, style: LedgerStyle): CallDescription {
  const { root, briefCharacters } = style;
  const room = Math.min(briefCharacters, MAX_CHANGE_CHARACTERS) / files.length;
  const described = files.map(({ path, content }) => {
    const change = renderChange({ content }, path, room, root);
    return `writes ${namePath(path, root)} ${renderLineCount(countLines(content))}${change}`;
  });
  const then = rest === "" ? [] : [renderLine(shortenCommand(rest, root), MAX_COMMAND_CHARACTERS)];
  return { text: `${tool} ${[...described, ...then].join("; ")}`, reports: rest === "" ? "action" : "wrote" };
}

/** What a change says, after a colon; empty if nothing. */
function renderChange(input: JsonObject, path: string, room: number, root: string | undefined): string {
  const share = TEST_FILE.test(path) ? TEST_SHARE : 1;
  const change = shortenPaths(describeChange(input, path, room * share), root);
  return change === "" ? "" : `: ${change}`;
}

/** Only current and upcoming items; what is done is in the lines around it. */
function describeTodos(todos: NonNullable<CallMeaning["todos"]>): string {
  const open = todos.filter(({ status }) => status === "active" || status === "open");
  const named = open.map(({ status, subject = "" }) => `${status === "active" ? "now " : ""}${subject}`);
  return renderLine(`${todos.length - open.length} of ${todos.length} done; ${named.join("; ")}`, MAX_INPUT_CHARACTERS);
}

function describeFields(tool: string, input: JsonObject): string {
  const fields = Object.entries(input).map(([name, value]) => {
    return { name, text: typeof value === "string" ? value : (JSON.stringify(value) ?? "") };
  });
  const short = fields.filter(({ text }) => text.length <= MAX_FIELD_CHARACTERS && !text.includes("\n"));
  const words = short.map(({ name, text }) => `${name}: ${text}`).join(", ");
  return `${tool} ${renderLine(words, MAX_INPUT_CHARACTERS)}`.trimEnd();
}

export function findLongest(input: JsonObject): string {
  const texts = Object.values(input).filter((value) => typeof value === "string");
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
}

/** A path may contain line feeds, a ledger line may not. */
function namePath(path: string, root: string | undefined): string {
  return shortenPaths(path, root).replace(/\s*[\r\n]\s*/g, " ");
}

function nameSubject(meaning: CallMeaning, root: string | undefined): string | undefined {
  const { path = "", range, command, pattern } = meaning;
  if (command) return renderLine(shortenCommand(command, root), MAX_COMMAND_CHARACTERS);
  const place = namePath(path, root);
  if (pattern) return `${renderLine(pattern, MAX_FIELD_CHARACTERS)}${place === "" ? "" : ` in ${place}`}`;
  if (place === "") return undefined;
  if (!range) return place;
  return `${place}:${range.first}-${range.last === Number.MAX_SAFE_INTEGER ? "" : range.last}`;
}

/** Without the folder it runs in, which is the same for everything, and without limits on its output. */
function shortenCommand(command: string, root: string | undefined): string {
  const here = root ? [`cd ${root} && `, `cd "${root}" && `].find((start) => command.startsWith(start)) : undefined;
  const run = command.slice(here?.length ?? 0).trim();
  const shown = run.replace(/(?: 2>(?:&1|\/dev\/null)| \| (?:head|tail)(?: -n)? ?-?\d+)+$/, "");
  return shortenPaths(shown, root).replace(FAR_FOLDER, "cd …$1 && ");
}

export function shortenPaths(text: string, root: string | undefined): string {
  if (root === undefined || root === "" || root === "/") return text;
  return text.replaceAll(`${root}${root.includes("\\") ? "\\" : "/"}`, "");
}

/** Marks what is to be done: a plan, an issue, a specification. */
export const TASK = "TASK: ";
const MARKED = new RegExp(`^\\S+ (?:(?:[A-Za-z]:)?[^:\\n]+: )?${TASK}| => ${TASK}`);
/** A shorter task does not replace another. */
const LEAST_CHARACTERS = 1_600;

/** Index of the last line that describes at length what is to be done; -1 if there is none. */
export function findTask(entries: readonly LedgerEntry[]): number {
  return entries.findLastIndex(
    (entry) => entry.kind === "call" && entry.text.length > LEAST_CHARACTERS && isTask(entry.text),
  );
}

export function isTask(text: string): boolean {
  return MARKED.test(text);
}

/** Horizontal rules, the lines under table headings, and check marks. */
const ORNAMENT =
  /^[ \t]*(?:[-*_=]{3,}|\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t:-]*)[ \t]*$|(?:[\u2705\u274C\u{1F300}-\u{1FAFF}]\uFE0F?)/gmu;

/** Removes markup that only affects how prose looks. Names, numbers, code and order stay. */
export function stripMarkup(text: string): string {
  return text
    .replace(ORNAMENT, "")
    .replace(/^[ \t]*#{1,6} +/gm, "")
    .replace(/\*\*(?=\S)([^*\n]{1,400})\*\*/g, "$1");
}

interface ShellWriting {
  readonly files: readonly { readonly path: string; readonly content: string }[];
  /** The rest of the command; empty if it only writes. */
  readonly rest: string;
}

/** `cat > a <<EOF`, `cat <<EOF > a`, `cat >> a <<EOF`, `tee a <<EOF`: the target comes before or after the delimiter. */
const HEREDOC =
  /(?<=^|[;\n]|&&)[ \t]{0,20}(?:sudo )?(?:cat|tee(?: -a)?)[ \t]{0,9}(?:>{0,2}[ \t]{0,9}(["']?)([^\s"'<>|&;]{1,300})\1[ \t]{0,9})?<<-?[ \t]{0,9}(["']?)(\w{1,40})\3([^\n]{0,300})\n/g;
const TARGET = /^[ \t]{0,9}>{1,2}[ \t]{0,9}["']?([^\s"'<>|&;]{1,300})["']?/;
const SILENT = /^[ \t]{0,9}>{1,2}[ \t]{0,9}\/dev\/null/;

/** The files that a command writes with here-documents; `undefined` if none. */
export function findWritten(command: string): ShellWriting | undefined {
  const files: ShellWriting["files"][number][] = [];
  let rest = "";
  let from = 0;
  for (const match of command.matchAll(HEREDOC)) {
    const [opening, , before = "", , delimiter = "", behind = ""] = match;
    if (match.index < from) continue;
    const start = match.index + opening.length;
    const end = findEnd(command, start, delimiter);
    const path = before === "" ? (TARGET.exec(behind)?.[1] ?? "") : before;
    if (end < 0 || path === "") continue;
    files.push({ path, content: command.slice(start, Math.max(start, end - 1)) });
    rest += `${command.slice(from, match.index)}\n${behind.replace(before === "" ? TARGET : SILENT, "")}`;
    const feed = command.indexOf("\n", end);
    from = feed < 0 ? command.length : feed + 1;
  }
  if (files.length === 0) return undefined;
  return { files, rest: trimJoints(rest + command.slice(from)) };
}

/** Where the line with the delimiter begins; -1 if there is none. */
function findEnd(command: string, start: number, delimiter: string): number {
  const found = new RegExp(`^[ \\t\\r]*${delimiter}[ \\t\\r]*$`, "m").exec(command.slice(start));
  return found === null ? -1 : start + found.index;
}

/** Removes operators that only joined it to the removed part. */
function trimJoints(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim().replace(/^(?:&&|;)+\s*|\s*(?:&&|;)+$/g, ""))
    .filter((line) => line !== "")
    .join("\n");
}
