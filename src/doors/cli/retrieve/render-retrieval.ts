import { renderCount } from "../../../core/render-count.ts";
import type { Retrieval, RetrievalCycle, RetrievedFile } from "../../../library/retrieve/retrieve.ts";
import type { Terminal } from "../command.ts";
import { paint, renderSafely } from "../style.ts";
import type { TreeCounts } from "./walk-tree.ts";

const SHOWN_HITS = 4;
const SHOWN_TERMS = 12;

const STOPPED: Readonly<Record<Retrieval["stopped"], string>> = {
  enough: "three highly relevant files are enough",
  cycles: "three cycles are the most",
  noNewTerms: "there was nothing new to search for",
  noKeywords: "the task has no word to search for: name what it is about",
};

/** What was found, for a person: files with why, the code base's own terms, each cycle, what was searched. */
export function renderRetrieval(answer: Retrieval & { readonly searched: TreeCounts }, terminal: Terminal): string {
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
