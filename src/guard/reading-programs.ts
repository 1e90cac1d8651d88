import { baseName } from "../session/file-path.ts";

/** A word of a command that names what the command puts into the window. */
export interface WordRead {
  readonly word: string;
  /** The directory is walked, not only named. */
  readonly isTree: boolean;
}

interface Program {
  /** It walks directories: always, or with one of these options. */
  readonly walks?: "always" | RegExp;
  /** It lists names only, and one level of them is allowed. */
  readonly lists?: true;
  /** The first operand is a pattern or a script, unless one of these options gave it. */
  readonly pattern?: RegExp;
  /** Options whose value is the next word, where that value could be taken for a path. */
  readonly valued?: RegExp;
  /** With one of these options it prints next to nothing. */
  readonly brief?: RegExp;
}

const PLAIN = `cat tac less more nl od xxd hexdump strings bat batcat zcat gzcat bzcat xzcat sort uniq cut paste
  join fold fmt column comm rev expand base64`;
const PATTERN = /^-\w*[ef]$|^--(?:regexp|file|files|expression|from-file)\b/;
const GREP: Program = {
  walks: /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive$/,
  pattern: PATTERN,
  valued: /^-[a-zA-Z]*[efmABCdD]$|^--(?:regexp|file|max-count|(?:after-|before-)?context|include|exclude(?:-dir)?)$/,
  brief: /^-[a-zA-Z]*[qc]|^--(?:quiet|silent|count)$/,
};
const RIPGREP: Program = {
  walks: "always",
  pattern: PATTERN,
  valued:
    /^-[a-zA-Z]*[efgtTABCmMjdrE]$|^--(?:regexp|file|i?glob|type(?:-not)?|(?:after-|before-)?context|max-\w+|replace|sortr?)$/,
};
const AWK: Program = { pattern: /^-f$|^--file\b/, valued: /^-[Fvf]$/ };
const JQ: Program = { pattern: PATTERN, valued: /^-[fL]$|^--(?:indent|from-file)$/ };
const SED: Program = { pattern: PATTERN, valued: /^-[a-zA-Z]*[efl]$/, brief: /^-i|^--in-place/ };

/** What prints files or walks directories. A program that is not here passes: builds, tests, and whatever reads for itself. */
const PROGRAMS: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...each(PLAIN, {}),
  ...each("head tail", { valued: /^-[ncs]$|^--(?:lines|bytes)$/ }),
  ...each("diff colordiff", { walks: /^-[a-zA-Z]*r|^--recursive$/ }),
  ...each("grep egrep fgrep zgrep", GREP),
  ...each("rg ag ack", RIPGREP),
  ...each("sed gsed", SED),
  ...each("awk gawk mawk", AWK),
  ...each("jq yq", JQ),
  ...each("ls exa eza lsd", {
    lists: true,
    walks: /^-[a-zA-Z]*[RT]|^--(?:recursive|recurse|tree)$/,
    valued: /^-[IL]$/,
  }),
  ...each("tree", { lists: true, walks: "always", valued: /^-[LPIo]$/ }),
  ...each("fd fdfind", {
    lists: true,
    walks: "always",
    pattern: /^$/,
    valued: /^-[eEtdSxXcj]$|^--(?:ext|excl|type|max)/,
  }),
]);

/** What comes out of these does not grow with what goes in. */
const COUNTERS = new Set("wc md5sum sha1sum sha256sum sha512sum shasum md5 cksum sum true : test [ cmp".split(" "));
const ONE_LEVEL = /(?:^| )(?:-L|-d|--level|--?max-?depth)[ =]?[01](?: |$)/;

function each(names: string, program: Program): readonly (readonly [string, Program])[] {
  return names.split(/\s+/).map((name) => [name, program]);
}

/** What a simple command reads into the window, or `undefined` where its output is short however much it reads. */
export function listWordReads(words: readonly string[]): readonly WordRead[] | undefined {
  const name = baseName(words[0] ?? "");
  const rest = words.slice(1);
  if (COUNTERS.has(name) || name.includes("$")) return undefined;
  if (name === "find") return listFound(rest);
  if (name === "git") return listShownByGit(rest);
  const program = PROGRAMS.get(name);
  return program === undefined ? [] : listNamed(program, rest);
}

/** Whether it prints what `<` or a pipe feeds it. */
export function isReader(words: readonly string[]): boolean {
  const name = baseName(words[0] ?? "");
  return name === "" || (PROGRAMS.get(name)?.lists === undefined && PROGRAMS.has(name));
}

