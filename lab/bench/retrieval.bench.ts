/** How often a file that a recorded turn changed is among the first three that `retrieve` names for its prompt, next to `grep -c`. */
import { readFileSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { renderResultText } from "../../src/core/message.ts";
import { createTreeSearch } from "../../src/files/builder/file-search.ts";
import { interpretCall } from "../../src/hosts/claude-code/interpret-call.ts";
import { decidePromptAuthor } from "../../src/hosts/claude-code/prompt-author.ts";
import { retrieve } from "../../src/library/retrieve/retrieve.ts";
import { listTaskKeywords } from "../../src/library/retrieve/task-keywords.ts";
import type { Recording } from "../../src/measure/recording.ts";
import { readCorpus } from "./corpus.ts";

const FIRST = 3;
/** Fewer files are no tree to find one in. */
const LEAST_FILES = 20;
/** Fewer words are no task: "go on". */
const LEAST_WORDS = 2;

interface Case {
  readonly repository: string;
  readonly task: string;
  readonly changed: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
  /** Whether the session begins with it: later prompts lean on what was said before. */
  readonly isOpening: boolean;
}

/**
 * The tree is what the sessions of a repository read below their folder, as they read it first. A task is a
 * prompt whose own turn changed a file of it; the truth is what that turn changed, or changed and read.
 */
export async function run(): Promise<void> {
  const trees = new Map<string, Map<string, string>>();
  const cases: Case[] = [];
  for await (const { file, repository, recording } of readCorpus()) {
    const tree = trees.get(repository) ?? new Map<string, string>();
    trees.set(repository, tree);
    cases.push(...followSession(recording, findFolder(file), tree).map((found) => ({ repository, ...found })));
  }
  const repositories = [...trees.keys()].sort();
  for (const isOpening of [true, false])
    for (const half of [0, 1]) {
      const chosen = cases.filter(
        (one) =>
          one.isOpening === isOpening &&
          repositories.indexOf(one.repository) % 2 === half &&
          (trees.get(one.repository)?.size ?? 0) >= LEAST_FILES,
      );
      const where = half === 0 ? "repositories that were looked at" : "repositories laid aside";
      console.log(`${isOpening ? "first prompts of sessions" : "the first later prompt"}, ${where}: ${chosen.length}`);
      console.log(await judge(chosen, trees));
    }
}

/** How often each ranking has a file of the truth among its first. */
async function judge(cases: readonly Case[], trees: ReadonlyMap<string, ReadonlyMap<string, string>>): Promise<string> {
  const found = { retrieve: [0, 0], "grep -c": [0, 0] };
  for (const { repository, task, changed, used } of cases) {
    const files = [...(trees.get(repository) ?? [])].map(([path, text]) => ({ path, text }));
    const { files: ranked } = await retrieve(task, { search: createTreeSearch(files) });
    const note = (counts: number[], first: readonly string[]): void => {
      for (const [index, truth] of [changed, used].entries())
        if (first.slice(0, FIRST).some((path) => truth.has(path))) counts[index] = (counts[index] ?? 0) + 1;
    };
    note(
      found.retrieve,
      ranked.map(({ path }) => path),
    );
    note(found["grep -c"], grep(files, task));
  }
  const share = (count = 0): string => `${Math.round((100 * count) / cases.length)} %`;
  return Object.entries(found)
    .map(
      ([name, [changed, used]]) => `  ${name}: one that was changed ${share(changed)}, changed or read ${share(used)}`,
    )
    .join("\n");
}

/** The folder in which a session began. */
function findFolder(file: string): string {
  const [, folder = '""'] = /"cwd":("(?:[^"\\]|\\.)*")/.exec(readFileSync(file, "utf8")) ?? [];
  return String(JSON.parse(folder));
}

/** Adds to the tree what the session read, and finds its first prompt and the first later one, where they led to a change. */
function followSession(
  recording: Recording,
  folder: string,
  tree: Map<string, string>,
): readonly Omit<Case, "repository">[] {
  const calls = new Map(
    recording.steps
      .flatMap(({ outputs }) => outputs)
      .flatMap((block) =>
        block.kind === "toolCall" ? [[block.callId, interpretCall(block.tool, block.input)] as const] : [],
      ),
  );
  const parts: Omit<Case, "repository">[] = [];
  let changed = new Set<string>();
  let used = new Set<string>();
  for (const { source, block } of recording.steps.flatMap((step) => step.arrivals)) {
    if (source === "prompt" && block.kind === "text" && decidePromptAuthor(block.text) === "person") {
      [changed, used] = [new Set(), new Set()];
      parts.push({ task: block.text, changed, used, isOpening: parts.length === 0 });
    }
    const action = block.kind === "toolResult" && !block.isError ? calls.get(block.callId) : undefined;
    if (block.kind !== "toolResult" || (action?.kind !== "edit" && action?.kind !== "read")) continue;
    const path = relative(toSlashes(folder), toSlashes(action.path));
    if (path.startsWith("..") || isAbsolute(path)) continue;
    if (action.kind === "read" && !tree.has(path))
      tree.set(path, renderResultText(block).replaceAll(/^\s*\d+[→\t]/gm, ""));
    if (!tree.has(path)) continue;
    used.add(path);
    if (action.kind === "edit") changed.add(path);
  }
  const isCase = ({ task, changed: own }: Omit<Case, "repository">): boolean =>
    own.size > 0 && listTaskKeywords(task).length >= LEAST_WORDS;
  const [opening, ...later] = parts;
  return [opening, later.find(isCase)].flatMap((one) => (one !== undefined && isCase(one) ? [one] : []));
}

/** A folder of Windows as one of others. */
function toSlashes(path: string): string {
  return path.replaceAll("\\", "/").replace(/^[A-Za-z]:/, "");
}

/** Files by how many of their lines hold any of the task's words. */
function grep(files: readonly { readonly path: string; readonly text: string }[], task: string): readonly string[] {
  const words = listTaskKeywords(task).map((word) => word.toLowerCase());
  const count = (text: string): number =>
    text.split("\n").filter((line) => words.some((word) => line.toLowerCase().includes(word))).length;
  return files
    .map(({ path: name, text }) => ({ name, lines: count(text) }))
    .sort((left, right) => right.lines - left.lines)
    .map(({ name }) => name);
}
