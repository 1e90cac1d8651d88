import { HERE, ROOT } from "./command-effect.ts";
import { describeCommand } from "./describe-command.ts";
import { guessHome, type ResolvedPlace, resolvePath } from "./resolve-path.ts";
import { parseCommands } from "./shell-commands.ts";
import type { CommandRead, PipelineStage, Shell, SimpleCommand } from "./shell-state.ts";
import { createScan, MAX_SHELL_DEPTH, UNKNOWN_WORD } from "./shell-words.ts";

export interface CommandReads {
  readonly reads: readonly CommandRead[];
  /** What only running the command would tell; never blocked. */
  readonly unknown: readonly string[];
}

/** Shell text that is followed, with all the texts inside texts; what is beyond is not looked at. */
const MAX_CHARACTERS = 1_000_000;

/** What a command prints, as far as it is followed into the next one. */
const MAX_PRINTED_WORDS = 100;
const MAX_PRINTED_CHARACTERS = 20_000;

/** Which paths a shell command would read into the window, as far as its text tells. Runs nothing and never throws. */
export function listCommandReads(command: string, place: ResolvedPlace): CommandReads {
  const shell: Shell = {
    place,
    home: guessHome(place),
    directory: resolvePath(place.directory === "" ? place.root : place.directory, { directory: place.root }),
    variables: new Map(),
    reads: [],
    unknown: new Set(),
    remainingCharacters: MAX_CHARACTERS,
    runText: (text, depth) => runText(shell, text, depth),
    runSimple: (simple, depth) => runSimple(shell, simple, depth),
  };
  runText(shell, command, 0);
  const reads = new Map(shell.reads.map((read) => [`${read.isTree} ${read.path}`, read]));
  return { reads: [...reads.values()], unknown: [...shell.unknown] };
}

function runText(shell: Shell, text: string, depth: number): readonly string[] | undefined {
  if (depth > MAX_SHELL_DEPTH || shell.remainingCharacters <= 0) {
    shell.unknown.add("commands nested too deeply");
    return undefined;
  }
  const followed = text.slice(0, shell.remainingCharacters);
  shell.remainingCharacters -= followed.length;
  const { directory } = shell;
  const printed = parseCommands(createScan(followed, depth), shell, undefined);
  shell.directory = directory;
  return printed;
}

/** What a simple command does, by what its words say; the reads go to its stage, which its pipeline may still discard. */
function runSimple(
  shell: Shell,
  { words, inputs, input: given, hasInput }: SimpleCommand,
  depth: number,
): PipelineStage {
  const input = followInput(shell, given);
  const fed = input
    ?.split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, MAX_PRINTED_WORDS);
  const effect = describeCommand(words, { words: fed, isGiven: hasInput });
  if (effect.unknown !== undefined) shell.unknown.add(effect.unknown);
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
  const printed = effect.printed
    ?.slice(0, MAX_PRINTED_WORDS)
    .map((text) => locatePrinted(text, shell.place.root, before));
  return { reads, printed, isCounter: effect.isCounter, isEscaping: effect.isEscaping, isToFile: false };
}

/** What is fed along a pipe counts as text that is followed. */
function followInput(shell: Shell, input: string | undefined): string | undefined {
  if (input === undefined || input.length > shell.remainingCharacters) return undefined;
  shell.remainingCharacters -= input.length;
  return input;
}

function locatePrinted(text: string, root: string, directory = UNKNOWN_WORD): string {
  return text
    .slice(0, MAX_PRINTED_CHARACTERS)
    .replaceAll(ROOT, () => root)
    .replaceAll(HERE, () => directory);
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
  else
    shell.unknown.add(
      word.includes(UNKNOWN_WORD) ? "a path that begins with a variable or a substitution" : `where ${word} is`,
    );
}

/** `cd` and `pushd`; where they lead cannot always be known, and then neither can what follows. */
function changeDirectory(shell: Shell, [name, ...operands]: readonly string[]): void {
  if (name === "popd") shell.directory = undefined;
  if (name !== "cd" && name !== "pushd" && name !== "chdir") return;
  const target = operands.find((word) => !/^-[LPe@]*$/.test(word) || word === "-") ?? "~";
  shell.directory = target === "-" || target === UNKNOWN_WORD ? undefined : resolvePath(target, shell);
}
