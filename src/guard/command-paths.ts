import {
  type Arguments,
  BUILDERS,
  COUNTERS,
  LISTERS,
  parseArguments,
  parseCluster,
  READERS,
  type ReaderOptions,
  SHELLS,
  WRAPPERS,
} from "./command-table.ts";
import { guessHome, type ResolvedPlace, resolvePath, UNKNOWN_WORD } from "./resolve-path.ts";
import { parseCommands, parseNested } from "./shell-commands.ts";
import {
  type CommandEffect,
  type CommandRead,
  noEffect,
  type PipelineStage,
  type Shell,
  type SimpleCommand,
} from "./shell-state.ts";
import { createScan, MAX_SHELL_DEPTH } from "./shell-words.ts";
import { describeShell, SPECIAL } from "./special-commands.ts";

/** How much shell text is parsed in all, nested scripts included. Anything beyond is ignored. */
const MAX_CHARACTERS = 1_000_000;

/** Lists the paths that a shell command would read into the window, as far as its text shows. Runs nothing and never throws. */
export function listCommandReads(command: string, place: ResolvedPlace): readonly CommandRead[] {
  const shell: Shell = {
    home: guessHome(place),
    directory: resolvePath(place.directory === "" ? place.root : place.directory, { directory: place.root }),
    variables: new Map(),
    isUnsure: false,
    reads: [],
    remainingCharacters: MAX_CHARACTERS,
    runText: (text, depth) => runText(shell, text, depth),
    runNested: (scan) => parseNested(scan, shell),
    runSimple: (simple, depth) => runSimple(shell, simple, depth),
  };
  runText(shell, command, 0);
  if (shell.isUnsure) return [];
  const reads = new Map(shell.reads.map((read) => [`${read.isTree} ${read.path}`, read]));
  return [...reads.values()];
}

function runText(shell: Shell, text: string, depth: number): void {
  if (depth > MAX_SHELL_DEPTH || shell.remainingCharacters <= 0) return;
  const followed = text.slice(0, shell.remainingCharacters);
  shell.remainingCharacters -= followed.length;
  const { directory } = shell;
  parseCommands(createScan(followed, depth), shell, undefined);
  shell.directory = directory;
}

/** Applies a simple command. Its reads go to its stage, because the rest of the pipeline may still discard them. */
function runSimple(shell: Shell, { words, inputs, input, hasInput }: SimpleCommand, depth: number): PipelineStage {
  const effect = describeCommand(words, hasInput);
  const before = shell.directory;
  const outer = shell.reads;
  shell.reads = [];
  if (effect.directory !== undefined) shell.directory = resolvePath(effect.directory, shell);
  for (const { word, isTree } of effect.operands) addRead(shell, word, isTree);
  if (effect.isPrintingInput) for (const word of inputs) addRead(shell, word, false);
  const scripts = effect.isRunningInput && input !== undefined ? [...effect.scripts, input] : effect.scripts;
  for (const script of scripts) if (script !== "") shell.runText(script, depth + 1);
  if (depth < MAX_SHELL_DEPTH) runCommands(shell, effect.commands, depth);
  shell.directory = before;
  changeDirectory(shell, words);
  const { reads } = shell;
  shell.reads = outer;
  return { reads, isCounter: effect.isCounter, isEscaping: effect.isEscaping, isToFile: false };
}

function runCommands(shell: Shell, commands: readonly (readonly string[])[], depth: number): void {
  for (const words of commands) {
    const { reads } = runSimple(shell, { words, inputs: [], input: undefined, hasInput: false }, depth + 1);
    for (const read of reads) shell.reads.push(read);
  }
}

function addRead(shell: Shell, word: string, isTree: boolean): void {
  if (word === "" || word === "-") return;
  const path = resolvePath(word, shell);
  if (path !== undefined) shell.reads.push({ path, isTree: isTree || word.endsWith("/") });
}

/** `cd` and `pushd`. If the target is unknown, every relative path after it is unknown too. */
function changeDirectory(shell: Shell, [name, ...operands]: readonly string[]): void {
  if (name === "popd") shell.directory = undefined;
  if (name !== "cd" && name !== "pushd" && name !== "chdir") return;
  const target = operands.find((word) => !/^-[LPe@]*$/.test(word) || word === "-") ?? "~";
  shell.directory = target === "-" || target === UNKNOWN_WORD ? undefined : resolvePath(target, shell);
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/** Tells from its words what a command would print. A command that is not known to print files passes. */
function describeCommand(given: readonly string[], hasInput: boolean): CommandEffect {
  const { words, directory, scripts } = unwrap(given);
  const effect = describeNamed(commandName(words[0] ?? ""), words, hasInput);
  return {
    ...effect,
    scripts: [...scripts, ...effect.scripts],
    directory: directory === undefined ? effect.directory : `${directory}/${effect.directory ?? "."}`,
  };
}

/** Drops the unknown parts of the name, as in `ca${x}t`. */
function commandName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1).replaceAll(UNKNOWN_WORD, "");
}

