/** If red: the source loses its order: rooms know each other, pure folders read a clock, or files grow without a bound. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findCircles } from "./support/find-circles.ts";
import { measureSource } from "./support/measure-source.ts";

const SOURCE = path.resolve(import.meta.dirname, "../src");
const EXAMPLES = path.resolve(import.meta.dirname, "../examples");
const DOCUMENTS = ["library", "library/layers", "library/streaming"].map((name) =>
  path.join(EXAMPLES, `../docs/${name}.md`),
);

/** A row of the table in ARCHITECTURE.md: what a room may hold, and the rooms that may import it. */
interface Room {
  readonly name: string;
  readonly lines: number;
  readonly files: number;
  readonly importers: ReadonlySet<string>;
}

/**
 * How large all rooms together may be, without tests; each has its own row in ARCHITECTURE.md. Aims: 70,000 lines, 720 files, no name that
 * exists twice but the hosts' contract, 40 long functions. Who makes something smaller lowers its wall.
 */
const WALLS = { lines: 84_400, files: 834, twins: 0, folder: 25, longFunctions: 45 } as const;

/** What is started or loaded by itself; the build scripts name the same files. */
const PROGRAMS = [
  "entry/cli/plimsoll.ts",
  "entry/cli/scan-worker.ts",
  "entry/cli/replay/replay-worker.ts",
  "entry/dashboard/engine-worker.ts",
  "entry/gateway/thread/reading-thread.ts",
  "entry/dashboard/page/main.tsx",
  "entry/hook/codex-main.ts",
  "entry/hook/main.ts",
  "entry/hook/statusline-main.ts",
  "entry/mcp/main.ts",
  "entry/engine/main.ts",
  "entry/module/register.ts",
  "entry/opencode/register.ts",
  "entry/pi/register.ts",
  // Put in the place of `../claude-code/client.ts` where the hooks are built for Codex.
  "entry/hook/clients/codex/client.ts",
  // Put in the place of `core/sha256.ts` where a program runs on Node, and in the published library.
  "files/native-sha256.ts",
  "files/builder/platform-sha256.ts",
];

/** Asked for, shown by their tests, and not yet behind any entry point. May only grow shorter. */
const WAITING_FOR_AN_ENTRY_POINT: readonly string[] = [];

/** No clock, no chance, no I/O: these rooms run unchanged in Node, in a worker inside the client, and in a page. */
const PURE = ["core", "models", "measure", "fold", "layers", "session", "survive", "guard", "policy", "wire", "replay"];

/** Folders whose files must not know one another: each goes away with its file, its test and one line elsewhere. */
const STRANGERS = ["layers", ...["", "/agents", "/programs"].map((list) => `entry/cli/commands${list}`)];

/**
 * Who may know a client by name: the entry points that it loads itself, and the commands that put them into it
 * (docs/decisions/0012-hosts.md). Everybody else asks a host of `hosts/catalogue.ts`.
 */
const CLIENTS_OWN = /^(?:hosts|entry\/(?:engine|module|hook|pi|opencode)|entry\/cli\/(?:install|doctor))\//;
/** One file each, with its reason. */
const KNOWING = new Set([
  // Asked at the client's own entry points, of calls as it names them.
  "guard/decide-ignored.ts",
  // Rules of thumb that are kept exact for comparison, tool names included.
  "measure/compat.ts",
  // Inputs and names that a model does not have to be told, of whichever client.
  "replay/atoms.ts",
]);

/** Words that only one client uses. What a comment says of where a figure was seen is evidence, and stays. */
const CLIENT_WORDS: Readonly<Record<string, RegExp>> = {
  tool: /\b(?:MultiEdit|Notebook(?:Edit|Read)|TodoWrite|TaskCreate|TaskUpdate|ExitPlanMode|AskUserQuestion|BashOutput|KillShell)\b/,
  event: /\b(?:P(?:re|ost)ToolUse|UserPromptSubmit|Session(?:Start|End)|P(?:re|ost)Compact|Subagent(?:Start|Stop))\b/,
  place:
    /\.claude\/projects|\.claude\.json|\/etc\/claude-code|"\.claude"|\.claude\/(?:settings|rules|agents|skills|CLAUDE)/,
  variable: /\bCLAUDE_(?:CODE_|CONFIG_|PROJECT_|AUTOCOMPACT_|PLUGIN_)|x-claude-code-/,
  record: /\b(?:parentUuid|isCompactSummary|compact_boundary|subagent_type|queue-operation|isApiErrorMessage)\b/,
  version: /\b[12]\.\d+\.\d{2,3}\b/,
};

const IMPURE =
  /from "node:|\bDate\b(?!\.parse\b|\([a-z])|\bprocess\b|\bconsole\b|Math\.random|\bperformance\b|\bsetTimeout\b|\bfetch\(/;

