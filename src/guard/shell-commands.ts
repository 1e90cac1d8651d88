import { UNKNOWN_WORD } from "./resolve-path.ts";
import { isWindowFile, type PipelineStage, type Scan, type Shell } from "./shell-state.ts";
import {
  expandText,
  MAX_SHELL_DEPTH,
  parseWord,
  SEVERAL_WORDS,
  takeHereDocument,
  takeMatch,
  type Word,
} from "./shell-words.ts";

type Closer = ")" | "}" | undefined;

interface List {
  readonly closer: Closer;
  isClosed: boolean;
  /** Number of open `case`s: their patterns end in a `)` that closes nothing. */
  cases: number;
}

interface Draft {
  readonly words: string[];
  readonly assigned: string[];
  readonly inputs: string[];
  input: string | undefined;
  hasInput: boolean;
  isToFile: boolean;
  isEscaping: boolean;
  /** The reads found in a `( )` or `{ }`. */
  group: PipelineStage | undefined;
  descriptor: string | undefined;
}

/** Words that may come before a command without being one. */
const KEYWORDS = new Set("if then else elif fi while until do done ! coproc esac }".split(" "));
const DECLARATIONS = new Set(["export", "declare", "local", "readonly", "typeset"]);
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)\+?=/;
const MAX_VALUE_CHARACTERS = 1024;
const BLANKS = /(?:[ \t\r]|\\\r?\n)+/y;
const REDIRECTION = /&?>>?[|&]?|<<<|<<-?|<[>&]?/y;
const SEPARATOR = /;;?&?|&&|\|\||&|\n/y;

/** Parses commands up to the closer or the end. */
export function parseCommands(scan: Scan, shell: Shell, closer: Closer): void {
  const list: List = { closer, isClosed: false, cases: 0 };
  let pipeline: PipelineStage[] = [];
  const endPipeline = () => {
    commitPipeline(pipeline, shell);
    pipeline = [];
  };
  while (!list.isClosed && scan.at < scan.text.length) {
    skipBlanks(scan);
    const from = scan.at;
    if (takeSeparator(scan, list)) endPipeline();
    else if (scan.text[scan.at] === "|") scan.at += scan.text[scan.at + 1] === "&" ? 2 : 1;
    else {
      const stage = parseStage({ scan, shell, list }, pipeline.length > 0);
      if (stage !== undefined) pipeline.push(stage);
      if (scan.at === from) scan.at++;
    }
  }
  endPipeline();
}

/** The commands of a `$( )` or `<( )`, which leave the directory as it was. */
export function parseNested(scan: Scan, shell: Shell): void {
  const { directory } = shell;
  scan.depth++;
  parseCommands(scan, shell, ")");
  scan.depth--;
  shell.directory = directory;
}

/** Output that ends in a counter or in a file does not enter the window. */
function commitPipeline(pipeline: readonly PipelineStage[], shell: Shell): void {
  const last = pipeline.at(-1);
  const isEscaping = pipeline.some((stage) => stage.isEscaping);
  if (last === undefined || (!isEscaping && (last.isCounter || last.isToFile))) return;
  for (const stage of pipeline) {
    if (!stage.isToFile || isEscaping) for (const read of stage.reads) shell.reads.push(read);
  }
}

function skipBlanks(scan: Scan): void {
  takeMatch(scan, BLANKS);
  if (scan.text[scan.at] !== "#") return;
  const end = scan.text.indexOf("\n", scan.at);
  scan.at = end < 0 ? scan.text.length : end;
}

function takeSeparator(scan: Scan, list: List): boolean {
  if (scan.text[scan.at] === ")") {
    scan.at++;
    list.isClosed = list.closer === ")" && list.cases === 0;
    return true;
  }
  if (scan.text.startsWith("&>", scan.at)) return false;
  const newlineAt = scan.at;
  const separator = takeMatch(scan, SEPARATOR);
  if (separator === "\n" && newlineAt === scan.hereFrom) scan.at = Math.max(scan.at, scan.hereTo);
  return separator !== "";
}

/** What the commands of one list share. */
interface Parsing {
  readonly scan: Scan;
  readonly shell: Shell;
  readonly list: List;
}

function parseStage(parsing: Parsing, hasInput: boolean): PipelineStage | undefined {
  const draft: Draft = {
    words: [],
    assigned: [],
    inputs: [],
    input: undefined,
    hasInput,
    isToFile: false,
    isEscaping: false,
    group: undefined,
    descriptor: undefined,
  };
  const { scan, shell, list } = parsing;
  while (!list.isClosed && parsePart(parsing, draft)) skipBlanks(scan);
  return finishStage(draft, shell, scan.depth);
}

function finishStage(draft: Draft, shell: Shell, depth: number): PipelineStage | undefined {
  const { words, assigned, inputs, input, hasInput, group, isToFile } = draft;
  const declared = DECLARATIONS.has(words[0] ?? "") ? words.slice(1) : [];
  for (const word of words.length === 0 ? assigned : declared) assign(shell, word);
  if (words.length + inputs.length === 0 && group === undefined) return undefined;
  const run = shell.runSimple({ words: group === undefined ? words : [], inputs, input, hasInput }, depth);
  return {
    reads: group === undefined ? run.reads : [...group.reads, ...run.reads],
    isCounter: run.isCounter,
    isEscaping: draft.isEscaping || run.isEscaping,
    isToFile,
  };
}

