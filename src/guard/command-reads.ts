import { baseName } from "../session/file-path.ts";
import { isReader, listWordReads } from "./reading-programs.ts";
import { guessHome, type ResolvedPlace, resolvePath } from "./resolve-path.ts";

/** A path whose content or tree a command would put into the window. */
export interface CommandRead {
  /** Absolute, without `.` and `..`; may contain globs. */
  readonly path: string;
  /** The directory is walked, not only named. */
  readonly isTree: boolean;
}

/** What is known of the shell at the place of the text that is looked at. */
interface Shell {
  readonly home: string | undefined;
  /** Values of one word that the text itself gives. */
  readonly variables: Map<string, string>;
  directory: string | undefined;
  readonly found: Map<string, CommandRead>;
}

interface SimpleCommand {
  readonly words: string[];
  /** Files that `<` feeds it. */
  readonly inputs: string[];
  isToFile: boolean;
}

/** Longer text is not looked at: nobody writes it, and the guard is asked before every call. */
const MAX_CHARACTERS = 1_000_000;
/** Scripts inside scripts, as in `sh -c "sh -c …"`. */
const MAX_DEPTH = 4;
/** Longer values are forgotten: text that uses them again and again would grow without bound. */
const MAX_VALUE_CHARACTERS = 256;
const MAX_WORD_CHARACTERS = 4096;

/**
 * The paths that a command would read into the window: its text is split at the shell's separators, and `reading-programs.ts` says what
 * each simple command prints. What the text does not show passes. It runs nothing and never throws.
 */
export function listCommandReads(command: string, place: ResolvedPlace): readonly CommandRead[] {
  const home = guessHome(place);
  const directory = resolvePath(place.directory === "" ? place.root : place.directory, { directory: place.root });
  const shell: Shell = { home, directory, variables: new Map(), found: new Map() };
  setVariable(shell, "HOME", home ?? "");
  setVariable(shell, "PWD", directory ?? "");
  followText(shell, command.slice(0, MAX_CHARACTERS), 0);
  return [...shell.found.values()];
}

const TOKEN = new RegExp(
  [
    String.raw`(?<blank>[ \t\r]+|\\\r?\n|#[^\n]*)`,
    String.raw`(?<end>&&|\|\||;;?&?|\n|\$\(|[<>]\(|[()${"`"}]|&(?!>))`,
    String.raw`(?<pipe>\|&?)`,
    String.raw`(?<redirection>\d*(?:>>?[|&]?|<<<|<<-?|<[>&]?)|&>>?)`,
    String.raw`(?<word>(?:[^\s'"\\;&|()<>${"`"}$]+|'[^']*'?|"[^"\\]*(?:\\[\s\S][^"\\]*)*"?|\\[\s\S]?|\$(?!\())+)`,
  ].join("|"),
  "y",
);
const QUOTED = /'([^']*)'?|"([^"\\]*(?:\\[\s\S][^"\\]*)*)"?|\\\n|\\([\s\S]?)/g;

function followText(shell: Shell, given: string, depth: number): void {
  const text = dropHereDocuments(given);
  const outer: (string | undefined)[] = [shell.directory];
  let pipeline: SimpleCommand[] = [];
  let command = createCommand();
  let redirection: string | undefined;
  const endCommand = (isPipelineOver: boolean) => {
    pipeline.push(command);
    command = createCommand();
    redirection = undefined;
    if (!isPipelineOver) return;
    followPipeline(shell, pipeline, depth);
    pipeline = [];
  };
  for (let at = 0; at < text.length; ) {
    TOKEN.lastIndex = at;
    const { 0: token, groups = {} } = TOKEN.exec(text) ?? { 0: text[at] ?? "" };
    at += token.length;
    if (groups.pipe !== undefined) endCommand(false);
    else if (groups.end !== undefined) {
      endCommand(true);
      if (token.endsWith("(")) outer.push(shell.directory);
      else if (token === ")" && outer.length > 1) shell.directory = outer.pop();
    } else if (groups.redirection !== undefined) redirection = token;
    else if (groups.word !== undefined) {
      const word = unquote(token, (inner) => followScript(shell, inner, depth));
      if (redirection === undefined) command.words.push(word);
      else redirect(command, redirection, word);
      redirection = undefined;
    }
  }
  endCommand(true);
}

function createCommand(): SimpleCommand {
  return { words: [], inputs: [], isToFile: false };
}

/** What a script does to the directory is over when it ends. */
function followScript(shell: Shell, script: string, depth: number): void {
  const { directory } = shell;
  if (depth < MAX_DEPTH) followText(shell, script, depth + 1);
  shell.directory = directory;
}

