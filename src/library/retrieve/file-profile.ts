import { stemsOf } from "./task-keywords.ts";

/** A file in the terms that scoring needs: read once, compared with every query. */
export interface FileProfile {
  readonly path: string;
  /** Names as written, with how often. */
  readonly names: ReadonlyMap<string, number>;
  /** Stems of all the words that names are made of, with how often. */
  readonly words: ReadonlyMap<string, number>;
  /** How many times as long as a file may be before each of its words tells less; at least 1. */
  readonly breadth: number;
  /** Names that the file defines, and the stems of their words. */
  readonly definitions: ReadonlySet<string>;
  readonly definedWords: ReadonlySet<string>;
  /** Stems of the words of the file's own name, and of the folders above it. */
  readonly nameWords: ReadonlySet<string>;
  readonly folderWords: ReadonlySet<string>;
}

/** A bundle has every word there is: beyond so many names an occurrence or a definition counts in proportion less. */
const NARROW_NAMES = 3000;

/** What is beyond is not looked at: what a file is about it says before. */
const MAX_CHARACTERS = 400_000;

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** The keyword, and the name it defines, in the languages there are most of. */
const DEFINITION =
  /\b(?:function\*?|class|interface|type|enum|struct|trait|union|protocol|record|module|namespace|package|object|macro_rules!|const|let|var|val|static|def|defp|defmodule|func|fn|fun|sub|proc|impl)[ \t]+(?:\([^()\n]{0,80}\)[ \t]*)?([\p{L}_$][\p{L}\p{N}_$]*)/gu;
/** Methods and fields that stand alone on their line: `async render(…) {`, `readonly find: …`. */
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