function assign(shell: Shell, word: string): void {
  const name = ASSIGNMENT.exec(word)?.[1];
  if (name !== undefined) setVariable(shell, name, word.slice(word.indexOf("=") + 1));
}

/** A long value is dropped: a script that reuses it could make it grow without bound. */
function setVariable(shell: Shell, name: string, value: string): void {
  shell.variables.set(name, value.length > MAX_VALUE_CHARACTERS ? UNKNOWN_WORD : value);
}

/** Parses one word, redirection or group. Returns false at the end of the part. */
function parsePart(parsing: Parsing, draft: Draft): boolean {
  const { scan, shell } = parsing;
  const { text, at } = scan;
  if (text[at] === "(") return parseParenthesis(scan, draft, shell);
  const isSubstitution = text.startsWith("<(", at) || text.startsWith(">(", at);
  if (!isSubstitution && (text[at] === "<" || text[at] === ">" || text.startsWith("&>", at))) {
    parseRedirection(scan, draft, shell);
    return true;
  }
  const word = parseWord(scan, shell);
  if (word === undefined) return false;
  const isDescriptor = word.isPlain && /^\d+$/.test(word.text) && /[<>]/.test(text[scan.at] ?? "");
  if (isDescriptor) draft.descriptor = word.text;
  else addWord(parsing, draft, word);
  return true;
}

function addWord(parsing: Parsing, draft: Draft, { text, isPlain }: Word): void {
  const isHead = draft.words.length === 0 && draft.group === undefined;
  if (isHead && isPlain && isKeyword(parsing, draft, text)) return;
  if (isHead && ASSIGNMENT.test(text)) draft.assigned.push(text);
  else draft.words.push(text);
}

/** Whether the word is a shell keyword. Also consumes what belongs to the keyword. */
function isKeyword({ scan, shell, list }: Parsing, draft: Draft, keyword: string): boolean {
  if (keyword === "{" && scan.depth < MAX_SHELL_DEPTH) draft.group = parseGroup(scan, shell, "}");
  else if (keyword === "}" && list.closer === "}") list.isClosed = true;
  else if (keyword === "case") {
    list.cases++;
    takeWords(scan, shell, 2);
  } else if (keyword === "esac") list.cases = Math.max(0, list.cases - 1);
  else if (keyword === "function") takeWords(scan, shell, 1);
  else if (keyword === "for" || keyword === "select") {
    const [name = "", , first = UNKNOWN_WORD, ...more] = takeWords(scan, shell, Number.POSITIVE_INFINITY);
    setVariable(shell, name, more.length === 0 ? first : SEVERAL_WORDS);
  } else if (keyword === "time") takeMatch(scan, /\s*-p(?=\s)/y);
  else return KEYWORDS.has(keyword) || keyword === "{";
  return true;
}

function takeWords(scan: Scan, shell: Shell, count: number): readonly string[] {
  const taken: string[] = [];
  for (let at = 0; at < count; at++) {
    skipBlanks(scan);
    const word = parseWord(scan, shell);
    if (word === undefined) break;
    taken.push(word.text);
  }
  return taken;
}

/** Parses a subshell, the `()` of a function, or the values of an array. The content is parsed as commands. */
function parseParenthesis(scan: Scan, draft: Draft, shell: Shell): boolean {
  scan.at++;
  if (scan.depth >= MAX_SHELL_DEPTH) return false;
  const isFunction = draft.words.length === 1 && /^\s*\)/.test(scan.text.slice(scan.at, scan.at + 8));
  const { directory } = shell;
  const group = parseGroup(scan, shell, ")");
  shell.directory = directory;
  if (isFunction) draft.words.length = 0;
  else if (draft.words.length === 0 && draft.group === undefined) draft.group = group;
  else for (const read of group.reads) shell.reads.push(read);
  return true;
}

function parseGroup(scan: Scan, shell: Shell, closer: Closer): PipelineStage {
  const outer = shell.reads;
  shell.reads = [];
  scan.depth++;
  parseCommands(scan, shell, closer);
  scan.depth--;
  const { reads } = shell;
  shell.reads = outer;
  return { reads, isCounter: false, isEscaping: false, isToFile: false };
}

function parseRedirection(scan: Scan, draft: Draft, shell: Shell): void {
  const operator = takeMatch(scan, REDIRECTION);
  const { descriptor } = draft;
  draft.descriptor = undefined;
  skipBlanks(scan);
  const { text: target, isPlain } = parseWord(scan, shell) ?? { text: "", isPlain: false };
  if (operator.includes(">") && operator !== "<>") {
    if (descriptor !== undefined && descriptor !== "1") return;
    if (operator.endsWith("&") && /^(?:\d+|-)$/.test(target)) draft.isEscaping ||= target === "2";
    else if (isWindowFile(target) && target !== "-") draft.isEscaping = true;
    else draft.isToFile = target !== "";
    return;
  }
  draft.hasInput = true;
  if (operator === "<<<") draft.input = target;
  else if (operator.startsWith("<<")) {
    const body = takeHereDocument(scan, target, { isIndented: operator === "<<-" });
    draft.input = isPlain ? expandText(body, shell, scan.depth + 1) : body;
  } else if (!operator.endsWith("&")) draft.inputs.push(target);
}
