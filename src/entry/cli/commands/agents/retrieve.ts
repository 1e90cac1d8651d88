import { renderCount } from "../../../../core/render-count.ts";
import { createTreeSearch } from "../../../../files/builder/file-search.ts";
import { readTree, type TreeCounts } from "../../../../files/builder/walk-tree.ts";
import {
  type Retrieval,
  type RetrievalCycle,
  type RetrievedFile,
  retrieve,
} from "../../../../library/retrieve/retrieve.ts";
import { CliError, type Command, defineCommand, type Terminal } from "../../command.ts";
import { joinLines, paint, renderSafely } from "../../print/style.ts";
import { requireFolder } from "../../require-session.ts";

export const retrieveCommand: Command = defineCommand({
  name: "retrieve",
  summary: "Finds the files that matter most for a task, by searching again with terms from the files it has found",
  positional: { name: "TASK", help: "the task, in your own words" },
  options: {
    in: { value: "DIR", help: "the folder to search; by default the current one" },
  },
  examples: {
    'plimsoll retrieve "fix the session title"': "lists files with scores, the terms found, and why the search stopped",
    'plimsoll retrieve "session title" --in . --json': "prints the files, scores and terms as JSON",
  },
  async run(invocation, terminal) {
    const task = invocation.positionals.join(" ").trim();
    if (task === "") throw new CliError('plimsoll retrieve needs a task, such as: plimsoll retrieve "fix the title"');
    const directory = requireFolder(invocation.values.get("in"), terminal);
    const { files, counts } = readTree(directory, { clockMs: () => performance.now() });
    const retrieval = await retrieve(task, { search: createTreeSearch(files) });
    const answer = { task, directory, ...retrieval, searched: counts };
    return { json: answer, text: () => renderRetrieval(answer, terminal) };
  },
});

const SHOWN_HITS = 4;
const SHOWN_TERMS = 12;

const STOPPED: Readonly<Record<Retrieval["stopped"], string>> = {
  enough: "three highly relevant files are enough",
  cycles: "three cycles are the limit",
  noNewTerms: "there was nothing new to search for",
  noKeywords: "the task has no word to search for; describe it in more specific words",
};

function renderRetrieval(answer: Retrieval & { readonly searched: TreeCounts }, terminal: Terminal): string {
  const { files, terms, cycles, stopped, searched } = answer;
  const high = files.filter(({ isHigh }) => isHigh).length;
  const head =
    files.length === 0 ? "No file is relevant" : `${high} of ${files.length} files are highly relevant (0.7 or more)`;
  // Where enough were found, the others are not worth the reader's tokens.
  const shown = stopped === "enough" ? files.filter(({ isHigh }) => isHigh) : files;
  const left = files.length - shown.length;
  return joinLines(
    `${paint(terminal, "bold", head)}; stopped after ${renderCount(cycles.length, "cycle")}: ${STOPPED[stopped]}`,
    "",
    shown.map((file) => renderFile(file, terminal)),
    left > 0 && `  … ${left} less relevant: --json lists all`,
    terms.length > 0 && ["", `terms found: ${terms.slice(0, SHOWN_TERMS).map(renderSafely).join(", ")}`],
    "",
    cycles.map(renderCycle),
    renderSearched(searched),
  );
}

function renderFile({ path, score, isHigh, hits }: RetrievedFile, terminal: Terminal): string {
  const why = hits.slice(0, SHOWN_HITS).map(({ term, count, isInName, isInFolder, isDefined }) => {
    const place = isInName ? "name" : isInFolder && "folder";
    const found = [place, isDefined && "defined", count > 0 && `${count}×`].filter((one) => one !== false);
    return `${renderSafely(term)} (${found.join(", ")})`;
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