/** Without the lines that `<<WORD` takes from the text: they are input, and no commands. */
function dropHereDocuments(text: string): string {
  if (!text.includes("<<")) return text;
  const lines = text.split("\n");
  const last = new Map(lines.map((line, at) => [line.trim(), at]));
  let end: string | undefined;
  return lines
    .filter((line, at) => {
      const isInside = end !== undefined;
      if (isInside) end = line.trim() === end ? undefined : end;
      else {
        const word = /(?<!<)<<-?\s*(["']?)([\w.-]+)\1/.exec(line)?.[2];
        end = word !== undefined && (last.get(word) ?? 0) > at ? word : undefined;
      }
      return !isInside;
    })
    .join("\n");
}

/** The word without its quotes. A `$( )` between double quotes is followed, and the word's value is not known. */
function unquote(token: string, follow: (script: string) => void): string {
  return token.replace(QUOTED, (_all, single?: string, double?: string, escaped = "") => {
    const inner = double?.indexOf("$(") ?? -1;
    if (double !== undefined && inner >= 0) follow(double.slice(inner + 2).replace(/\\(["$`\\])/g, "$1"));
    return single ?? double?.replace(/\\([$`"\\\n])/g, "$1") ?? escaped;
  });
}

function redirect(command: SimpleCommand, operator: string, target: string): void {
  if (operator.includes(">")) {
    const isOutput = !/^[02-9]/.test(operator);
    const isShown = /^\/dev\/(?:std(?:out|err)|tty)$/.test(target) || (operator.endsWith("&") && /^\d$/.test(target));
    command.isToFile ||= isOutput && !isShown;
  } else if (/^0?<$/.test(operator)) command.inputs.push(target);
}

/** Output that ends in a count or in a file does not enter the window. */
function followPipeline(shell: Shell, pipeline: readonly SimpleCommand[], depth: number): void {
  const outputs = pipeline.map((command) => followCommand(shell, command, depth));
  const isShort = outputs.at(-1) === undefined || pipeline.at(-1)?.isToFile === true;
  if (isShort) return;
  for (const [at, reads] of outputs.entries()) {
    if (pipeline[at]?.isToFile === true) continue;
    for (const read of reads ?? []) shell.found.set(`${read.isTree} ${read.path}`, read);
  }
}

const KEYWORDS = new Set(
  "if then else elif do while until done fi esac coproc ! { } export declare local readonly".split(" "),
);
const WRAPPERS = new Set(
  "sudo doas env nice nohup timeout gtimeout time stdbuf exec command builtin xargs gxargs".split(" "),
);
const SHELLS = new Set("sh bash zsh dash ksh".split(" "));
const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=([\s\S]*)$/;

/** What the command reads, or `undefined` where its output stays short. */
function followCommand(shell: Shell, { words, inputs }: SimpleCommand, depth: number) {
  const command = findCommand(shell, words);
  const [name = "", ...rest] = command;
  if (name === "for") setVariable(shell, rest[0] ?? "", rest.length === 3 ? (rest[2] ?? "") : SEVERAL);
  if (name === "cd" || name === "pushd") changeDirectory(shell, rest);
  if (name === "popd") shell.directory = undefined;
  if (name === "eval") followScript(shell, rest.join(" "), depth);
  const option = SHELLS.has(baseName(name)) ? rest.findIndex((word) => /^-\w*c$/.test(word)) : -1;
  if (option >= 0) followScript(shell, rest[option + 1] ?? "", depth);
  const reads = listWordReads(command);
  if (reads === undefined) return undefined;
  if (words.some((word) => usesSeveral(shell, word))) return [];
  const fed = isReader(command) ? inputs.map((word) => ({ word, isTree: false })) : [];
  return [...reads, ...fed].flatMap(({ word, isTree }) => {
    const path = word === "" || word === "-" ? undefined : resolveWord(shell, word);
    return path === undefined ? [] : [{ path, isTree: isTree || word.endsWith("/") }];
  });
}

/** The words from the command's own name on: without keywords, assignments and commands that run another. */
function findCommand(shell: Shell, words: readonly string[]): readonly string[] {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const [assigned, name = "", value = ""] = ASSIGNMENT.exec(word) ?? [];
    if (assigned !== undefined) setVariable(shell, name, value);
    else if (WRAPPERS.has(baseName(word))) while (/^[-\d]/.test(words[at + 1] ?? "")) at++;
    else if (!KEYWORDS.has(word)) return words.slice(at);
  }
  return [];
}

/** Stands for a value of several words, or for one after the other: nothing is said of a command that uses it. */
const SEVERAL = " ";

function setVariable(shell: Shell, name: string, word: string): void {
  const value = expand(shell, word);
  if (value === "" || value.length > MAX_VALUE_CHARACTERS || value.includes("$")) shell.variables.delete(name);
  else shell.variables.set(name, /\s/.test(value) ? SEVERAL : value);
}

function usesSeveral(shell: Shell, word: string): boolean {
  return word.includes("$") && expand(shell, word.replace(/\s+/g, "")).includes(SEVERAL);
}

function expand(shell: Shell, word: string): string {
  if (!word.includes("$") || word.length > MAX_WORD_CHARACTERS) return word;
  const findValue = (all: string, braced = "", plain = "") => shell.variables.get(braced || plain) ?? all;
  return word.replace(/\$(?:\{(\w+)\}|(\w+))/g, findValue);
}

/** A part of which only the shell will know the name may be any; what begins with one may be anywhere. */
function resolveWord(shell: Shell, word: string): string | undefined {
  const [first = "", ...segments] = expand(shell, word.replaceAll("{}", "$")).split("/");
  if (first.includes("$")) return undefined;
  return resolvePath([first, ...segments.map((segment) => (segment.includes("$") ? "*" : segment))].join("/"), shell);
}

function changeDirectory(shell: Shell, operands: readonly string[]): void {
  const target = operands.find((word) => !word.startsWith("-") || word === "-") ?? "~";
  shell.directory = target === "-" ? undefined : resolveWord(shell, target);
}
