import type { Json, JsonObject } from "../../core/json.ts";
import type { ToolCallBlock } from "../../core/message.ts";
import { countLines } from "../../fold/thresholds.ts";
import { renderLine } from "../history/markers.ts";
import type { CallMeaning, CallVocabulary } from "../history/vocabulary.ts";
import { describeChange } from "./describe-change.ts";
import { findShown, isBrief, isLandmark, isPlanFile, isRules } from "./lasting-calls.ts";
import { type LedgerEntry, renderLineCount } from "./ledger-text.ts";

/** So many characters of each kind of words stay in sight; the rest is fetched. */
export interface LedgerLengths {
  /** What the model found out while it worked. */
  readonly wordsCharacters: number;
  /** The same once the stretch has grown old; twice as much of what it told the person, two thirds of a call with what came of it. */
  readonly oldWordsCharacters: number;
  /** What it told the person in the end of a turn. */
  readonly answerCharacters: number;
  /** What a subagent reported, a skill demands, the person chose; and, up to less, what a change put in and a short file says. */
  readonly briefCharacters: number;
  /** A plan or the text of a task, as long as it stands. */
  readonly planCharacters: number;
}

/** How the ledger speaks of calls. */
export interface LedgerStyle extends LedgerLengths {
  readonly vocabulary: CallVocabulary;
  /** Paths below it are written without it. */
  readonly root?: string | undefined;
  /** For a stretch that is shortened at once: what that leaves out of a result is not worded. */
  readonly isBrief?: boolean;
}

export interface CallDescription {
  /** The tool and what it was called on. */
  readonly text: string;
  /** What is told of its result: nothing of a success that says no more than the call, all that there is room for, the names in it, or little. */
  readonly tells: "deed" | "wrote" | "plan" | "brief" | "task" | "landmark" | "read" | "look";
  /** Of the lines of a stretch with this name the last says what stands. */
  readonly name?: string | undefined;
  /** Whether a subagent was asked. */
  readonly isOrder?: boolean;
  /** The file it shows: what it is decides which names it has. */
  readonly path?: string | undefined;
}

