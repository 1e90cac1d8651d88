import { type CommandEffect, noEffect, type Operand } from "./command-effect.ts";
import { BUILDERS, COUNTERS, LISTERS, READERS, type ReaderOptions, SHELLS, WRAPPERS } from "./command-table.ts";
import { type Arguments, parseArguments, parseCluster, replaceShort } from "./parse-arguments.ts";
import { UNKNOWN_WORD } from "./shell-words.ts";
import { describeShell, SPECIAL } from "./special-commands.ts";

export interface CommandInput {
  /** Words that `xargs` would add, where it is known what is fed to it. */
  readonly words: readonly string[] | undefined;
  /** Something is fed to it, known or not. */
  readonly isGiven: boolean;
}

/** A program given as text is not read as one. */
const INTERPRETERS = new Set("node deno bun python python3 perl ruby php lua osascript Rscript".split(" "));
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/** What a command's words say that it would print. Whatever is not known to print files passes. */
export function describeCommand(given: readonly string[], input: CommandInput): CommandEffect {
  const { words, directory, scripts } = unwrap(given, input);
  const effect = describeNamed(commandName(words[0] ?? ""), words, input);
  const isNameless = given[0]?.includes(UNKNOWN_WORD) === true;
  if (directory === undefined && scripts.length === 0 && !isNameless) return effect;
  return {
    ...effect,
    unknown: isNameless ? "a command whose name is a variable" : effect.unknown,
    scripts: [...scripts, ...effect.scripts],
    directory: directory === undefined ? effect.directory : `${directory}/${effect.directory ?? "."}`,
  };
}

/** What is unknown in it is taken for nothing: `ca${x}t`. */
function commandName(word: string): string {
  return word.slice(word.lastIndexOf("/") + 1).replaceAll(UNKNOWN_WORD, "");
}

function describeNamed(name: string, words: readonly string[], input: CommandInput): CommandEffect {
  const reader = READERS.get(name);
  if (reader !== undefined) return describeReader(name, words, { reader, input });
  const lister = LISTERS.get(name);
  if (lister !== undefined) return describeLister(words, lister);
  const describeSpecial = SPECIAL.get(name);
  if (describeSpecial !== undefined) return describeSpecial(words);
  if (SHELLS.has(name)) return describeShell([name, ...words.slice(1)]);
  if (COUNTERS.has(name)) return { ...noEffect, isCounter: true, isPrintingInput: false };
  if (name.includes(" ")) return { ...noEffect, scripts: [words.join(" ")] };
  const isProgramText = INTERPRETERS.has(name) && words.some((word) => /^-{1,2}(?:e|c|pe|ne|eval|p|print)$/.test(word));
  const unknown = isProgramText ? `a program given to ${name}` : undefined;
  return { ...noEffect, unknown, isPrintingInput: !BUILDERS.has(name) && !BUILDERS.has(words[0] ?? "") };
}

function describeReader(
  name: string,
  words: readonly string[],
  { reader, input }: { readonly reader: ReaderOptions; readonly input: CommandInput },
): CommandEffect {
  const given = parseArguments(words.slice(1), reader);
  const isTree = hasOption(given, reader.treeOptions);
  const isCounting = !isTree && name.endsWith("grep") && hasOption(given, ["c", "count"]);
  if (isCounting || hasOption(given, reader.quietOptions))
    return { ...noEffect, isCounter: true, isPrintingInput: false };
  const hasProgram = reader.programOptions !== undefined && !hasOption(given, reader.programOptions);
  const named = hasProgram ? given.operands.slice(1) : given.operands;
  const isHere = named.length === 0 && isTree && !input.isGiven;
  const globs = given.values.filter(([option, value]) => /^(?:g|i?glob)$/.test(option) && !value.startsWith("!"));
  const operands: Operand[] = [...(isHere ? ["."] : named), ...globs.map(([, value]) => value)].map((word) => ({
    word,
    isTree,
  }));
  return { ...noEffect, operands };
}

/** One level may be listed; a whole tree may not. */
function describeLister(words: readonly string[], lister: ReaderOptions): CommandEffect {
  const given = parseArguments(words.slice(1), lister);
  const isOneLevel = given.values.some(([option, value]) => option === "L" && value === "1");
  const effect = { ...noEffect, printed: given.operands, isPrintingInput: false };
  if (isOneLevel || !hasOption(given, lister.treeOptions) || hasOption(given, lister.quietOptions)) return effect;
  const folders = given.operands.length === 0 ? ["."] : given.operands;
  return { ...effect, operands: folders.map((word) => ({ word, isTree: true })) };
}

function hasOption({ options }: Arguments, names: readonly string[] | "always" | undefined): boolean {
  return names === "always" || (names?.some((name) => options.has(name)) ?? false);
}

interface Unwrapped {
  readonly words: readonly string[];
  readonly directory: string | undefined;
  readonly scripts: readonly string[];
}

/** The command behind `env`, `sudo`, `xargs`, `timeout 5` and the like, however many of them there are. */
function unwrap(given: readonly string[], input: CommandInput): Unwrapped {
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
  return { words: isFed ? feed(words, input) : words, directory, scripts };
}

function isWrapperOption(word: string): boolean {
  return (word.startsWith("-") && word !== "-") || ASSIGNMENT.test(word);
}

/** `xargs` puts what it is fed in the place of `{}`, or behind everything. */
function feed(words: readonly string[], { words: fed = [UNKNOWN_WORD] }: CommandInput): readonly string[] {
  if (!words.some((word) => word.includes("{}"))) return [...words, ...fed];
  const place = words.indexOf("{}");
  return words.flatMap((word, at) => {
    if (word === "{}") return at === place ? fed : [];
    return [replaceShort(word, /\{\}/g, () => fed.join(" "))];
  });
}
