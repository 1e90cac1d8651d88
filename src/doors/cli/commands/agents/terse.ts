import { splitVerbatim, type VerbatimSpan } from "../../../../policy/density/classify-exception.ts";
import { CliError, type Command, defineCommand } from "../../command.ts";
import { renderPage } from "../../print/style.ts";
import { requireText } from "../../require-text.ts";

export const terseCommand: Command = defineCommand({
  name: "terse",
  isVerbatim: true,
  summary: "Removes filler from a text; code, errors, paths, names and numbers stay unchanged",
  positional: { name: "FILE", help: "the text file, or - for standard input" },
  options: {},
  examples: {
    "plimsoll terse session.jsonl --json": "prints the shorter text, and its length before and after, as JSON",
  },
  run({ positionals, flags }, terminal) {
    const [given, ...rest] = positionals;
    if (given === undefined) throw new CliError("plimsoll terse needs a file: pass FILE, or - for standard input");
    if (rest.length > 0) throw new CliError(`plimsoll terse takes one file: unexpected argument "${rest[0]}"`);
    const before = requireText(given, terminal);
    const text = compressProse(before);
    const json = { charactersBefore: before.length, charactersAfter: text.length, text };
    if (terminal.isTerminal || flags.has("json")) return { json, text: () => renderPage(text, terminal) };
    terminal.write(new TextEncoder().encode(text));
    return undefined;
  },
});

/** A run of characters without white space, with the white space before it. */
interface Token {
  readonly lead: string;
  readonly text: string;
  /** Contains verbatim text and is never dropped. */
  readonly isFixed: boolean;
}

/**
 * Drops articles, filler and pleasantries. Only whole words from closed lists are removed; nothing is added, moved or rewritten,
 * so code, paths, identifiers, numbers, units, versions, errors and every hedge stay byte for byte.
 */
export function compressProse(text: string): string {
  const lines: VerbatimSpan[][] = [[]];
  for (const span of splitVerbatim(text, { withErrorLines: true })) {
    lines.at(-1)?.push(span);
    if (span.text.endsWith("\n")) lines.push([]);
  }
  return lines.map(compressLine).join("");
}

function compressLine(spans: readonly VerbatimSpan[]): string {
  const { tokens, tail } = toTokens(spans);
  const dropped = findDroppable(tokens);
  const kept = tokens.filter((_, index) => !dropped.has(index));
  if (dropped.size === 0) return spans.map(({ text }) => text).join("");
  if (kept.length === 0) return "";
  return `${kept.map(({ lead, text }, index) => (index === 0 ? (tokens[0]?.lead ?? "") : lead) + text).join("")}${tail}`;
}

/** Joins adjacent spans: a word right after inline code belongs to it. */
function toTokens(spans: readonly VerbatimSpan[]): { readonly tokens: readonly Token[]; readonly tail: string } {
  const tokens: { lead: string; text: string; isFixed: boolean }[] = [];
  let lead = "";
  let isOpen = false;
  for (const { text, isVerbatim } of spans) {
    for (const piece of isVerbatim ? [text] : text.split(/(\s+)/)) {
      if (piece === "") continue;
      if (!isVerbatim && piece.trim() === "") {
        lead = piece;
        isOpen = false;
        continue;
      }
      const last = tokens.at(-1);
      if (isOpen && last) {
        last.text += piece;
        last.isFixed ||= isVerbatim;
      } else tokens.push({ lead, text: piece, isFixed: isVerbatim });
      lead = "";
      isOpen = true;
    }
  }
  return { tokens, tail: lead };
}

function findDroppable(tokens: readonly Token[]): ReadonlySet<number> {
  const dropped = new Set<number>();
  let index = 0;
  let isOpening = true;
  while (index < tokens.length) {
    isOpening ||= isSentenceStart(tokens[index - 1]);
    const length: number = isOpening ? measureOpening(tokens, index) : 0;
    for (let offset = 0; offset < length; offset++) dropped.add(index + offset);
    if (length === 0 && isDroppableWord(tokens, index)) dropped.add(index);
    // After a dropped opening the next word still begins the sentence.
    isOpening = length > 0;
    index += Math.max(1, length);
  }
  return dropped;
}

