import { shareLengths } from "../../core/clip-text.ts";
import { type Excerpt, HEAD } from "../excerpt.ts";
import { listPrograms } from "../hint.ts";
import { type Kind, shareOf } from "../kind.ts";
import { findOddRows, listOdd } from "../odd-rows.ts";
import { cutCommon, findCommonFolder, groupPaths, renderExtensions } from "../path-groups.ts";
import { surveyLines } from "../survey-lines.ts";

/** Names of files: `find`, `ls`, `ls -l`, `tree`, Glob results, `git status --short`, nested lists. */
export const listingKind: Kind = {
  name: "listing",
  names: "none",
  recognise({ lines, isNumbered }, { tool = "", command = "" }) {
    if (isNumbered) return 0;
    const share =
      shareOf(lines, PATH_LINE) + shareOf(lines, LONG_ROW) + shareOf(lines, TREE_ROW) + shareOf(lines, NESTED_ROW);
    const isLister =
      /^(?:glob|ls|list_?files|list_?directory)$/i.test(tool) ||
      listPrograms(command).some((name) => LISTERS.has(name));
    if (/^glob$/i.test(tool)) return 0.96;
    return isLister ? Math.min(0.9, share + 0.3) : share > 0.7 ? share * 0.85 : 0;
  },
  outline({ lines, isPartial }, room) {
    const paths = collectPaths(lines);
    if (paths.length === 0) return [];
    const common = findCommonFolder(paths);
    const groups = groupPaths(paths.map((path) => cutCommon(path, common)).filter((path) => path !== ""));
    const names = groups.flatMap((group) => group.names);
    const head = `${isPartial ? "at least " : ""}${paths.length} entries in ${groups.length} folders (${renderExtensions(names)})${common ? ` under ${common}` : ""}`;
    const rows = groups.map(({ folder, names: inner }) => {
      const count = inner.length > 3 ? ` (${inner.length})` : "";
      return { folder, text: `${folder || "./"}${count} ${inner.join(" ")}` };
    });
    const lengths = rows.map(({ text }) => text.length + 1);
    const cut = Math.max(...shareLengths(lengths, room - head.length)) - 1;
    return [
      { line: HEAD, text: head, weight: 100, cut: 300 },
      ...rows.map(({ folder, text }, index): Excerpt => {
        // Folders near the root and those listed first say most; installed or built folders say least.
        const depth = Math.min(30, folder.split("/").length * 3);
        return {
          line: HEAD,
          text,
          weight: (FOREIGN.test(folder) ? 40 : 80) - depth - Math.min(10, index / 8),
          cut: Math.max(LEAST_ROW, cut),
        };
      }),
      ...remarks(lines),
      ...excerptOdd(lines),
      ...listOddNames(paths),
    ];
  },
};

const LEAST_ROW = 70;
const MAX_ODD = 4;
const FOREIGN = /(?:^|\/)(?:node_modules|\.git|\.build|vendor|dist|target|site-packages|\.cache|__pycache__|\.venv)\//;

const LISTERS: ReadonlySet<string> = new Set(["ls", "find", "tree", "fd", "git ls-files", "git status", "du"]);
const PATH_LINE = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\|[\w@.+-]+\/)[^\s:;(){}="'<>][^:;(){}="'<>]{0,300}$/;
const LONG_ROW = /^[-dlbcps][rwxsStT-]{9}[.+@]?\s+\d/;
const TREE_ROW = /^[│|\s]{0,80}(?:├──|└──|\|--|`--)\s/;
const BRANCH = /^[│|\s]{0,80}(?:├──|└──|\|--|`--|-)\s/;
const NESTED_ROW = /^\s{0,40}- [\w@.+-]{1,100}\/?$/;
const REMARK = /truncated|No files|permission denied|cannot access|^total \d|\d+ directories/i;

function collectPaths(lines: readonly string[]): readonly string[] {
  const paths: string[] = [];
  const stack: string[] = [];
  let section = "";
  for (const line of lines) {
    const text = line.trim();
    if (text === "" || isRemark(text)) continue;
    const branch = /^[\s│|├└`-]/.test(line) ? BRANCH.exec(line) : null;
    if (branch) {
      const depth = Math.floor(branch[0].length / (branch[0].endsWith("- ") && !branch[0].includes("─") ? 2 : 4));
      const name = line.slice(branch[0].length).trim();
      stack.length = Math.max(0, Math.min(depth - 1, stack.length));
      paths.push(stack.map((part) => `${part.replace(/\/$/, "")}/`).join("") + name);
      stack.push(name);
    } else if (LONG_ROW.test(line)) {
      const name = nameLongRow(line);
      if (name !== "") paths.push((name.startsWith("/") ? "" : section) + name);
    } else if (text.endsWith(":") && !text.includes(" ")) section = `${text.slice(0, -1)}/`;
    else paths.push(section + text);
  }
  return paths;
}

/** A tool's remark has words; a path rarely has. */
function isRemark(text: string): boolean {
  return text.includes(" ") && REMARK.test(text);
}

/** The name after mode, links, owner, group, size and date; folders get a slash. */
function nameLongRow(line: string): string {
  const words = line.split(/\s+/);
  const name = words.slice(8).join(" ").split(" -> ")[0] ?? "";
  if (name === "." || name === "..") return "";
  return line.startsWith("d") && name !== "" ? `${name}/` : name;
}

function remarks(lines: readonly string[]): readonly Excerpt[] {
  const all = lines.map((text, line) => ({ line, text, weight: 75, isUnlabelled: true }));
  return all.filter(({ text }) => text.length < 300 && REMARK.test(text)).slice(-3);
}

/** Rows with another owner or mode among hundreds alike, and remarks among names. */
function excerptOdd(lines: readonly string[]): readonly Excerpt[] {
  return listOdd(surveyLines(lines), MAX_ODD).map((line) => {
    return { line, text: lines[line] ?? "", weight: 90, isUnlabelled: true };
  });
}

/** The few files of another type among many of one or two types. */
function listOddNames(paths: readonly string[]): readonly Excerpt[] {
  const rows = paths.map((path) => new Map([["extension", /\.([A-Za-z][A-Za-z0-9]{0,9})$/.exec(path)?.[1] ?? ""]]));
  const odd = findOddRows(rows).filter(({ score }) => score === 2);
  if (odd.length === 0 || odd.length > MAX_ODD) return [];
  const names = odd.map(({ row }) => paths[row] ?? "");
  return [{ line: HEAD, text: `unlike the others: ${names.join(" ")}`, weight: 90, cut: 300 }];
}