interface SourceFile {
  readonly name: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** What each test file begins with: a sentence of at most 135 characters on what a user or a model would lose. */
const FIRST_LINE = /^\/\*\* If red: [^\n]{20,135}[.)] \*\/\n/;

const files: readonly SourceFile[] = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
  .map((name) => {
    const text = readFileSync(path.join(SOURCE, name), "utf8");
    const imports = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, target = ""]) =>
      path.normalize(path.join(path.dirname(name), target)),
    );
    return { name, text, imports };
  });

/** Imports of any kind, those that wait until they are needed included. */
const reaches: ReadonlyMap<string, readonly string[]> = new Map(
  files.map(({ name, text }) => [
    name,
    [...stripComments(text).matchAll(/(?:from |import\()\s*"(\.[^"]+)"/g)].map(([, target = ""]) =>
      path.normalize(path.join(path.dirname(name), target)),
    ),
  ]),
);

/** `plimsoll/core` and where its source is. */
function listSubpaths(): ReadonlyMap<string, string> {
  const { exports }: { readonly exports: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(path.join(SOURCE, "../package.json"), "utf8"),
  );
  const modules = Object.entries(exports).filter(([, file]) => file.endsWith(".js"));
  return new Map(
    modules.map(([name, file]) => [
      path.posix.join("plimsoll", name),
      file.replace("./dist/", "").replace(/\.js$/, ".ts"),
    ]),
  );
}

/** The names of an index, as they are exported. */
function listExported(text: string): readonly string[] {
  return [...text.matchAll(/^export (?:type )?\{([^}]+)\}/gm)].flatMap(([, list = ""]) =>
    list.split(",").flatMap((entry) => /(\w+)\s*$/.exec(entry)?.[1] ?? []),
  );
}

function folderOf(name: string): string {
  return name.split(path.sep)[0] ?? "";
}

/** Each entry point is a room of its own; the file at the top, which exports what others hold, is in none. */
function roomOf(name: string): string {
  const folders = name.split(path.sep).slice(0, -1);
  return (folders[0] === "entry" ? folders[1] : folders[0]) ?? "";
}

/** From the inside out, as in ARCHITECTURE.md. */
function readRooms(): readonly Room[] {
  const text = readFileSync(path.join(SOURCE, "../ARCHITECTURE.md"), "utf8");
  const rows = [...text.matchAll(/^\| `src\/(?:entry\/)?([\w-]+)` \| (\d+) \| (\d+) \| (.+) \|$/gm)];
  const names = rows.map(([, name = ""]) => name);
  return rows.map(([, name = "", lines, files, by = ""], at) => {
    const but = /^everybody below(?: but (.+))?$/.exec(by);
    const listed = new Set((but ? (but[1] ?? "") : by === "none" ? "" : by).split(", "));
    const importers = but ? names.slice(at + 1).filter((other) => !listed.has(other)) : [...listed];
    return { name, lines: Number(lines), files: Number(files), importers: new Set(importers) };
  });
}

function toSlashes(name: string): string {
  return name.split(path.sep).join("/");
}

/** Code without its comments: a comment may speak of clocks. */
function stripComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
}

