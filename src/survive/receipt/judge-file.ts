import { baseName, normalizePath } from "../../session/file-path.ts";
import type { FileFact } from "./fact.ts";
import type { TextIndex } from "./index-text.ts";
import { HELD, type Judgement, LOST, PARAPHRASED } from "./judgement.ts";

const PATH_CHARACTER = /[\w@~./\\:+-]/;
const NAME_CHARACTER = /[\w-]/;
/** A name of code that stands for its file, such as the component in it. */
const SPEAKING_NAME = /[a-z][A-Z]|[A-Za-z\d][-_][A-Za-z\d]/;
const MIN_SPEAKING_CHARACTERS = 8;
/** The number of an issue, which its file is called after. */
const TICKET = /[A-Z]{2,10}-\d{2,8}/;

/**
 * By its path, by the end of its path, or by its base name where no other file of the session has that. A name without its
 * ending is a paraphrase; so is one that other files share, next to the name of its folder.
 */
export function judgeFile(index: TextIndex, { path, isUnique }: FileFact): Judgement {
  const name = baseName(path);
  const mentions = findMentions(index.text, name);
  if (mentions.some((mention) => mention !== name && isSamePath(path, mention))) return HELD;
  const bare = mentions.includes(name);
  if (bare && isUnique) return HELD;
  const folder = baseName(path.slice(0, Math.max(0, path.length - name.length - 1)));
  if (bare && index.segments.some(({ text }) => text.includes(name) && hasWhole(text, folder))) return PARAPHRASED;
  const stem = name.replace(/\.[^.]*$/, "");
  const isSpeaking = isUnique && stem.length >= MIN_SPEAKING_CHARACTERS && SPEAKING_NAME.test(stem);
  const ticket = isUnique ? (stem.match(TICKET)?.[0] ?? "") : "";
  return (isSpeaking && hasWhole(index.text, stem)) || (ticket !== "" && hasWhole(index.text, ticket))
    ? PARAPHRASED
    : LOST;
}

/** Every path in a text that ends in this name, as it stands there. */
function findMentions(text: string, name: string): readonly string[] {
  const found = new Set<string>();
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (NAME_CHARACTER.test(text[end] ?? "") || NAME_CHARACTER.test(text[at - 1] ?? "")) continue;
    let start = at;
    while (start > 0 && PATH_CHARACTER.test(text[start - 1] ?? "")) start--;
    found.add(
      normalizePath(text.slice(start, end).replace(/^[.:+@~-]*\/|^[:+@-]+/, (lead) => (lead === "/" ? "/" : ""))),
    );
  }
  return [...found];
}

/** One is the end of the other, at a slash. */
function isSamePath(path: string, mention: string): boolean {
  return path === mention || path.endsWith(`/${mention.replace(/^\//, "")}`) || mention.endsWith(`/${path}`);
}

function hasWhole(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!NAME_CHARACTER.test(text[at - 1] ?? "") && !NAME_CHARACTER.test(text[at + word.length] ?? "")) return true;
  return false;
}
