import { type Excerpt, HEAD, TAIL } from "../excerpt.ts";
import { extensionOf } from "../hint.ts";
import { type Kind, shareOf } from "../kind.ts";
import type { Sheet } from "../sheet.ts";

/** Source code and configuration: imports, definitions and their lines, as far as regular expressions can tell. */
export const codeKind: Kind = {
  name: "code",
  middle: "trouble",
  recognise({ lines, isNumbered }, hint) {
    const extension = extensionOf(hint);
    if (SOURCES.has(extension)) return 0.9;
    if (isNumbered && !/^(?:txt|log|out|err)$/.test(extension))
      return Math.max(0.6, Math.min(0.88, shareOf(lines, CODE_LINE) + 0.3));
    const share = shareOf(lines, CODE_LINE, 0.3);
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

/** The rest is for imports, the line that names the file, and unindented lines. */
const ROOM_FOR_DEFINITIONS = 0.85;
/** Ordinary lines fill the remaining room; more than this never fit. */
const MAX_OTHERS = 200;
const CUTS = [120, 80, 56] as const;
const SOURCES: ReadonlySet<string> = new Set(
  "ts tsx mts cts js jsx mjs cjs py pyi go rs java kt kts swift c h cc cpp hpp cs rb php scala lua sh bash zsh fish ps1 psm1 sql css scss less vue svelte astro dart ex exs erl hs ml clj zig nim r pl tf hcl proto graphql prisma yaml yml toml ini cfg conf env nix cmake gradle groovy dockerfile mk".split(
    " ",
  ),
);
const CODE_LINE =
  /[{};]\s*$|^\s*(?:import|from|export|const|let|var|function|class|def|return|if|for|while|func|fn|use|pub|package|public|private|#include|\/\/|\/\*|\*|@\w|elif|else|try|end)\b|=>|\)\s*[:{]\s*$/;

function readLines({ lines, numbers, isNumbered }: Sheet) {
  const definitions: CodeDefinition[] = [];
  const modules: string[] = [];
  const others: Excerpt[] = [];
  let sinceDefinition = 0;
  for (const [line, text] of lines.entries()) {
    if (text === "") continue;
    // In a numbered file, lines without a number come from the tool: they name the file or say what was left out.
    if (isNumbered && numbers[line] === 0) {
      if (text.trim() !== "") others.push({ line, text, weight: line === 0 ? 97 : 20, cut: 200 });
      continue;
    }
    sinceDefinition++;
    const found = classifyLine(text);
    if (typeof found === "object") {
      sinceDefinition = 0;
      definitions.push({ ...found, line, text, number: numbers[line] ?? 0 });
    } else if (found === "import") modules.push(nameModule(text));
    else if (found === "margin") others.push({ line, text, weight: 34, cut: 110 });
    else if (found === "remark") others.push({ line, text, weight: 44, cut: 120 });
    else if (found === "body" && others.length < MAX_OTHERS)
      others.push({ line, text, weight: Math.max(4, 16 - sinceDefinition), cut: 110 });
  }
  return { definitions, modules, others };
}

function summariseImports(modules: readonly string[]): readonly Excerpt[] {
  const named = [...new Set(modules.filter((name) => name !== ""))];
  if (named.length === 0) return [];
  return [{ line: HEAD, text: `imports: ${named.join(" ")}`, weight: 70, cut: 180 }];
}

/** Whole signatures if all fit, otherwise shorter ones; beyond that the outer ones, and the names of the rest. */
function renderDefinitions(definitions: readonly CodeDefinition[], room: number): readonly Excerpt[] {
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
function listNames(definitions: readonly CodeDefinition[]): readonly Excerpt[] {
  const rows: Excerpt[] = [];
  const named = definitions.filter(({ name }) => name !== "");
  for (let from = 0; from < named.length; from += NAMES_PER_ROW) {
    const row = named.slice(from, from + NAMES_PER_ROW).map(({ name, number }) => `${name}:${number}`);
    rows.push({ line: TAIL, text: row.join(" "), weight: 62 - from / 100, cut: 400 });
  }
  return rows;
}

interface Defined {
  readonly name: string;
  readonly depth: number;
}

interface CodeDefinition extends Defined {
  readonly line: number;
  readonly text: string;
  readonly number: number;
}

type LineClass = Defined | "import" | "margin" | "remark" | "body" | "noise";

type Role = "control" | "keyword" | "import" | "test" | "modifier" | "binding";

const ROLES: ReadonlyMap<string, Role> = new Map<string, Role>([
  ...listRoles("import", "import from use using require require_relative #include"),
  ...listRoles("binding", "const let var val static"),
  ...listRoles(
    "modifier",
    "export default declare pub public private protected internal static final abstract async unsafe override sealed open data inline extern virtual partial local suspend readonly",
  ),
  ...listRoles(
    "keyword",
    "function function* class interface enum struct trait impl mod module namespace def fn func fun object protocol extension record macro_rules! sub proc type union message service rpc model resource component CREATE create",
  ),
  ...listRoles("test", "describe it test suite context beforeEach afterEach t.Run"),
  ...listRoles(
    "control",
    "if for while switch catch return else elif do try with await throw new case assert print expect yield match when unless until in and or not go defer select end break continue",
  ),
]);

function listRoles(role: Role, words: string): readonly (readonly [string, Role])[] {
  return words.split(" ").map((word) => [word, role]);
}

const AFTER_KEYWORD =
  /(?:function\*?|class|interface|enum|struct|trait|impl|mod|module|namespace|def|fn|func|fun|object|protocol|extension|record|macro_rules!|sub|proc|type|union|message|service|rpc|model|TABLE|VIEW|INDEX|FUNCTION)\s{1,4}(?:\([^)]{0,100}\)\s{0,4})?(?:<[^>]{0,80}>\s{0,2})?["'`]?([\w$.]{1,80})/;
const BOUND = /(?:const|let|var|val|static|readonly)\s{1,4}(?:mut\s)?([\w$]{1,80})/;
const IS_FUNCTION = /=\s{0,4}(?:async\b|function\b|\(|<|[\w$]{1,40}\s{0,2}=>|class\b|React\.|memo\(|styled|z\.|create)/;
const TEST_TITLE = /\(\s{0,4}(["'`].{1,60})/;
const REMARK = /\b(?:TODO|FIXME|HACK|XXX|BUG|WARNING|DEPRECATED)\b/;
const KEY = /^[\w."'@/-]{1,80}\s{0,4}[:=](?:\s|$)|^\[{1,2}[\w."' -]{1,100}\]{1,2}\s*$|^#{1,4} \S/;
/** Applied to the whole line, but only if it ends in a brace. */
const RULE = /^[.#@:]?[\w-][^{}]{0,120}\{\s*$/;
const BRACE = 123;
const COLON = 58;
const MAX_WORD = 20;
/** Nothing defined deeper than this interests a reader of an outline. */
const DEEPEST = 4;

/** Goes by the first word: one set lookup decides most lines. */
function classifyLine(whole: string): LineClass {
  if (isDeep(whole)) return "body";
  const text = whole.trimStart();
  if (text.length < 3) return "noise";
  const indent = whole.length - text.length;
  const depth = whole.charCodeAt(0) === 9 ? indent : indent >> 1;
  const first = text.charCodeAt(0);
  // `/` and `*` open comments.
  if (first === 47 || first === 42) return REMARK.test(text) ? "remark" : indent === 0 ? "body" : "noise";
  if (depth > DEEPEST) return "body";
  const role = ROLES.get(cutFirstWord(text));
  if (role === "control") return "body";
  if (role === "keyword") return { name: AFTER_KEYWORD.exec(text)?.[1] ?? "", depth };
  if (role === "import" && indent === 0) return "import";
  if (role === "test") return { name: TEST_TITLE.exec(text)?.[1] ?? "", depth };
  if (role === "modifier" || role === "binding") return classifyModified(text, depth);
  if (first === 35 && REMARK.test(text)) return "remark";
  const last = text.charCodeAt(text.trimEnd().length - 1);
  // Only what ends in `{` or `:` opens a body.
  const method = indent > 0 && (last === BRACE || last === COLON) ? nameMethod(text) : "";
  if (method !== "") return { name: method, depth };
  const isKey = depth <= 1 && (KEY.test(text) || (last === BRACE && RULE.test(text)));
  return isKey ? "margin" : "body";
}

/** Ten spaces or five tabs: most lines of a body end here. */
function isDeep(whole: string): boolean {
  const width = whole.charCodeAt(0) === 9 ? DEEPEST : DEEPEST * 2 + 1;
  for (let at = 0; at <= width; at++) {
    const unit = whole.charCodeAt(at);
    if (unit !== 32 && unit !== 9) return false;
  }
  return true;
}

/** Up to the first space, bracket or colon; `function*` keeps its star. */
function cutFirstWord(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 32 || unit === 40 || unit === 58 || unit === 60 || unit === 123 || unit === 9)
      return text.slice(0, at);
    if (at > MAX_WORD) return "";
  }
  return text;
}

/** `export const x = …`, `pub async fn x`, `private static x() {`: the definition follows the modifiers. */
function classifyModified(text: string, depth: number): LineClass {
  if (depth === 0 && /\bfrom ["']|= require\(/.test(text)) return "import";
  const words = text.split(" ", 8);
  const keyword = words.find((word) => ROLES.get(word) !== "modifier") ?? "";
  if (ROLES.get(keyword.replace(/[<(].*$/, "")) === "keyword")
    return { name: AFTER_KEYWORD.exec(text)?.[1] ?? "", depth };
  const bound = BOUND.exec(text)?.[1];
  if (bound !== undefined && (depth === 0 || (depth < 3 && IS_FUNCTION.test(text)))) return { name: bound, depth };
  const method = /[{:]\s*$/.test(text) ? nameMethod(text) : "";
  if (method !== "") return { name: method, depth };
  return depth === 0 ? "margin" : "body";
}

/** The word before the first bracket, unless the text before it shows a call or an assignment. */
function nameMethod(text: string): string {
  const open = text.indexOf("(");
  const head = open > 0 ? text.slice(0, open) : "";
  if (head === "" || head.length > 200 || /[=;"'`{}!|+,]|\.\w/.test(head)) return "";
  return /([A-Za-z_$#~][\w$]{0,80})\s{0,2}(?:<[^>]{0,60}>)?$/.exec(head)?.[1] ?? "";
}

/** What an import line brings in: `"./core/x.ts"` gives `./core/x.ts`. */
function nameModule(text: string): string {
  const quoted = /["'<]([^"'<>]{1,120})["'>]/.exec(text)?.[1];
  return quoted ?? /^(?:import|from|use|using)\s{1,4}(?:static )?([\w.:*]{1,120})/.exec(text)?.[1] ?? "";
}
