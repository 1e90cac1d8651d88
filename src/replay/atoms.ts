import type { Json, JsonObject } from "../core/json.ts";
import { type Block, renderResultText } from "../core/message.ts";

/**
 * Atoms are the pieces of a text that cannot be guessed: paths, identifiers, long numbers, hashes, addresses, whole lines to be edited or
 * that report an error. An atom is a string whose first character says how it is searched for.
 */
export type Atom = string;

const WORD = "w";
const PATH = "p";
const URL = "u";
const LINE = "l";
const EDIT_LINE = "e";

/** Inputs chosen from a schema, which need no knowledge of the conversation. */
const SCHEMA_FIELDS = new Set(
  `timeout mode status type subagent_type output_mode limit offset head_limit model replace_all run_in_background
   activeForm multiSelect header`.split(/\s+/),
);

const OLD_TEXT_FIELDS = new Set(["old_string", "old_str"]);

/** Common knowledge: names used by tools, shells and languages. */
const KNOWN_ATOMS: readonly Atom[] = (
  "in_progress pull_request node_modules package.json tsconfig.json README.md CLAUDE.md JavaScript TypeScript GitHub " +
  "GitLab PostgreSQL MySQL MongoDB OpenAI YouTube LinkedIn LaTeX macOS iOS DevOps localhost useState useEffect useRef useMemo " +
  "localStorage sessionStorage indexOf innerText textContent AppData webpack.config.js vite.config.ts go.mod " +
  "useCallback forEach toString addEventListener getElementById querySelector className onClick innerHTML JSON.stringify " +
  "JSON.parse async_await __init__ __main__ __name__ dev/null tmp src lib test tests docs build dist utf8 " +
  "base64 sha256 http2 int32 int64 uint8 float32 float64 x86_64 arm64 2>&1 0o644 index.ts index.js main.py __init__.py"
)
  .split(" ")
  .flatMap((known) => [WORD + known, PATH + known]);

const ERROR_LINE = /\b(?:error|exception|traceback|failed|failure|panic|fatal|cannot|undefined reference)\b/i;
const MIN_LINE = 4;
const MAX_LINE = 400;

/** What an answer needed to know: the atoms of its words and tool inputs. Thinking is ignored. */
export function listNeededAtoms(outputs: readonly Block[], root: string): ReadonlySet<Atom> {
  const atoms = new Set<Atom>();
  for (const block of outputs) {
    if (block.kind === "text") addTextAtoms(block.text, root, atoms);
    if (block.kind === "toolCall") addInputAtoms(block.input, root, atoms);
  }
  for (const known of KNOWN_ATOMS) atoms.delete(known);
  return atoms;
}

export function isEditLine(atom: Atom): boolean {
  return atom.startsWith(EDIT_LINE);
}

function addInputAtoms(input: JsonObject, root: string, atoms: Set<Atom>): void {
  const visit = (value: Json | undefined, field: string): void => {
    if (typeof value === "string") {
      if (OLD_TEXT_FIELDS.has(field)) for (const line of value.split("\n")) addLine(EDIT_LINE, line, atoms);
      else if (!SCHEMA_FIELDS.has(field)) addTextAtoms(value, root, atoms);
    } else if (Array.isArray(value)) for (const part of value) visit(part, field);
    else if (typeof value === "object" && value !== null)
      for (const [name, part] of Object.entries(value)) visit(part, name);
  };
  visit(input, "");
}

function addTextAtoms(text: string, root: string, atoms: Set<Atom>): void {
  for (const token of text.match(TOKENS) ?? []) {
    if (token.includes("://")) atoms.add(URL + trimUrl(token));
    else if (isPath(token)) {
      const path = canonicalPath(token, root);
      if (path.length > 3) atoms.add(PATH + path);
    }
    for (const word of token.match(WORDS) ?? []) if (isInformative(word)) atoms.add(WORD + word);
  }
  for (const line of text.split("\n")) if (ERROR_LINE.test(line) && line.length < 200) addLine(LINE, line, atoms);
}

function addLine(sign: string, line: string, atoms: Set<Atom>): void {
  const bare = line.trim();
  if (bare.length >= MIN_LINE && bare.length <= MAX_LINE && /[\p{L}\p{N}]/u.test(bare)) atoms.add(sign + bare);
}