const MAX_COMMAND_CHARACTERS = 120;
const MAX_FIELD_CHARACTERS = 80;
const MAX_INPUT_CHARACTERS = 160;
/** What a subagent reports says what it was told. */
const ORDER_SHARE = 0.5;
const MAX_ORDER_CHARACTERS = 400;
const MAX_CHANGE_CHARACTERS = 800;
/** A test says in its first lines what it holds, and is seldom asked for the rest. */
const TEST_SHARE = 0.25;
/** A long way to where a command is run would take the room of the command. */
const FAR_FOLDER = /^cd "?[^\s"&;|]{30,400}([\\/][^\s"&;|\\/]{1,80})"? && /;
const TEST_FILE = /(?:^|[\\/])(?:tests?|__tests__|specs?)[\\/]|(?:^|[\\/])test_|[._-](?:test|spec)s?\./i;

/** A call as a person would note it: the file, the command or what was looked for; of anything else what is short. */
export function describeCall({ tool, input }: ToolCallBlock, style: LedgerStyle): CallDescription {
  const { vocabulary, root, briefCharacters, planCharacters } = style;
  const meaning = vocabulary.interpretCall(tool, input);
  const { kind, path = "" } = meaning;
  const plan = (): string => shortenPaths(renderLine(stripMarkup(findLongest(input)), planCharacters), root);
  if (isPlanFile(meaning))
    return { text: `${tool} ${nameSubject(meaning, root) ?? ""}: ${TASK}${plan()}`, tells: "plan", name: "plan" };
  if (kind === "edit" || kind === "write") {
    const room = Math.min(briefCharacters, MAX_CHANGE_CHARACTERS) * (TEST_FILE.test(path) ? TEST_SHARE : 1);
    const change = shortenPaths(describeChange(input, path, room), root);
    const text = `${tool} ${nameSubject(meaning, root) ?? ""}${change === "" ? "" : `: ${change}`}`;
    return { text, tells: "deed" };
  }
  if (kind === "createTask")
    return { text: `${tool} ${renderLine(meaning.subject ?? "", MAX_INPUT_CHARACTERS)}`, tells: "deed" };
  if (meaning.todos) return { text: `${tool} ${describeTodos(meaning.todos)}`, tells: "look", name: "list" };
  // What is being done, and what was, is told by what was done.
  if (kind === "updateTask") return { text: "", tells: "deed" };
  if (kind === "proposePlan")
    return plan() === ""
      ? { text: tool, tells: "task" }
      : { text: `${tool} ${TASK}${plan()}`, tells: "task", name: "plan" };
  if (kind === "delegate") {
    const order = shortenPaths(
      renderLine(findLongest(input), Math.min(briefCharacters * ORDER_SHARE, MAX_ORDER_CHARACTERS)),
      root,
    );
    const parts = [meaning.prompt ?? "", order].filter((part) => part !== "");
    return { text: `${tool} ${parts.join(": ")}`, tells: "brief", isOrder: true };
  }
  const written = kind === "run" ? findWritten(meaning.command ?? "") : undefined;
  if (written) return describeWritten(tool, written, style);
  const subject = nameSubject(meaning, root);
  const text = subject === undefined ? describeFields(tool, input) : `${tool} ${subject}`;
  if (isBrief(meaning)) return { text, tells: "task", name: text };
  const tells = isLandmark(meaning)
    ? "landmark"
    : kind === "ask" || isRules(meaning)
      ? "brief"
      : findShown(meaning) === ""
        ? "look"
        : "read";
  // The same look again says what holds now; a text that was clipped may be of two calls.
  const name =
    (tells === "look" || tells === "read") && subject !== undefined && !text.includes("…") ? text : undefined;
  return { text, tells, name, path: namePath({ path: findShown(meaning) || path }, root) };
}

/** Files that a command writes are described as those that a tool writes; then what else it does. */
function describeWritten(tool: string, { files, rest }: ShellWriting, style: LedgerStyle): CallDescription {
  const { root, briefCharacters } = style;
  const room = Math.min(briefCharacters, MAX_CHANGE_CHARACTERS) / files.length;
  const told = files.map(({ path, content }) => {
    const place = namePath({ path }, root);
    const change = shortenPaths(
      describeChange({ content }, path, room * (TEST_FILE.test(path) ? TEST_SHARE : 1)),
      root,
    );
    return `writes ${place} ${renderLineCount(countLines(content))}${change === "" ? "" : `: ${change}`}`;
  });
  const then = rest === "" ? [] : [renderLine(shortenCommand(rest, root), MAX_COMMAND_CHARACTERS)];
  return { text: `${tool} ${[...told, ...then].join("; ")}`, tells: rest === "" ? "deed" : "wrote" };
}

/** What is being done and what is to come: what is done stands in the lines around it. */
function describeTodos(todos: NonNullable<CallMeaning["todos"]>): string {
  const open = todos.filter(({ status }) => status === "active" || status === "open");
  const named = open.map(({ status, subject = "" }) => `${status === "active" ? "now " : ""}${subject}`);
  return renderLine(`${todos.length - open.length} of ${todos.length} done; ${named.join("; ")}`, MAX_INPUT_CHARACTERS);
}

function describeFields(tool: string, input: JsonObject): string {
  const fields = Object.entries(input).map(([name, value]) => ({ name, text: renderValue(value) }));
  const short = fields.filter(({ text }) => text.length <= MAX_FIELD_CHARACTERS && !text.includes("\n"));
  const words = short.map(({ name, text }) => `${name}: ${text}`).join(", ");
  return `${tool} ${renderLine(words, MAX_INPUT_CHARACTERS)}`.trimEnd();
}

export function findLongest(input: JsonObject): string {
  const texts = Object.values(input).filter((value) => typeof value === "string");
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), "");
}

/** A path may hold line feeds, a line of the ledger may not. */
function namePath({ path = "" }: Pick<CallMeaning, "path">, root: string | undefined): string {
  return shortenPaths(path, root).replace(/\s*[\r\n]\s*/g, " ");
}