describe("the source", () => {
  it("has a row in ARCHITECTURE.md for every room, whose importers all stand below it", () => {
    const rooms = readRooms();
    const names = rooms.map(({ name }) => name);
    const found = new Set(files.map(({ name }) => roomOf(name)).filter((name) => name !== ""));
    expect([...names].sort()).toEqual([...found].sort());
    const upwards = rooms.flatMap(({ name, importers }, at) =>
      [...importers].filter((other) => other !== "" && names.indexOf(other) <= at).map((other) => `${other} ${name}`),
    );
    expect(upwards).toEqual([]);
  });

  it("imports a room only where its row says so: nothing inside knows an entry point, and none knows another", () => {
    const importersOf = new Map(readRooms().map(({ name, importers }) => [name, importers]));
    const wrong = files.flatMap(({ name }) =>
      (reaches.get(name) ?? [])
        .filter((target) => roomOf(name) !== "" && roomOf(target) !== roomOf(name))
        .filter((target) => importersOf.get(roomOf(target))?.has(roomOf(name)) !== true)
        .map((target) => `${name} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it("keeps each room below its own wall", () => {
    const crowded = readRooms().filter(({ name, lines, files: most }) => {
      const held = files.filter((file) => roomOf(file.name) === name);
      return held.length > most || held.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0) > lines;
    });
    expect(crowded.map(({ name }) => name)).toEqual([]);
  });

  it("does not know the lab, which measures it and is not published", () => {
    const knowing = files.filter(({ imports }) => imports.some((target) => toSlashes(target).startsWith("../")));
    expect(knowing.map(({ name }) => name)).toEqual([]);
    const { files: published }: { readonly files: readonly string[] } = JSON.parse(
      readFileSync(path.join(SOURCE, "../package.json"), "utf8"),
    );
    expect(published).not.toContain("lab");
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

  it("has every room that ARCHITECTURE.md names, and names every room that it has", () => {
    const text = readFileSync(path.join(SOURCE, "../ARCHITECTURE.md"), "utf8");
    const named = [...text.matchAll(/^\| `src\/([a-z]+)` \| (?!\d)/gm)].map(([, name = ""]) => name);
    const found = new Set(files.filter(({ name }) => name.includes(path.sep)).map(({ name }) => folderOf(name)));
    expect(named.sort()).toEqual([...found].sort());
    const paths = [...text.matchAll(/`((?:src|test|docs|scripts|lab|examples|deploy|plugin)\/[\w./-]+)`/g)];
    expect(paths.filter(([, name = ""]) => !existsSync(path.join(SOURCE, "..", name))).map(([, name]) => name)).toEqual(
      [],
    );
  });

  it("holds no file that nobody reaches: from a program, or by a subpath that an executed example or document imports", () => {
    const published = listSubpaths();
    const examples = readdirSync(EXAMPLES).filter((name) => /^\d\d-.*\.ts$/.test(name));
    // `docs.deep.test.ts` runs every block of these.
    const shown = [...examples.map((name) => path.join(EXAMPLES, name)), ...DOCUMENTS];
    const imported = new Set(
      shown
        .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/from "(plimsoll[^"]*)"/g)])
        .map(([, name = ""]) => name),
    );
    expect([...published.keys()].filter((name) => !imported.has(name))).toEqual([]);
    const entries = [...PROGRAMS, ...published.values()].map(path.normalize);
    const reached = new Set(entries);
    // A set is walked on while it grows.
    for (const name of reached) for (const target of reaches.get(name) ?? []) reached.add(target);
    const unreached = files.map(({ name }) => name).filter((name) => !reached.has(name));
    expect(unreached.sort()).toEqual(WAITING_FOR_AN_ENTRY_POINT.map(path.normalize));
  });

  it("exports each name by name, all of them at the root in the index of docs/library.md, and at most 32 there", () => {
    const page = readFileSync(path.join(SOURCE, "../docs/library.md"), "utf8");
    const index = page.slice(page.indexOf("## Index"), page.indexOf("## Options"));
    const published = listSubpaths();
    const texts = [...published].map(([name, file]) => ({ name, text: readFileSync(path.join(SOURCE, file), "utf8") }));
    expect(texts.filter(({ text }) => /^export (?:type )?\*/m.test(text)).map(({ name }) => name)).toEqual([]);
    const names = listExported(texts.find(({ name }) => name === "plimsoll")?.text ?? "");
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(index))).toEqual([]);
    expect(names.length).toBeGreaterThan(20);
    expect(names.length).toBeLessThanOrEqual(32);
    expect([...published.keys()].filter((name) => !index.includes(name.replace("plimsoll/", "/")))).toEqual([]);
    expect(index.split("\n").length, "one screen").toBeLessThan(40);
  });

  it("has no circle of files, types included", () => {
    expect(findCircles(new Map(files.map(({ name, imports }) => [name, imports])))).toEqual([]);
  });

  it("keeps siblings strangers", () => {
    const acquainted = files.flatMap(({ name, imports }) => {
      const folder = STRANGERS.find((candidate) => path.dirname(name) === path.normalize(candidate));
      if (folder === undefined || ["catalogue.ts", "index.ts"].includes(path.basename(name))) return [];
      return imports
        .filter((target) => path.dirname(target) === path.normalize(folder))
        .map((target) => `${name} imports ${target}`);
    });
    // What stands in `hosts` itself is the contract and what all share; the catalogue alone knows who there is.
    const hosts = files.flatMap(({ name, imports }) => {
      const [top, host = ""] = name.split(path.sep);
      if (top !== "hosts" || host === "catalogue.ts") return [];
      return imports
        .filter(
          (target) =>
            /^hosts\/(?:[\w-]+\/|catalogue\.ts)/.test(toSlashes(target)) && target.split(path.sep)[1] !== host,
        )
        .map((target) => `${name} imports ${target}`);
    });
    expect([...acquainted, ...hosts]).toEqual([]);
  });

  it("knows a client by its path in its own folder, in the catalogue and at its own entry points only", () => {
    const knowing = files
      .filter(({ name }) => !CLIENTS_OWN.test(toSlashes(name)))
      .flatMap(({ name, imports }) =>
        imports
          .filter((target) => /^hosts\/[\w-]+\//.test(toSlashes(target)))
          .map((target) => `${name} imports ${target}`),
      );
    expect(knowing).toEqual([]);
  });

  it("uses no word of one client outside them", () => {
    const found = files
      .filter(({ name }) => !CLIENTS_OWN.test(toSlashes(name)) && !KNOWING.has(toSlashes(name)))
      .flatMap(({ name, text }) =>
        Object.entries(CLIENT_WORDS).flatMap(([kind, words]) => {
          const word = words.exec(stripComments(text))?.[0];
          return word === undefined ? [] : [`${name}: ${kind} ${word}`];
        }),
      );
    expect(found).toEqual([]);
  });

  it.each([
    ["tool", 'case "TodoWrite":'],
    ["event", 'if (event === "PostToolUse")'],
    ["place", 'path.join(home, ".claude/projects")'],
    ["variable", "environment.CLAUDE_CONFIG_DIR"],
    ["record", "line.isCompactSummary"],
    ["version", 'isAtLeast("2.1.93")'],
  ])("would see a %s", (kind, line) => {
    expect(CLIENT_WORDS[kind]?.test(line)).toBe(true);
  });

  it("stays below the wall of 300 lines a file", () => {
    expect(files.filter(({ text }) => text.split("\n").length > 300).map(({ name }) => name)).toEqual([]);
  });

  it("stays below its walls: lines, files, names that exist twice, files in a folder, long functions", () => {
    const size = measureSource(files.map(({ name, text }) => ({ name: toSlashes(name), text })));
    expect(size.lines, "lines").toBeLessThanOrEqual(WALLS.lines);
    expect(size.files, "files").toBeLessThanOrEqual(WALLS.files);
    expect(
      size.twins.size,
      [...size.twins].map(([name, where]) => `${name}: ${where.join(" ")}`).join("\n"),
    ).toBeLessThanOrEqual(WALLS.twins);
    expect(size.longFunctions.length, size.longFunctions.join("\n")).toBeLessThanOrEqual(WALLS.longFunctions);
    const crowded = [...size.folders].filter(([, count]) => count > WALLS.folder);
    expect(crowded).toEqual([]);
  });

  it.each([
    ["a name that exists twice", "a.ts", "export const same = 1;\n", { twins: 1 }],
    ["a function of 51 lines", "a.ts", `export function long(): void {\n${"  work();\n".repeat(49)}}\n`, { long: 1 }],
    ["a function of 50 lines as no long one", "a.ts", `function long(): void {\n${"  work();\n".repeat(48)}}\n`, {}],
    ["a method of 51 lines", "a.ts", `const made = {\n  run() {\n${"    work();\n".repeat(49)}  },\n};\n`, { long: 1 }],
    ["a host's contract as no twin", "hosts/one/a.ts", "export const same = 1;\n", {}],
  ])("would see %s", (_what, name, text, { twins = 0, long = 0 }: { twins?: number; long?: number }) => {
    const size = measureSource([
      { name, text },
      { name: "b.ts", text: "export const same = 2;\n" },
    ]);
    expect([size.files, size.folders.get("."), size.twins.size, size.longFunctions.length]).toEqual([
      2,
      name.includes("/") ? 1 : 2,
      twins,
      long,
    ]);
    expect(size.lines).toBe(text.split("\n").length);
  });

  it("asserts no types away", () => {
    const asserting = files
      .filter(({ text }) => /\bas (?!const\b)[A-Z{"(\w]/.test(stripWords(text)))
      .map(({ name }) => name);
    expect(asserting).toEqual([]);
  });
});

describe("a test file", () => {
  it("says in its first line what a user would lose if it were red, each in its own words", () => {
    const tests = ["src", "test", "lab"].flatMap((folder) =>
      readdirSync(path.join(SOURCE, "..", folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".test.ts"))
        .map((name) => ({
          name: `${folder}/${name}`,
          text: readFileSync(path.join(SOURCE, "..", folder, name), "utf8"),
        })),
    );
    expect(tests.length).toBeGreaterThan(600);
    expect(tests.filter(({ text }) => !FIRST_LINE.test(text)).map(({ name }) => name)).toEqual([]);
    const lines = tests.map(({ text }) => text.slice(0, text.indexOf("\n")));
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
  });

  it.each([
    ["no such line", 'import { it } from "vitest";\n'],
    ["one that says nothing", "/** If red: it is broken. */\n"],
    ["one that is too long", `/** If red: ${"a person loses much ".repeat(8)}. */\n`],
    ["one that is not the first", '"use strict";\n/** If red: a person loses what they have said. */\n'],
  ])("would be seen with %s", (_what, text) => {
    expect(FIRST_LINE.test(text)).toBe(false);
  });
});

/** Code without whatever may hold English: comments, imports, strings, regular expressions. */
function stripWords(text: string): string {
  return stripComments(text)
    .replace(/^(?:import|export) .*$/gm, "")
    .replace(/(?<=[=(,:[!&|?]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n])+\/[dgimsuy]*/g, "")
    .replace(/(["'`])(?:\\.|(?!\1)[^\\])*\1/g, "");
}