const TOKENS = /[\w$@~:/.\-#%+=&?]{4,}/g;
const WORDS = /[A-Za-z_$][\w$]{3,}|\d{4,}/g;

/** A word with a hump, an underscore or digits inside, a hash, or a long number: nobody comes up with it twice. */
function isInformative(word: string): boolean {
  if (word.length > 80) return false;
  return (
    /^\d{4,}$|[a-z]\d*[A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|[A-Za-z]\d{2,}|\d[a-f]\d|^[0-9a-f]{7,40}$/.test(word) &&
    /[\d_A-Z]/.test(word)
  );
}

const EXTENSIONS =
  "ts|tsx|js|jsx|mjs|cjs|json|jsonl|md|mdx|py|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|rb|php|sh|bash|zsh|fish|yml|yaml|toml|ini|cfg|conf|env|lock|txt|csv|sql|html|css|scss|svg|png|jpe?g|gif|pdf|log|xml|gradle|lua|proto|tf|ps1|bat|exe|vue|svelte|ipynb|diff|patch";
const FILE_NAME = new RegExp(`^[\\w@.+-]+\\.(?:${EXTENSIONS})$`, "i");

/** Two words joined by a slash are not a path: a path goes through several folders or ends in a file. */
function isPath(token: string): boolean {
  const bare = token.replace(/[:#?].*$/, "").replace(/[.,/]+$/, "");
  const segments = bare.split("/");
  const last = segments.at(-1) ?? "";
  if (FILE_NAME.test(last)) return true;
  return (
    segments.length > 2 && /[A-Za-z]/.test(last) && segments.every((segment, index) => index === 0 || segment !== "")
  );
}

function canonicalPath(token: string, root: string): string {
  const bare = token.replace(/[:#?].*$/, "").replace(/[.,/]+$/, "");
  const relative = root !== "" && bare.startsWith(`${root}/`) ? bare.slice(root.length + 1) : bare;
  return relative.replace(/^(?:\.{0,2}\/)+|^~\//, "");
}

function trimUrl(token: string): string {
  return token.replace(/[.,;:)\]}>'"]+$/, "");
}

export type AtomIndex = (text: string) => Int32Array;

/**
 * A path is also found inside a longer one, and a line without the number, sign or file name that tools put before it. Each text is read
 * once, whatever the number of atoms.
 */
export function createAtomIndex(numbers: ReadonlyMap<Atom, number>, root: string): AtomIndex {
  // Put together anew for each word of each text, the atoms themselves would take as long to build as to find.
  const signs = new Map([WORD, PATH, URL, LINE, EDIT_LINE].map((sign) => [sign, new Map<string, number>()]));
  for (const [atom, number] of numbers) signs.get(atom.charAt(0))?.set(atom.slice(1), number);
  // A session says most of its words and lines many times.
  const inTokens = new Map<string, readonly number[]>();
  const inLines = new Map<string, readonly number[]>();
  const remember = (known: Map<string, readonly number[]>, part: string, search: Search): readonly number[] => {
    const found: number[] = [];
    search(part, root, (sign, rest) => {
      const number = signs.get(sign)?.get(rest);
      if (number !== undefined) found.push(number);
    });
    const kept = found.length === 0 ? NONE : found;
    known.set(part, kept);
    return kept;
  };
  const lookForAll = (parts: readonly string[], known: typeof inLines, search: Search, found: Set<number>): void => {
    for (const part of parts) {
      const numbers = known.get(part) ?? remember(known, part, search);
      if (numbers === NONE) continue;
      for (const number of numbers) found.add(number);
    }
  };
  return (text) => {
    const found = new Set<number>();
    lookForAll(text.match(TOKENS) ?? [], inTokens, lookForToken, found);
    lookForAll(text.split("\n"), inLines, lookForLines, found);
    return Int32Array.from(found).sort();
  };
}

type Search = (part: string, root: string, look: Look) => void;

const NONE: readonly number[] = [];

type Look = (sign: string, rest: string) => void;

function lookForToken(token: string, root: string, look: Look): void {
  if (token.includes("://")) look(URL, trimUrl(token));
  else if (token.includes("/") || token.includes(".")) lookForPaths(canonicalPath(token, root), look);
  for (const word of token.match(WORDS) ?? []) look(WORD, word);
}

/** A path, all its endings, and every folder on the way. */
function lookForPaths(path: string, look: Look): void {
  look(PATH, path);
  for (let at = path.indexOf("/"); at >= 0 && at < path.length - 1; at = path.indexOf("/", at + 1)) {
    look(PATH, path.slice(at + 1));
    if (at > 0) look(PATH, path.slice(0, at));
  }
}

const LINE_PREFIXES = [/^\s*\d+(?:→|\t|[:-])/, /^[+\- ]/, /^[\w@./-]+[:-]\d+[:-]/, /^[\w@./-]+\.\w+:/];

function lookForLines(line: string, _root: string, look: Look): void {
  if (line.length < MIN_LINE) return;
  const lookBare = (text: string): void => {
    const bare = text.trim();
    if (bare.length < MIN_LINE || bare.length > MAX_LINE) return;
    look(EDIT_LINE, bare);
    look(LINE, bare);
  };
  lookBare(line);
  for (const prefix of LINE_PREFIXES) {
    const rest = line.replace(prefix, "");
    if (rest !== line) lookBare(rest);
  }
}

/** The searchable text of a block: inputs value by value, as the tools get them. */
export function readBlockText(block: Block): string {
  switch (block.kind) {
    case "text":
      return block.text;
    case "toolCall":
      return listStrings(block.input).join("\n");
    case "toolResult":
      return renderResultText(block);
    default:
      return "";
  }
}

function listStrings(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listStrings);
}