function nameSubject({ path, range, command, pattern }: CallMeaning, root: string | undefined): string | undefined {
  if (command) return renderLine(shortenCommand(command, root), MAX_COMMAND_CHARACTERS);
  const place = path === undefined ? "" : namePath({ path }, root);
  if (pattern) return `${renderLine(pattern, MAX_FIELD_CHARACTERS)}${place === "" ? "" : ` in ${place}`}`;
  if (place === "") return undefined;
  if (!range) return place;
  return `${place}:${range.first}-${range.last === Number.MAX_SAFE_INTEGER ? "" : range.last}`;
}

/** Without where it is run, which is where everything is, and without how much of its output was to be seen. */
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

function renderValue(value: Json | undefined): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Stands before what is to be done: a plan, an issue, a specification. */
export const TASK = "TASK: ";
const MARKED = new RegExp(`^\\S+ (?:(?:[A-Za-z]:)?[^:\\n]+: )?${TASK}| => ${TASK}`);
/** What is said in fewer words takes nobody's place. */
const LEAST_CHARACTERS = 1_600;

/** Where the last line stands that says at length what is to be done; -1 where none does. */
export function findTask(entries: readonly LedgerEntry[]): number {
  return entries.findLastIndex(
    (entry) => entry.kind === "call" && entry.text.length > LEAST_CHARACTERS && isTask(entry.text),
  );
}

export function isTask(text: string): boolean {
  return MARKED.test(text);
}

/** Rules, the lines under a table's heading, and signs of approval. */
const ORNAMENT =
  /^[ \t]*(?:[-*_=]{3,}|\|?(?:[ \t]*:?-{2,}:?[ \t]*\|)+[ \t:-]*)[ \t]*$|(?:[\u2705\u274C\u{1F300}-\u{1FAFF}]\uFE0F?)/gmu;

/** Prose as one would say it: without what only makes it look better on a page. Names, numbers, code and the order of things stay. */
export function stripMarkup(text: string): string {
  return text
    .replace(ORNAMENT, "")
    .replace(/^[ \t]*#{1,6} +/gm, "")
    .replace(/\*\*(?=\S)([^*\n]{1,400})\*\*/g, "$1");
}

/** A file that a command writes out of its own text. */
interface WrittenFile {
  readonly path: string;
  readonly content: string;
}

interface ShellWriting {
  readonly files: readonly WrittenFile[];
  /** What else the command does; empty where it only writes. */
  readonly rest: string;
}

/** `cat > a <<EOF`, `cat <<EOF > a`, `cat >> a <<EOF`, `tee a <<EOF`: the target stands before or behind the delimiter. */
const HEREDOC =
  /(?<=^|[;\n]|&&)[ \t]{0,20}(?:sudo )?(?:cat|tee(?: -a)?)[ \t]{0,9}(?:>{0,2}[ \t]{0,9}(["']?)([^\s"'<>|&;]{1,300})\1[ \t]{0,9})?<<-?[ \t]{0,9}(["']?)(\w{1,40})\3([^\n]{0,300})\n/g;
const TARGET = /^[ \t]{0,9}>{1,2}[ \t]{0,9}["']?([^\s"'<>|&;]{1,300})["']?/;
const SILENT = /^[ \t]{0,9}>{1,2}[ \t]{0,9}\/dev\/null/;

/** The files that a command writes by here-documents; `undefined` where it writes none. */
export function findWritten(command: string): ShellWriting | undefined {
  const files: WrittenFile[] = [];
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

/** Where the line with the delimiter begins; -1 where there is none. */
function findEnd(command: string, start: number, delimiter: string): number {
  const found = new RegExp(`^[ \\t\\r]*${delimiter}[ \\t\\r]*$`, "m").exec(command.slice(start));
  return found === null ? -1 : start + found.index;
}

/** Without what only joined it to what was cut out. */
function trimJoints(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim().replace(/^(?:&&|;)+\s*|\s*(?:&&|;)+$/g, ""))
    .filter((line) => line !== "")
    .join("\n");
}
