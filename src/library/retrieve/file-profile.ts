import { stemsOf } from "./task-keywords.ts";

/** A file in the terms that scoring needs: read once, compared with every query. */
export interface FileProfile {
  readonly path: string;
  /** Names as written, with their counts. */
  readonly names: ReadonlyMap<string, number>;
  /** Stems of all words in names, with their counts. */
  readonly words: ReadonlyMap<string, number>;
  /** How much longer the file is than `NARROW_NAMES`, at least 1. Each word of a longer file counts less. */
  readonly breadth: number;
  /** Names that the file defines, and the stems of their words. */
  readonly definitions: ReadonlySet<string>;
  readonly definedWords: ReadonlySet<string>;
  /** Stems of the words in the file's own name, and in its folders. */
  readonly nameWords: ReadonlySet<string>;
  readonly folderWords: ReadonlySet<string>;
}

/** A bundle contains every word, so above this many names each occurrence or definition counts proportionally less. */
const NARROW_NAMES = 3000;

/** The rest is ignored: a file shows earlier what it is about. */
const MAX_CHARACTERS = 400_000;

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** The keyword and the name it defines, in the commonest languages. */
const DEFINITION =
  /\b(?:function\*?|class|interface|type|enum|struct|trait|union|protocol|record|module|namespace|package|object|macro_rules!|const|let|var|val|static|def|defp|defmodule|func|fn|fun|sub|proc|impl)[ \t]+(?:\([^()\n]{0,80}\)[ \t]*)?([\p{L}_$][\p{L}\p{N}_$]*)/gu;
/** Methods and fields on a line of their own: `async render(…) {`, `readonly find: …`. */
const MEMBER =
  /^[ \t]+(?:(?:public|private|protected|readonly|static|async|override|abstract)[ \t]+){0,4}([\p{L}_$][\p{L}\p{N}_$]*)\??(?:\([^()\n]{0,200}\)[^;\n]{0,80}\{|:[ \t])/gmu;
const CONTROL: ReadonlySet<string> = new Set("if for while switch catch return default case else".split(" "));
/** A heading defines what a document is about. */
const HEADING = /^#{1,6}[ \t]+(\S[^\n]{0,120})$/gm;

export function profileFile(path: string, text: string): FileProfile {
  const shown = text.slice(0, MAX_CHARACTERS);
  const names = new Map<string, number>();
  for (const [name] of shown.matchAll(NAME)) names.set(name, (names.get(name) ?? 0) + 1);
  const words = new Map<string, number>();
  for (const [name, count] of names) for (const word of stemsOf(name)) words.set(word, (words.get(word) ?? 0) + count);
  const total = [...names.values()].reduce((sum, count) => sum + count, 0);
  const definitions = listDefinitions(shown, { isMarkdown: /\.mdx?$/i.test(path) });
  const slash = path.lastIndexOf("/");
  return {
    path,
    names,
    words,
    breadth: Math.max(1, total / NARROW_NAMES),
    definitions,
    definedWords: new Set([...definitions].flatMap(stemsOf)),
    nameWords: new Set(stemsOf(path.slice(slash + 1).replace(/(?<=.)\.[^.]+$/, ""))),
    folderWords: new Set(stemsOf(path.slice(0, Math.max(0, slash)))),
  };
}

function listDefinitions(text: string, { isMarkdown }: { readonly isMarkdown: boolean }): ReadonlySet<string> {
  if (isMarkdown) return new Set([...text.matchAll(HEADING)].flatMap(([, title = ""]) => title.match(NAME) ?? []));
  const found = [DEFINITION, MEMBER].flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = ""]) => name));
  return new Set(found.filter((name) => !CONTROL.has(name)));
}
