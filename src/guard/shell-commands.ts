import { isWindowFile, type PipelineStage, type Shell } from "./shell-state.ts";
import {
  type Expander,
  expandText,
  MAX_FIELDS,
  MAX_SHELL_DEPTH,
  parseWord,
  type Scan,
  takeHereDocument,
  takeMatch,
  UNKNOWN_WORD,
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
  readonly assigned: [name: string, values: readonly string[]][];
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

/** Parses commands up to the closer or the end. Returns what they print, if the text shows it. */
export function parseCommands(scan: Scan, shell: Shell, closer: Closer): readonly string[] | undefined {
  const list: List = { closer, isClosed: false, cases: 0 };
  const parsing: Parsing = { scan, shell, list, expander: createExpander(shell, scan) };
  const printed: string[] = [];
  let pipeline: PipelineStage[] = [];
  const endPipeline = () => {
    commitPipeline(pipeline, shell);
    for (const text of pipeline.at(-1)?.printed ?? []) printed.push(text);
    pipeline = [];
  };
  while (!list.isClosed && scan.at < scan.text.length) {
    skipBlanks(scan);
    const from = scan.at;
    if (takeSeparator(scan, list)) endPipeline();
    else if (scan.text[scan.at] === "|") scan.at += scan.text[scan.at + 1] === "&" ? 2 : 1;
    else {
      const stage = parseStage(parsing, pipeline.at(-1));
      if (stage !== undefined) pipeline.push(stage);
      if (scan.at === from) scan.at++;
    }
  }
  endPipeline();
  return printed.length === 0 ? undefined : printed;
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
  readonly expander: Expander;
}

function parseStage(parsing: Parsing, previous: PipelineStage | undefined): PipelineStage | undefined {
  const draft: Draft = {
    words: [],
    assigned: [],
    inputs: [],
    input: previous?.printed?.join(" "),
    hasInput: previous !== undefined,
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
  const declared = DECLARATIONS.has(words[0] ?? "") ? words.slice(1).flatMap(parseAssignment) : [];
  for (const [name, values] of words.length === 0 ? assigned : declared) setVariable(shell, name, values);
  if (words.length + inputs.length === 0 && group === undefined) return undefined;
  const run = shell.runSimple({ words: group === undefined ? words : [], inputs, input, hasInput }, depth);
  return {
    reads: group === undefined ? run.reads : [...group.reads, ...run.reads],
    printed: group?.printed ?? run.printed,
    isCounter: run.isCounter,
    isEscaping: draft.isEscaping || run.isEscaping,
    isToFile,
  };
}

/** A long value is dropped: a script that reuses it could make it grow without bound. */
function setVariable(shell: Shell, name: string, values: readonly string[]): void {
  const followed = values.map((value) => (value.length > MAX_VALUE_CHARACTERS ? UNKNOWN_WORD : value));
  shell.variables.set(name, followed);
}

function parseAssignment(word: string): readonly [string, readonly string[]][] {
  const name = ASSIGNMENT.exec(word)?.[1];
  return name === undefined ? [] : [[name, [word.slice(word.indexOf("=") + 1)]]];
}

/** Parses one word, redirection or group. Returns false at the end of the part. */
function parsePart(parsing: Parsing, draft: Draft): boolean {
  const { scan, shell, expander } = parsing;
  const { text, at } = scan;
  if (text[at] === "(") return parseParenthesis(scan, draft, shell);
  const isSubstitution = text.startsWith("<(", at) || text.startsWith(">(", at);
  if (!isSubstitution && (text[at] === "<" || text[at] === ">" || text.startsWith("&>", at))) {
    parseRedirection(scan, draft, expander);
    return true;
  }
  const word = parseWord(scan, expander);
  if (word === undefined) return false;
  const isDescriptor = word.isPlain && /^\d+$/.test(word.fields[0] ?? "") && /[<>]/.test(text[scan.at] ?? "");
  if (isDescriptor) draft.descriptor = word.fields[0];
  else addWord(parsing, draft, word);
  return true;
}

function addWord(parsing: Parsing, draft: Draft, word: Word): void {
  const [first = ""] = word.fields;
  const isHead = draft.words.length === 0 && draft.group === undefined;
  if (isHead && word.isPlain && isKeyword(parsing, draft, first)) return;
  const name = isHead ? ASSIGNMENT.exec(first)?.[1] : undefined;
  if (name === undefined) for (const field of word.fields) draft.words.push(field);
  else draft.assigned.push([name, word.fields.map((field) => field.slice(field.indexOf("=") + 1))]);
}

/** Whether the word is a shell keyword. Also consumes what belongs to the keyword. */
function isKeyword({ scan, shell, list, expander }: Parsing, draft: Draft, keyword: string): boolean {
  if (keyword === "{" && scan.depth < MAX_SHELL_DEPTH) draft.group = parseGroup(scan, shell, "}");
  else if (keyword === "}" && list.closer === "}") list.isClosed = true;
  else if (keyword === "case") {
    list.cases++;
    takeWords(scan, expander, 2);
  } else if (keyword === "esac") list.cases = Math.max(0, list.cases - 1);
  else if (keyword === "function") takeWords(scan, expander, 1);
  else if (keyword === "for" || keyword === "select") {
    const [name = "", , ...values] = takeWords(scan, expander, Number.POSITIVE_INFINITY);
    setVariable(shell, name, values.length === 0 ? [UNKNOWN_WORD] : values.slice(0, MAX_FIELDS));
  } else if (keyword === "time") takeMatch(scan, /\s*-p(?=\s)/y);
  else return KEYWORDS.has(keyword) || keyword === "{";
  return true;
}

function takeWords(scan: Scan, expander: Expander, count: number): readonly string[] {
  const taken: string[] = [];
  for (let at = 0; at < count; at++) {
    skipBlanks(scan);
    const word = parseWord(scan, expander);
    if (word === undefined) break;
    for (const field of word.fields) taken.push(field);
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
  const printed = parseCommands(scan, shell, closer);
  scan.depth--;
  const { reads } = shell;
  shell.reads = outer;
  return { reads, printed, isCounter: false, isEscaping: false, isToFile: false };
}

function parseRedirection(scan: Scan, draft: Draft, expander: Expander): void {
  const operator = takeMatch(scan, REDIRECTION);
  const { descriptor } = draft;
  draft.descriptor = undefined;
  skipBlanks(scan);
  const word = parseWord(scan, expander);
  const target = word?.fields.join(" ") ?? "";
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
    draft.input = word?.isPlain === true ? expandText(body, expander, scan.depth + 1) : body;
  } else if (!operator.endsWith("&")) for (const field of word?.fields ?? []) draft.inputs.push(field);
}

function createExpander(shell: Shell, { depth }: Scan): Expander {
  return {
    findVariable: (name) => {
      if (name === "HOME") return shell.home === undefined ? undefined : [shell.home];
      if (name === "PWD") return shell.directory === undefined ? undefined : [shell.directory];
      return shell.variables.get(name);
    },
    runNested: (scan) => {
      const { directory } = shell;
      scan.depth++;
      const printed = parseCommands(scan, shell, ")");
      scan.depth--;
      shell.directory = directory;
      return printed;
    },
    runText: (text) => shell.runText(text, depth + 1),
  };
}
