import type { ReaderOptions } from "./command-table.ts";

export interface Arguments {
  readonly operands: readonly string[];
  /** Names of the options that were given, short and long, without dashes. */
  readonly options: ReadonlySet<string>;
  /** Their values, as pairs of name and value. */
  readonly values: readonly (readonly [name: string, value: string])[];
}

/** A command's words behind its name, as getopt takes them apart: options may stand anywhere before `--`. */
export function parseArguments(
  words: readonly string[],
  { valued = "", longValued = [], twoValued = [] }: ReaderOptions,
): Arguments {
  const operands: string[] = [];
  const options = new Set<string>();
  const values: [string, string][] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      for (let rest = at + 1; rest < words.length; rest++) operands.push(words[rest] ?? "");
      break;
    }
    if (word.startsWith("--")) {
      const equals = word.indexOf("=");
      const name = word.slice(2, equals < 0 ? undefined : equals);
      options.add(name);
      if (equals >= 0) values.push([name, word.slice(equals + 1)]);
      else if (longValued.includes(name)) values.push([name, words[++at] ?? ""]);
      else if (twoValued.includes(name)) at += 2;
    } else if (word.startsWith("-") && word !== "-") {
      const cluster = parseCluster(word, valued);
      for (const letter of cluster.letters) options.add(letter);
      if (cluster.valuedBy !== undefined) values.push([cluster.valuedBy, cluster.value ?? words[++at] ?? ""]);
    } else operands.push(word);
  }
  return { operands, options, values };
}

interface Cluster {
  readonly letters: string;
  readonly valuedBy?: string;
  /** Where it hangs on the letter, as in `-n5`; otherwise the next word is the value. */
  readonly value?: string;
}

export function parseCluster(word: string, valued: string): Cluster {
  const at = word
    .slice(1, 64)
    .split("")
    .findIndex((letter) => valued.includes(letter));
  if (at < 0) return { letters: word.slice(1, 64) };
  const valuedBy = word[at + 1] ?? "";
  const attached = word.slice(at + 2);
  return { letters: word.slice(1, at + 2), valuedBy, ...(attached === "" ? {} : { value: attached }) };
}

/** Replaces within reason: a long text stays as it is, and a long replacement is cut, so that nothing multiplies. */
export function replaceShort(text: string, pattern: RegExp, by: (all: string, name: string) => string): string {
  if (text.length > 4096) return text;
  return text.replace(pattern, (all: string, name: string) => by(all, name).slice(0, 1024));
}
