import { parseArguments, parseCluster, replaceShort } from "./command-table.ts";
import { type CommandEffect, isWindowFile, noEffect, type Operand } from "./shell-state.ts";

/** Commands whose arguments follow rules of their own. `words` begins with the command's name. */
export const SPECIAL: ReadonlyMap<string, (words: readonly string[]) => CommandEffect> = new Map([
  ["find", describeFind],
  ["gfind", describeFind],
  ["git", describeGit],
  ["cp", describeCopy],
  ["mv", describeCopy],
  ["install", describeCopy],
  ["dd", describeDd],
  ["tee", describeTee],
  ["eval", (words) => ({ ...noEffect, scripts: [words.slice(1).join(" ")] })],
  ["trap", (words) => ({ ...noEffect, scripts: [words[1] ?? ""] })],
]);

const FIND_ACTIONS = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const FIND_SILENT = new Set([...FIND_ACTIONS, "-delete", "-quit", "-fprint", "-fls", "-fprintf"]);
const FIND_PRINTING = new Set(["-print", "-print0", "-printf", "-ls"]);
const FIND_PATHS = new Set(["-path", "-ipath", "-wholename", "-iwholename"]);

function describeFind(words: readonly string[]): CommandEffect {
  const isExpression = (word: string) => /^[-(!]/.test(word) && !/^-(?:[HLP]|O\d)$/.test(word);
  const begin = words.findIndex((word, at) => at > 0 && isExpression(word));
  const given = words.slice(1, begin < 0 ? undefined : begin).filter((word) => !word.startsWith("-"));
  const folders = given.length === 0 ? ["."] : given;
  const expression = begin < 0 ? [] : words.slice(begin);
  const depth = expression[expression.indexOf("-maxdepth") + 1];
  const isShallow = expression.includes("-maxdepth") && (depth === "0" || depth === "1");
  const isListing =
    !expression.some((word) => FIND_SILENT.has(word)) || expression.some((word) => FIND_PRINTING.has(word));
  const found = folders.slice(0, 64).map((folder) => `${folder}/*`);
  const operands: Operand[] = [
    ...(isShallow ? [] : folders.map((word) => ({ word, isTree: true }))),
    ...(expression.includes("-prune") ? [] : listSought(expression).map((word) => ({ word, isTree: false }))),
  ];
  return { ...noEffect, operands: isListing ? operands : [], commands: listActions(expression, found) };
}

/** Values of `-path` that are searched for, not excluded. */
function listSought(expression: readonly string[]): readonly string[] {
  return expression.filter((_, at) => {
    const before = expression[at - 2] ?? "";
    return FIND_PATHS.has(expression[at - 1] ?? "") && before !== "!" && before !== "-not";
  });
}

/** The commands of `-exec`, with the found paths in place of `{}`. */
function listActions(expression: readonly string[], found: readonly string[]): readonly (readonly string[])[] {
  const commands: string[][] = [];
  let command: string[] | undefined;
  for (const word of expression) {
    if (command === undefined) {
      if (FIND_ACTIONS.has(word)) command = [];
    } else if (word === ";" || (word === "+" && command.at(-1) === found.at(-1))) {
      commands.push(command);
      command = undefined;
    } else if (word === "{}" && !command.includes(found[0] ?? "")) command.push(...found);
    else command.push(replaceShort(word, /\{\}/g, () => found[0] ?? ""));
  }
  return command === undefined ? commands : [...commands, command];
}

const GIT_CONTENT = new Set("show diff grep blame annotate cat-file ls-files ls-tree log whatchanged stash".split(" "));
const GIT_BRIEF = /^--(?:stat|shortstat|numstat|dirstat|name-only|name-status|quiet|summary|no-patch|oneline)\b/;

function describeGit(words: readonly string[]): CommandEffect {
  let directory: string | undefined;
  let at = 1;
  for (; words[at]?.startsWith("-"); at++) {
    if (words[at] === "-C") directory = directory === undefined ? words[at + 1] : `${directory}/${words[at + 1] ?? ""}`;
    if (words[at] === "-C" || words[at] === "-c" || words[at] === "--git-dir" || words[at] === "--work-tree") at++;
  }
  const [name = "", ...rest] = words.slice(at);
  const effect = { ...noEffect, directory, isPrintingInput: false };
  const isPatch = rest.some((word) => word === "-p" || word === "-u" || word === "--patch");
  const isLog = name === "log" || name === "whatchanged" || name === "stash";
  if (!GIT_CONTENT.has(name) || (isLog && !isPatch)) return effect;
  if (!isPatch && rest.some((word) => GIT_BRIEF.test(word))) return effect;
  const paths = listGitPaths(name, rest);
  return { ...effect, operands: (paths.length === 0 ? ["."] : paths).map((word) => ({ word, isTree: true })) };
}

/** A word behind `--` or a revision's colon is a path. Any other word may be a branch, unless it looks like a file. */
function listGitPaths(name: string, rest: readonly string[]): readonly string[] {
  const dashes = rest.indexOf("--");
  const before = dashes < 0 ? rest : rest.slice(0, dashes);
  const isAllPaths = name === "blame" || name === "annotate" || name === "ls-files";
  const named = before.flatMap((word) => {
    if (word.startsWith("-") || name === "grep") return [];
    const colon = word.indexOf(":");
    if (colon >= 0) return [word.slice(colon + 1)];
    return isAllPaths || /\/[^/]*\.[^/]*$/.test(word) ? [word] : [];
  });
  return dashes < 0 ? named : [...named, ...rest.slice(dashes + 1)];
}

function describeCopy(words: readonly string[]): CommandEffect {
  const { operands, values } = parseArguments(words.slice(1), { valued: "tSmog", longValued: ["target-directory"] });
  const target = values.find(([name]) => name === "t" || name === "target-directory")?.[1] ?? operands.at(-1) ?? "";
  if (!isWindowFile(target)) return noEffect;
  const sources = operands.filter((word) => !isWindowFile(word));
  return { ...noEffect, operands: sources.map((word) => ({ word, isTree: false })) };
}

function describeDd(words: readonly string[]): CommandEffect {
  const target = words.find((word) => word.startsWith("of="))?.slice(3);
  if (target !== undefined && !isWindowFile(target)) return noEffect;
  const inputs = words.filter((word) => word.startsWith("if="));
  return { ...noEffect, operands: inputs.map((word) => ({ word: word.slice(3), isTree: false })) };
}

function describeTee(words: readonly string[]): CommandEffect {
  return { ...noEffect, isEscaping: words.slice(1).some((word) => isWindowFile(word)) };
}

/** `sh -c TEXT`, also `-lc`. A shell with nothing to run runs its input. */
export function describeShell(words: readonly string[]): CommandEffect {
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? "";
    const isOption = word.startsWith("-") || word.startsWith("+");
    if (isOption && !word.startsWith("--") && parseCluster(word, "oO").letters.includes("c")) {
      const [script = "", ...values] = words.slice(at + 1).filter((next, index) => index > 0 || !next.startsWith("-"));
      return { ...noEffect, scripts: [fillIn(script, values)] };
    }
    if (/^[-+][oO]$/.test(word) || word === "--rcfile" || word === "--init-file") at++;
    else if (!isOption && words[0] !== "su" && words[0] !== "script") return { ...noEffect, isPrintingInput: false };
  }
  return { ...noEffect, isRunningInput: true };
}

/** Replaces `$1` and `$@` in a script, if its command gives their values. */
function fillIn(script: string, values: readonly string[]): string {
  if (values.length === 0) return script;
  return replaceShort(script, /\$\{?([0-9@*])\}?/g, (all, name) =>
    /\d/.test(name) ? (values[Number(name)] ?? all) : values.slice(1, 64).join(" "),
  );
}