function listNamed(program: Program, rest: readonly string[]): readonly WordRead[] | undefined {
  const { options, operands, globs } = splitOptions(rest, program.valued);
  const has = (wanted: RegExp | undefined): boolean => options.some((option) => wanted?.test(option));
  const isTree = program.walks === "always" || has(program.walks);
  if (!isTree && has(program.brief)) return undefined;
  if (program.lists === true && (!isTree || ONE_LEVEL.test(rest.join(" ")))) return [];
  const named = program.pattern === undefined || has(program.pattern) ? operands : operands.slice(1);
  const isHere = isTree && named.length === 0;
  return [...(isHere ? ["."] : named), ...globs].map((word) => ({ word, isTree }));
}

function splitOptions(rest: readonly string[], valued: RegExp | undefined) {
  const options: string[] = [];
  const operands: string[] = [];
  const globs: string[] = [];
  let at = 0;
  for (; at < rest.length && rest[at] !== "--"; at++) {
    const word = rest[at] ?? "";
    if (!word.startsWith("-") || word === "-") operands.push(word);
    else {
      options.push(word);
      const glob = /^(?:-g|--i?glob)(?:=|$)(.*)/.exec(word)?.[1];
      const value = valued?.test(word) ? rest[++at] : undefined;
      if (glob !== undefined) globs.push(glob || (value ?? ""));
    }
  }
  return {
    options,
    operands: [...operands, ...rest.slice(at + 1)],
    globs: globs.filter((glob) => !glob.startsWith("!")),
  };
}

const FIND_SILENT = /^-(?:delete|quit|fprint|fls|fprintf|exec|execdir|ok|okdir)$/;
const FIND_ACTION = /^-(?:exec|ok)(?:dir)?$/;

/** `find FOLDERS EXPRESSION`: a tree of names, or what the command of its `-exec` prints. */
function listFound(rest: readonly string[]): readonly WordRead[] {
  const begin = rest.findIndex((word) => /^[-(!]/.test(word) && !/^-(?:[HLP]|O\d)$/.test(word));
  const given = (begin < 0 ? rest : rest.slice(0, begin)).filter((word) => !word.startsWith("-"));
  const folders = given.length === 0 ? ["."] : given;
  const expression = begin < 0 ? [] : rest.slice(begin);
  const action = expression.findIndex((word) => FIND_ACTION.test(word));
  const isRead =
    action < 0 ? !expression.some((word) => FIND_SILENT.test(word)) : isReader(expression.slice(action + 1));
  if (!isRead || ONE_LEVEL.test(rest.join(" "))) return [];
  const sought = expression.filter(
    (_, at) =>
      /^-i?(?:path|wholename)$/.test(expression[at - 1] ?? "") && !/^(?:!|-not)$/.test(expression[at - 2] ?? ""),
  );
  const isPruned = expression.includes("-prune");
  return [
    ...folders.map((word) => ({ word, isTree: true })),
    ...(isPruned ? [] : sought).map((word) => ({ word, isTree: false })),
  ];
}

const GIT_CONTENT = new Set("show diff grep blame annotate cat-file".split(" "));
const GIT_BRIEF = /^--(?:(?:short|num|dir)?stat|name-only|name-status|quiet|summary|no-patch|oneline)\b/;

/** A word behind `--` or a revision's colon is a path. Any other word may be a branch, unless it looks like a file. */
function listShownByGit(words: readonly string[]): readonly WordRead[] {
  const folder = words[0] === "-C" ? words[1] : undefined;
  const [name = "", ...rest] = folder === undefined ? words : words.slice(2);
  const isPatch = rest.some((word) => /^(?:-p|-u|--patch)$/.test(word));
  const isContent = GIT_CONTENT.has(name) || (isPatch && /^(?:log|stash)$/.test(name));
  if (!isContent || (!isPatch && rest.some((word) => GIT_BRIEF.test(word)))) return [];
  const dashes = rest.indexOf("--");
  const before = (dashes < 0 ? rest : rest.slice(0, dashes)).flatMap((word) => {
    const path = /^[^-:][^:]*:(.+)$/.exec(word)?.[1] ?? (/^[^-].*\/[^/]*\.[^/]*$/.test(word) ? word : undefined);
    return path === undefined || name === "grep" ? [] : [path];
  });
  const paths = [...before, ...(dashes < 0 ? [] : rest.slice(dashes + 1))];
  return paths.map((word) => ({ word: folder === undefined ? word : `${folder}/${word}`, isTree: true }));
}
