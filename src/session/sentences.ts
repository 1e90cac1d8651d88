import { clipText } from "../core/clip-text.ts";
import { splitSentencesAt } from "../core/sentences.ts";

const MAX_SENTENCE_CHARACTERS = 300;

/** Prose as sentences, without code blocks; list items and headings count as sentences. Long ones are cut. */
export function splitSentences(text: string): readonly string[] {
  const sentences = splitSentencesAt(text, /(?<=[.!?])(?<!\b(?:e\.g|i\.e|vs|approx)\.)\s+(?=[\p{Lu}`"'(*])/u);
  return sentences.map((sentence) => clipText(sentence, MAX_SENTENCE_CHARACTERS));
}

/** The end of a text. If it begins inside a code block, the block is opened again, so that code is not read as prose, nor prose as code. */
export function takeEnd(text: string, characters: number): string {
  const whole = text.trimEnd();
  const end = whole.slice(-characters);
  const isInside = whole.slice(0, whole.length - end.length).split("```").length % 2 === 0;
  return isInside ? `\`\`\`\n${end}` : end;
}

const EXTENSION =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cpp|cc|c|h|hpp|swift|mdx?|jsonl?|ya?ml|toml|sql|sh|ps1|lua|nix|css|scss|html|vue|svelte|txt|lock|xml|ini|cfg|env|tf|proto)$/i;
const CANDIDATE = /[\w@~./\\:[\]-]{1,300}/g;
/** Products named like files. */
const PRODUCT = /^(?:next|node|vue|express|three|d3|nuxt|ember|backbone|chart|p5|react|discord|socket)\.js$/i;

/** File names and paths in a text, each once: words with an extension, or that begin like a path. */
export function findPaths(text: string): readonly string[] {
  const found = new Set<string>();
  for (const { 0: candidate, index } of text.matchAll(CANDIDATE)) {
    // `response.json()` is a call.
    if (text[index + candidate.length] === "(") continue;
    const path = candidate.replace(/^[:[\]]+|(?::\d+(?:[-:]\d+)?)?[:.[\]]*$/g, "");
    if (isPath(path)) found.add(path);
  }
  return [...found];
}

function isPath(path: string): boolean {
  if (path.includes("//") || path.includes("](") || PRODUCT.test(path) || /[[\]]/.test(path)) return false;
  if (EXTENSION.test(path)) return /[\w-]\.\w+$/.test(path) && !/^\d+\.\w+$/.test(path);
  return /^(?:\.{1,2}|~)?\/[\w.@-]+\/[\w.@/-]*[\w@-]$/.test(path) || /^[a-z]:[\\/][\w.@\\/-]+$/i.test(path);
}
