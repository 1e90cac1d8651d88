import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const SOURCE = path.resolve(import.meta.dirname, "../src");

/** From the inside out. A folder may import its own rank's own folder, and lower ranks; never a higher one. */
const RANKS: Readonly<Record<string, number>> = {
  core: 0,
  measure: 1,
  fold: 1,
  // Layers stand on what folding knows of outputs; a session may stand on both.
  layers: 1.5,
  prompt: 1,
  stream: 1,
  retrieve: 1,
  session: 2,
  wire: 3,
  hosts: 3,
  store: 3,
  hook: 4,
  mod: 4,
  gateway: 4,
  mcp: 4,
  dashboard: 4,
  // A person starts the other doors from here.
  cli: 5,
};

/** No clock, no chance, no host, no I/O: these folders run unchanged in Node, in a worker and in a page. */
const PURE = ["core", "measure", "fold", "layers", "session", "prompt", "retrieve"];

/** Folders whose files must not know one another: each goes away with its file, its test and one line elsewhere. */
const STRANGERS = ["layers", "cli/commands"];

const IMPURE = /from "node:|\bDate\b|\bprocess\b|\bconsole\b|Math\.random|\bperformance\b|\bsetTimeout\b|\bfetch\(/;

interface SourceFile {
  readonly name: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
  .map((name) => {
    const text = readFileSync(path.join(SOURCE, name), "utf8");
    const imports = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, target = ""]) =>
      path.normalize(path.join(path.dirname(name), target)),
    );
    return { name, text, imports };
  });

function folderOf(name: string): string {
  return name.split(path.sep)[0] ?? "";
}

/** Code without its comments: a comment may speak of clocks. */
function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

describe("the source", () => {
  it("has a rank for every folder", () => {
    const folders = new Set(files.filter(({ name }) => name.includes(path.sep)).map(({ name }) => folderOf(name)));
    expect([...folders].filter((folder) => !(folder in RANKS))).toEqual([]);
  });

  it("imports inwards only, and no neighbour of the same rank", () => {
    const wrong = files.flatMap(({ name, imports }) => {
      const rank = RANKS[folderOf(name)];
      if (rank === undefined) return [];
      return imports
        .filter(
          (target) =>
            folderOf(target) !== folderOf(name) && (RANKS[folderOf(target)] ?? Number.POSITIVE_INFINITY) >= rank,
        )
        .map((target) => `${name} imports ${target}`);
    });
    expect(wrong).toEqual([]);
  });

  it("keeps clocks, chance, hosts and I/O out of the pure folders", () => {
    const impure = files
      .filter(({ name, text }) => PURE.includes(folderOf(name)) && IMPURE.test(stripComments(text)))
      .map(({ name }) => name);
    expect(impure).toEqual([]);
  });

  it("does a host's I/O in its disk folder only, so that the rest runs inside the client", () => {
    const impure = files
      .filter(
        ({ name, text }) =>
          folderOf(name) === "hosts" &&
          !name.includes(`${path.sep}disk${path.sep}`) &&
          !name.endsWith("index.ts") &&
          text.includes('from "node:'),
      )
      .map(({ name }) => name);
    expect(impure).toEqual([]);
  });

  it("keeps siblings strangers", () => {
    const acquainted = files.flatMap(({ name, imports }) => {
      const folder = STRANGERS.find((candidate) => path.dirname(name) === path.normalize(candidate));
      if (folder === undefined || ["catalogue.ts", "index.ts"].includes(path.basename(name))) return [];
      return imports
        .filter((target) => path.dirname(target) === path.normalize(folder))
        .map((target) => `${name} imports ${target}`);
    });
    const hosts = files.flatMap(({ name, imports }) => {
      const [top, host] = name.split(path.sep);
      return top !== "hosts"
        ? []
        : imports.filter((target) => target.startsWith("hosts") && target.split(path.sep)[1] !== host);
    });
    expect([...acquainted, ...hosts]).toEqual([]);
  });

  it("stays below the wall of 300 lines a file", () => {
    expect(files.filter(({ text }) => text.split("\n").length > 300).map(({ name }) => name)).toEqual([]);
  });

  it("asserts no types away", () => {
    const asserting = files
      .filter(({ text }) => /\bas (?!const\b)[A-Z{"(\w]/.test(stripWords(text)))
      .map(({ name }) => name);
    expect(asserting).toEqual([]);
  });
});

/** Code without whatever may hold English: comments, imports, strings, regular expressions. */
function stripWords(text: string): string {
  return stripComments(text)
    .replace(/^(?:import|export) .*$/gm, "")
    .replace(/(?<=[=(,:[!&|?]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[dgimsuy]*/g, "")
    .replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g, "");
}