function isSentenceStart(before: Token | undefined): boolean {
  return before === undefined || (!before.isFixed && /^(?:[-*+]|\d{1,3}[.)])$|[.!?]$/.test(before.text));
}

/** The number of words that form a pleasantry up to its full stop, or a lead-in with more text after it. */
function measureOpening(tokens: readonly Token[], from: number): number {
  for (const [phrases, ending] of [
    [PLEASANTRIES, /[.!]$/],
    [LEAD_INS, /(?:[\w'],|that)$/i],
  ] as const) {
    for (const phrase of phrases) {
      const last = tokens[from + phrase.length - 1];
      const isWhole = phrase.every((word, offset) => isWord(tokens[from + offset], word, offset === phrase.length - 1));
      if (isWhole && last && ending.test(last.text)) return phrase.length;
    }
  }
  return 0;
}

function isWord(token: Token | undefined, word: string, isLast: boolean): boolean {
  if (!token || token.isFixed) return false;
  const text = token.text.toLowerCase().replaceAll("’", "'");
  return isLast ? text.replace(/[.!,]$/, "") === word : text === word;
}

function isDroppableWord(tokens: readonly Token[], index: number): boolean {
  const token = tokens[index];
  const next = tokens[index + 1];
  if (!token || token.isFixed || !next) return false;
  const before = tokens[index - 1]?.text.toLowerCase() ?? "";
  const isStart = isSentenceStart(tokens[index - 1]);
  const word = isStart ? token.text.slice(0, 1).toLowerCase() + token.text.slice(1) : token.text;
  const isPlainNext = !next.isFixed && /^[a-z][a-z'’-]+[,.;:!?)]?$/.test(next.text);
  if (word === "the") return true;
  // "A" may be a name even at the start of a sentence: "A plus B".
  if (ARTICLES.has(word)) return token.text !== "A" && isPlainNext && !FUNCTION_WORDS.has(next.text);
  return (
    FILLER_WORDS.has(word) &&
    (isPlainNext || ARTICLES.has(next.text)) &&
    !NEGATIONS.has(before) &&
    !/n['’]t$/.test(before)
  );
}

const ARTICLES: ReadonlySet<string> = new Set(["a", "an", "the"]);

const FILLER_WORDS: ReadonlySet<string> = new Set(
  "just really basically actually simply very quite essentially literally obviously clearly".split(" "),
);

/** "not very" differs from "not": a filler after one of these words carries meaning. */
const NEGATIONS: ReadonlySet<string> = new Set(["not", "never", "no", "hardly", "cannot", "nor", "without"]);

/** An article precedes a noun. Before one of these words, `a` is a name: "set a to 5", "a is undefined". */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  "to is are was were be been and or nor but of in on at as by for from with than then equals has had does do did will would can could may might must should if so not plus minus times".split(
    " ",
  ),
);

/** Empty introductions to a sentence: they are dropped, the sentence stays. */
const LEAD_INS: readonly (readonly string[])[] =
  `please note that, note that, it is worth noting that, it's worth noting that, it should be noted that,
  it is important to note that, as you can see, needless to say, in addition, additionally, furthermore, moreover,
  of course, sure, certainly, absolutely`
    .split(/,\s+/)
    .map((phrase) => phrase.split(" "));

const PLEASANTRIES: readonly (readonly string[])[] =
  `great question, good question, thank you, thanks, you're welcome, happy to help, glad to help,
  i'd be happy to help, i'd be happy to help with that, i hope this helps, hope this helps,
  let me know if you have any questions, let me know if you need anything else, feel free to ask, sure, certainly,
  absolutely, of course`
    .split(/,\s+/)
    .map((phrase) => phrase.split(" "));
