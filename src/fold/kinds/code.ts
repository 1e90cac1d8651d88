import { type Excerpt, HEAD, TAIL } from "../excerpt.ts";
import { extensionOf } from "../hint.ts";
import { type Kind, shareOf } from "../kind.ts";
import type { Sheet } from "../sheet.ts";
import { type CodeDefinition, classifyLine, nameModule } from "./code-lines.ts";

/** Source code and configuration: what it imports, what it defines and where, as far as regular expressions can tell. */
export const codeKind: Kind = {
  name: "code",
  names: "pathsAndWords",
  middle: "trouble",
  recognise({ lines, isNumbered }, hint) {
    const extension = extensionOf(hint);
    if (SOURCES.has(extension)) return 0.9;
    const share = shareOf(lines, CODE_LINE);
    if (isNumbered && !/^(?:txt|log|out|err)$/.test(extension)) return Math.max(0.6, Math.min(0.88, share + 0.3));
    return share > 0.3 ? Math.min(0.85, 0.3 + share) : 0;
  },
  outline(sheet, room) {
    const { definitions, modules, others } = readLines(sheet);
    return [
      ...summariseImports(modules),
      ...renderDefinitions(definitions, Math.floor(room * ROOM_FOR_DEFINITIONS)),
      ...others,
    ];
  },
};

/** The rest is for imports, the line that names the file, and what stands at the margin. */
const ROOM_FOR_DEFINITIONS = 0.85;
/** Ordinary lines fill what is left; more of them than this never fit. */
const MAX_OTHERS = 200;
const CUTS = [120, 80, 56] as const;
const SOURCES: ReadonlySet<string> = new Set(
  "ts tsx mts cts js jsx mjs cjs py pyi go rs java kt kts swift c h cc cpp hpp cs rb php scala lua sh bash zsh fish ps1 psm1 sql css scss less vue svelte astro dart ex exs erl hs ml clj zig nim r pl tf hcl proto graphql prisma yaml yml toml ini cfg conf env nix cmake gradle groovy dockerfile mk".split(
    " ",
  ),
);
const CODE_LINE =
  /[{};]\s*$|^\s*(?:import|from|export|const|let|var|function|class|def|return|if|for|while|func|fn|use|pub|package|public|private|#include|\/\/|\/\*|\*|@\w|elif|else|try|end)\b|=>|\)\s*[:{]\s*$/;

type Numbered = CodeDefinition & { readonly number: number };

interface Outline {
  readonly definitions: readonly Numbered[];
  readonly modules: readonly string[];
  readonly others: readonly Excerpt[];
}

function readLines({ lines, numbers, isNumbered }: Sheet): Outline {
  const definitions: Numbered[] = [];
  const modules: string[] = [];
  const others: Excerpt[] = [];
  let sinceDefinition = 0;
  for (let line = 0; line < lines.length; line++) {
    const text = lines[line] ?? "";
    if (text === "") continue;
    // In a numbered file the lines without a number are the tool's own words: they name the file or say what was left out.
    if (isNumbered && numbers[line] === 0) {
      if (text.trim() !== "") others.push({ line, text, weight: line === 0 ? 97 : 20, cut: 200 });
      continue;
    }
    sinceDefinition++;
    const found = classifyLine(text, line);
    if (found.kind === "definition") {
      sinceDefinition = 0;
      definitions.push({ ...found, number: numbers[line] ?? 0 });
    } else if (found.kind === "import") modules.push(nameModule(text));
    else if (found.kind === "margin") others.push({ line, text, weight: 34, cut: 110 });
    else if (found.kind === "remark") others.push({ line, text, weight: 44, cut: 120 });
    else if (found.kind === "body" && others.length < MAX_OTHERS)
      others.push({ line, text, weight: Math.max(4, 16 - sinceDefinition), cut: 110 });
  }
  return { definitions, modules, others };
}

function summariseImports(modules: readonly string[]): readonly Excerpt[] {
  const named = [...new Set(modules.filter((name) => name !== ""))];
  if (named.length === 0) return [];
  return [{ line: HEAD, text: `imports: ${named.join(" ")}`, weight: 70, cut: 180 }];
}

/** Whole signatures where all of them fit, shorter ones where not; beyond that the outer ones, and the names of the rest. */
function renderDefinitions(definitions: readonly Numbered[], room: number): readonly Excerpt[] {
  const cut = CUTS.find((length) => measure(definitions, length) <= room);
  if (cut !== undefined) return definitions.map((definition) => excerptDefinition(definition, cut));
  const outer = definitions.filter(({ depth }) => depth === 0);
  const showsOuter = measure(outer, 56) <= room * 0.6;
  const shown = showsOuter ? outer : [];
  const rest = showsOuter ? definitions.filter(({ depth }) => depth > 0) : definitions;
  return [...shown.map((definition) => excerptDefinition(definition, 56)), ...listNames(rest)];
}

function measure(definitions: readonly CodeDefinition[], cut: number): number {
  return definitions.reduce((sum, { text }) => sum + Math.min(cut, text.trim().length) + 7, 0);
}

function excerptDefinition({ line, text, depth }: CodeDefinition, cut: number): Excerpt {
  return { line, text: text.replace(/\s*[{(:]\s*$/, ""), weight: 84 - Math.min(20, depth * 6), cut };
}

const NAMES_PER_ROW = 8;

/** `open:12 close:40`: a name and its line are enough to ask for the rest. */
function listNames(definitions: readonly Numbered[]): readonly Excerpt[] {
  const rows: Excerpt[] = [];
  const named = definitions.filter(({ name }) => name !== "");
  for (let from = 0; from < named.length; from += NAMES_PER_ROW) {
    const row = named.slice(from, from + NAMES_PER_ROW).map(({ name, number }) => `${name}:${number}`);
    rows.push({ line: TAIL, text: row.join(" "), weight: 62 - from / 100, cut: 400 });
  }
  return rows;
}
