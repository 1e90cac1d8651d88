import { statSync } from "node:fs";
import path from "node:path";
import { renderCount } from "../../../core/render-count.ts";
import { redactSecrets } from "../../../fold/redact-secrets.ts";
import {
  type Retrieval,
  type RetrievalCycle,
  type RetrievedFile,
  retrieve,
} from "../../../library/retrieve/retrieve.ts";
import type { Search } from "../../../library/retrieve/search.ts";
import { JSON_OPTION } from "../choose-transcript.ts";
import { CliError, type Command, type Invocation, type Terminal } from "../command.ts";
import { renderJson } from "../render-json.ts";
import { readTree, type TreeCounts, type TreeFile } from "../retrieve/walk-tree.ts";
import { paint, renderSafely } from "../style.ts";

export const retrieveCommand: Command = {
  name: "retrieve",
  summary: "The few files that a task is about, found by searching again with what the first search revealed",
  positional: { name: "TASK", help: "what is to be done, in words" },
  options: [{ name: "in", value: "DIR", help: "the working tree to search; without it the current one" }, JSON_OPTION],
  examples: [
    {
      command: 'plimsoll retrieve "fix the session title"',
      shows: "files with their scores, the terms found, and why it stopped",
    },
    { command: 'plimsoll retrieve "session title" --in . --json', shows: "the same for a script" },
  ],
  async run(invocation, terminal) {
    const task = invocation.positionals.join(" ").trim();
    if (task === "") throw new CliError('plimsoll retrieve needs a task: plimsoll retrieve "what is to be done"');
    const directory = requireFolder(invocation, terminal);
    const { files, counts } = readTree(directory, { clockMs: () => performance.now() });
    const retrieval = await retrieve(task, { search: createTreeSearch(files) });
    const answer = { task, directory, ...retrieval, searched: counts };
    terminal.print(invocation.flags.has("json") ? renderJson(answer) : renderRetrieval(answer, terminal));
  },
};

function requireFolder({ values }: Invocation, { directory }: Terminal): string {
  const given = values.get("in");
  const folder = path.resolve(directory, given ?? ".");
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new CliError(`there is no folder ${given ?? folder}`);
}

/** What an occurrence in the path is worth beside those in the text, which together are worth at most 1. */
const IN_PATH = 1;
const HALF_COUNT = 2;
/** In a longer text an occurrence tells less in proportion. */
const NARROW_CHARACTERS = 20_000;
/** Counting more of them changes little. */
const MAX_COUNT = 100;

/** Looks for terms as parts of words, in any case. The rarer a term in the tree, the more it counts. */
function createTreeSearch(files: readonly TreeFile[]): Search {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const lowered = files.map(({ path, text }) => ({
    path,
    name: path.toLowerCase(),
    text: text.toLowerCase(),
    half: HALF_COUNT * Math.max(1, text.length / NARROW_CHARACTERS),
  }));
  const find = (terms: readonly string[], limit: number): readonly string[] => {
    const worth = new Map<string, number>();
    for (const term of terms.map((given) => given.toLowerCase()).filter((given) => given !== "")) {
      const hits = lowered
        .map(({ path, name, text, half }) => {
          const count = countOccurrences(text, term);
          return { path, worth: count / (count + half) + (name.includes(term) ? IN_PATH : 0) };
        })
        .filter((hit) => hit.worth > 0);
      const rarity = Math.log(1 + lowered.length / (1 + hits.length));
      for (const hit of hits) worth.set(hit.path, (worth.get(hit.path) ?? 0) + rarity * hit.worth);
    }
    return [...worth]
      .sort(([leftPath, left], [rightPath, right]) => right - left || (leftPath < rightPath ? -1 : 1))
      .slice(0, limit)
      .map(([path]) => path);
  };
  return {
    find: async (terms, limit) => find(terms, limit),
    // Names found in a text are shown and searched for: a key is not among them.
    textOf: async (path) => {
      const text = texts.get(path);
      return text === undefined ? undefined : redactSecrets(text);
    },
  };
}

function countOccurrences(text: string, term: string): number {
  let count = 0;
  for (let at = text.indexOf(term); at >= 0 && count < MAX_COUNT; at = text.indexOf(term, at + term.length)) count++;
  return count;
}

const SHOWN_HITS = 4;
const SHOWN_TERMS = 12;

const STOPPED: Readonly<Record<Retrieval["stopped"], string>> = {
  enough: "three highly relevant files are enough",
  cycles: "three cycles are the most",
  noNewTerms: "there was nothing new to search for",
  noKeywords: "the task has no word to search for: name what it is about",
};

/** What was found, for a person: files with why, the code base's own terms, each cycle, what was searched. */
function renderRetrieval(answer: Retrieval & { readonly searched: TreeCounts }, terminal: Terminal): string {
  const { files, terms, cycles, stopped, searched } = answer;
  const high = files.filter(({ isHigh }) => isHigh).length;
  const head =
    files.length === 0
      ? "No file has to do with it"
      : `${high} of ${files.length} files are highly relevant (0.7 or more)`;
  return [
    `${paint(terminal, "bold", head)}; stopped after ${renderCount(cycles.length, "cycle")}: ${STOPPED[stopped]}`,
    "",
    ...files.map((file) => renderFile(file, terminal)),
    ...(terms.length > 0 ? ["", `terms found: ${terms.slice(0, SHOWN_TERMS).map(renderSafely).join(", ")}`] : []),
    "",
    ...cycles.map(renderCycle),
    renderSearched(searched),
  ].join("\n");
}

function renderFile({ path, score, isHigh, hits }: RetrievedFile, terminal: Terminal): string {
  const why = hits.slice(0, SHOWN_HITS).map(({ term, count, isInName, isInFolder, isDefined }) => {
    const places = [
      isInName ? "name" : isInFolder ? "folder" : "",
      isDefined ? "defined" : "",
      count > 0 ? `${count}×` : "",
    ];
    return `${renderSafely(term)} (${places.filter((place) => place !== "").join(", ")})`;
  });
  const shown = `  ${score.toFixed(2)}  ${renderSafely(path)}`;
  return `${isHigh ? paint(terminal, "green", shown) : shown}\n        ${paint(terminal, "dim", why.join(", "))}`;
}

function renderCycle({ query, candidates, fresh, highFiles }: RetrievalCycle, index: number): string {
  const found = fresh < candidates ? `, ${fresh} of them new` : "";
  return `cycle ${index + 1}: ${query.map(renderSafely).join(" ")} → ${renderCount(candidates, "candidate")}${found}; highly relevant so far: ${highFiles}`;
}

function renderSearched({ files, bytes, ignored, binary, tooLarge, unreadable, cutShort }: TreeCounts): string {
  const left = [
    [ignored, "ignored"],
    [binary, "binary"],
    [tooLarge, "too large"],
    [unreadable, "unreadable"],
  ] as const;
  const names = left.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}`);
  const skipped = names.length > 0 ? `; left out: ${names.join(", ")}` : "";
  const end = cutShort === undefined ? "" : `; not everything was searched: ${cutShort}`;
  return `searched ${renderCount(files, "file")}, ${(bytes / 1e6).toFixed(1)} MB${skipped}${end}`;
}