function describeNamed(name: string, words: readonly string[], hasInput: boolean): CommandEffect {
  const reader = READERS.get(name);
  if (reader !== undefined) return describeReader(words, reader, hasInput);
  const lister = LISTERS.get(name);
  if (lister !== undefined) return describeLister(words, lister);
  const describeSpecial = SPECIAL.get(name);
  if (describeSpecial !== undefined) return describeSpecial(words);
  if (SHELLS.has(name)) return describeShell([name, ...words.slice(1)]);
  if (COUNTERS.has(name)) return { ...noEffect, isCounter: true, isPrintingInput: false };
  if (name.includes(" ")) return { ...noEffect, scripts: [words.join(" ")] };
  return { ...noEffect, isPrintingInput: !BUILDERS.has(name) && !BUILDERS.has(words[0] ?? "") };
}

function describeReader([, ...rest]: readonly string[], reader: ReaderOptions, hasInput: boolean): CommandEffect {
  const given = parseArguments(rest, reader);
  const isTree = hasOption(given, reader.treeOptions);
  const isCounting = !isTree && hasOption(given, reader.countOptions);
  if (isCounting || hasOption(given, reader.quietOptions))
    return { ...noEffect, isCounter: true, isPrintingInput: false };
  const hasProgram = reader.programOptions !== undefined && !hasOption(given, reader.programOptions);
  const named = hasProgram ? given.operands.slice(1) : given.operands;
  const isHere = named.length === 0 && isTree && !hasInput;
  const globs = given.values.filter(([option, value]) => /^(?:g|i?glob)$/.test(option) && !value.startsWith("!"));
  const words = [...(isHere ? ["."] : named), ...globs.map(([, value]) => value)];
  return { ...noEffect, operands: words.map((word) => ({ word, isTree })) };
}

/** Listing one level is allowed, a whole tree is not. */
function describeLister(words: readonly string[], lister: ReaderOptions): CommandEffect {
  const given = parseArguments(words.slice(1), lister);
  const isOneLevel = given.values.some(([option, value]) => option === "L" && value === "1");
  const effect = { ...noEffect, isPrintingInput: false };
  if (isOneLevel || !hasOption(given, lister.treeOptions) || hasOption(given, lister.quietOptions)) return effect;
  const folders = given.operands.length === 0 ? ["."] : given.operands;
  return { ...effect, operands: folders.map((word) => ({ word, isTree: true })) };
}

function hasOption({ options }: Arguments, names: readonly string[] | "always" | undefined): boolean {
  return names === "always" || (names?.some((name) => options.has(name)) ?? false);
}

/** Finds the command behind any number of `env`, `sudo`, `xargs`, `timeout 5` and the like. */
function unwrap(given: readonly string[]) {
  let at = 0;
  let directory: string | undefined;
  let isFed = false;
  const scripts: string[] = [];
  for (;;) {
    while (given[at] === UNKNOWN_WORD && at + 1 < given.length) at++;
    const name = commandName(given[at] ?? "");
    const wrapper = WRAPPERS.get(name);
    if (wrapper === undefined) break;
    const isLookup = name === "command" && /^-[vV]$/.test(given[at + 1] ?? "");
    if (isLookup) return { words: [], directory, scripts };
    isFed ||= name.endsWith("xargs");
    for (at++; at < given.length && isWrapperOption(given[at] ?? ""); at++) {
      const word = given[at] ?? "";
      const cluster = word.startsWith("-") && !word.startsWith("--") ? parseCluster(word, wrapper.valued) : undefined;
      if (cluster?.valuedBy === undefined) continue;
      const value = cluster.value ?? given[++at] ?? "";
      if (name === "env" && cluster.valuedBy === "C") directory = value;
      if (name === "env" && cluster.valuedBy === "S") scripts.push(value);
    }
    at += wrapper.operands;
  }
  const words = given.slice(at);
  return { words: isFed ? feed(words) : words, directory, scripts };
}

function isWrapperOption(word: string): boolean {
  return (word.startsWith("-") && word !== "-") || ASSIGNMENT.test(word);
}

/** `xargs` replaces `{}` with its input, or appends it at the end. */
function feed(words: readonly string[]): readonly string[] {
  const filled = words.map((word) => word.replaceAll("{}", UNKNOWN_WORD));
  return filled.some((word, at) => word !== words[at]) ? filled : [...words, UNKNOWN_WORD];
}
