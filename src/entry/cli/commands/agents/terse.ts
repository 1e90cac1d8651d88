import { splitVerbatim } from "../../../../policy/density/classify-exception.ts";
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

/** Stands for a verbatim segment while words are dropped. It is for private use, so a text that contains it is left alone. */
const HOLE = "\uE000";

/**
 * Drops articles, filler and pleasantries. Only whole words from closed lists are removed; nothing is added, moved or rewritten,
 * so code, paths, identifiers, numbers, units, versions, errors and every hedge stay byte for byte.
 */
export function compressProse(text: string): string {
  if (text.includes(HOLE)) return text;
  const spans = splitVerbatim(text, { withErrorLines: true });
  const verbatim: string[] = [];
  const holed = spans.map((span) => {
    if (!span.isVerbatim) return span.text;
    // A final line feed stays outside: it ends the line.
    const [, kept = "", end = ""] = /^(.*?)(\n?)$/s.exec(span.text) ?? [];
    verbatim.push(kept);
    return `${HOLE}${end}`;
  });
  const lines = holed.join("").split(/(?<=\n)/);
  const compressed = lines.map(compressLine).join("");
  const segments = verbatim.values();
  return compressed.replaceAll(HOLE, () => segments.next().value ?? "");
}

/** A dropped word takes the white space before it along; the line keeps its indentation. */
function compressLine(line: string): string {
  const prose = line.trim();
  const pieces = prose.split(/(?<=\S)(?=\s)/);
  const dropped = findDroppable(pieces.map((piece) => piece.trim()));
  const kept = pieces
    .filter((_, index) => !dropped.has(index))
    .join("")
    .trimStart();
  return kept === "" && prose !== "" ? "" : line.replace(prose, () => kept);
}

function findDroppable(words: readonly string[]): ReadonlySet<number> {
  const dropped = new Set<number>();
  let index = 0;
  let isOpening = true;
  while (index < words.length) {
    isOpening ||= isSentenceStart(words[index - 1]);
    const length: number = isOpening ? measureOpening(words, index) : 0;
    for (let offset = 0; offset < length; offset++) dropped.add(index + offset);
    if (length === 0 && isDroppableWord(words, index)) dropped.add(index);
    // After a dropped opening the next word still begins the sentence.
    isOpening = length > 0;
    index += Math.max(1, length);
  }
  return dropped;
}

function isSentenceStart(before = "."): boolean {
  return !before.includes(HOLE) && /^(?:[-*+]|\d{1,3}[.)])$|[.!?]$/.test(before);
}

/** The number of words that form a pleasantry up to its full stop, or a lead-in with more text after it. */
function measureOpening(words: readonly string[], from: number): number {
  for (const [phrases, ending] of [
    [PLEASANTRIES, /[.!]$/],
    [LEAD_INS, /(?:[\w'],|that)$/i],
  ] as const) {
    for (const { length, text } of phrases) {
      const opening = words.slice(from, from + length).join(" ");
      const plain = opening
        .toLowerCase()
        .replaceAll("’", "'")
        .replace(/[.!,]$/, "");
      if (plain === text && ending.test(opening)) return length;
    }
  }
  return 0;
}

function isDroppableWord(words: readonly string[], index: number): boolean {
  const [given = "", next] = words.slice(index, index + 2);
  if (next === undefined) return false;
  const before = words[index - 1];
  const word = isSentenceStart(before) ? given.slice(0, 1).toLowerCase() + given.slice(1) : given;
  const isPlainNext = /^[a-z][a-z'’-]+[,.;:!?)]?$/.test(next);
  if (word === "the") return true;
  // "A" may be a name even at the start of a sentence: "A plus B".
  if (ARTICLES.has(word)) return given !== "A" && isPlainNext && !FUNCTION_WORDS.has(next) && !AMOUNT.test(next);
  // "Just the tests" means no others.
  if (word === "just" && ARTICLES.has(next)) return false;
  return FILLER_WORDS.has(word) && (isPlainNext || ARTICLES.has(next)) && !NEGATION.test(before ?? "");
}

const ARTICLES: ReadonlySet<string> = new Set(["a", "an", "the"]);

const FILLER_WORDS: ReadonlySet<string> = new Set(
  "just really basically actually simply very quite essentially literally obviously clearly".split(" "),
);

/** "not very" differs from "not": a filler after one of these words carries meaning. */
const NEGATION = /^(?:not|never|no|nothing|none|nobody|neither|hardly|barely|rarely|cannot|nor|without)$|n['’]t$/i;

/** "A few" are some, "few" are hardly any. */
const AMOUNT = /^(?:few|little|lot|bit|couple|while)\b/;

/** An article precedes a noun. Before one of these words, `a` is a name: "set a to 5", "a is undefined". */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  "to is are was were be been and or nor but of in on at as by for from with than then equals has had does do did will would can could may might must should if so not plus minus times".split(
    " ",
  ),
);

/** Empty introductions to a sentence: they are dropped, the sentence stays. */
const LEAD_INS =
  listPhrases(`please note that, note that, it is worth noting that, it's worth noting that, it should be noted that,
  it is important to note that, as you can see, needless to say, in addition, additionally, furthermore, moreover,
  of course, sure, certainly, absolutely`);

const PLEASANTRIES =
  listPhrases(`great question, good question, thank you, thanks, you're welcome, happy to help, glad to help,
  i'd be happy to help, i'd be happy to help with that, i hope this helps, hope this helps,
  let me know if you have any questions, let me know if you need anything else, feel free to ask, sure, certainly,
  absolutely, of course`);

function listPhrases(text: string) {
  return text.split(/,\s+/).map((phrase) => ({ text: phrase, length: phrase.split(" ").length }));
}
