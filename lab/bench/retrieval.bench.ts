/** How often a file that a recorded session went on to change is among the first three that `retrieve` names for its task, beside `grep -c`. */
import { renderResultText } from "../../src/core/message.ts";
import { createTreeSearch } from "../../src/files/builder/file-search.ts";
import { interpretCall } from "../../src/hosts/claude-code/interpret-call.ts";
import { retrieve } from "../../src/library/retrieve/retrieve.ts";
import { listTaskKeywords } from "../../src/library/retrieve/task-keywords.ts";
import { readCorpus } from "./corpus.ts";

const FIRST = 3;
/** Fewer files are no tree to find one in. */
const LEAST_FILES = 20;

interface Case {
  readonly task: string;
  readonly changed: ReadonlySet<string>;
}

/** The tree is what the sessions of a repository read, as they read it first; the truth is what the session changed of it. */
export async function run(): Promise<void> {
  const trees = new Map<string, Map<string, string>>();
  const cases: (Case & { readonly repository: string })[] = [];
  for await (const { repository, recording } of readCorpus()) {
    const tree = trees.get(repository) ?? new Map<string, string>();
    trees.set(repository, tree);
    const calls = new Map(
      recording.steps
        .flatMap(({ outputs }) => outputs)
        .flatMap((block) =>
          block.kind === "toolCall" ? [[block.callId, interpretCall(block.tool, block.input)]] : [],
        ),
    );
    const arrivals = recording.steps.flatMap((step) => step.arrivals);
    const changed = new Set<string>();
    for (const { block } of arrivals) {
      const action = block.kind === "toolResult" && !block.isError ? calls.get(block.callId) : undefined;
      if (block.kind !== "toolResult" || action === undefined) continue;
      if (action.kind === "edit" && tree.has(action.path)) changed.add(action.path);
      if (action.kind === "read" && !tree.has(action.path))
        tree.set(action.path, renderResultText(block).replaceAll(/^\s*\d+[→\t]/gm, ""));
    }
    const prompt = arrivals.find(({ source, block }) => source === "prompt" && block.kind === "text")?.block;
    const task = prompt?.kind === "text" ? prompt.text : "";
    if (changed.size > 0 && listTaskKeywords(task).length >= 2) cases.push({ repository, task, changed });
  }
  const found = { retrieve: 0, grep: 0, cases: 0 };
  for (const { repository, task, changed } of cases) {
    const files = [...(trees.get(repository) ?? [])].map(([name, text]) => ({ path: name, text }));
    if (files.length < LEAST_FILES) continue;
    const { files: ranked } = await retrieve(task, { search: createTreeSearch(files) });
    found.cases++;
    if (ranked.slice(0, FIRST).some((file) => changed.has(file.path))) found.retrieve++;
    if (
      grep(files, task)
        .slice(0, FIRST)
        .some((name) => changed.has(name))
    )
      found.grep++;
  }
  const share = (count: number): string => `${Math.round((100 * count) / found.cases)} %`;
  console.log(`${found.cases} sessions`);
  console.log(
    `a changed file among the first ${FIRST}: retrieve ${share(found.retrieve)}, grep -c ${share(found.grep)}`,
  );
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
