/** If red: documents, messages and names drift into words that only their authors know. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { isObject } from "../src/core/json.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

/** Where a name or a text of the program may say "turn", each with the reason. A new one needs its reason, too. */
const SPEAKS_OF_TURNS: Readonly<Record<string, string>> = {
  "src/core/event.ts": "isTurnEnd: the host says that the model is done and the person's turn begins",
  "src/entry/cli/commands/inspect.ts": "tells requests and the person's turns side by side",
  "src/entry/cli/commands/undo.ts": "what comes back is a prompt, so it begins a turn",
  "src/entry/engine/append.ts": "the middle of a turn",
  "src/entry/engine/events.ts": "the end of a turn",
  "src/entry/engine/say.ts": "the end of a turn",
  "src/entry/gateway/recall/round.ts": "end_turn is the API's word",
  "src/entry/gateway/responses/responses-wire.ts": "x-codex-turn-metadata is the client's header",
  "src/entry/hook/clients/codex/client.ts": "turn_context is the client's word",
  "src/entry/hook/events/stop.ts": "the end of a turn",
  "src/entry/hook/restore/restore.ts": "events that end a turn",
  "src/entry/pi/register.ts": "the agent's own event `turn_end`",
  "src/files/cold-tasks.ts": "the end of a turn, and a field of the cold tasks",
  "src/files/memory.ts": "what a turn is given of the memory",
  "src/hosts/claude-code/parse-line.ts": "isTurnEnd, read from the API's end_turn; turn_duration is the client's word",
  "src/hosts/codex/host.ts": "turn_context, turn_aborted and num_turns are the client's words",
  "src/hosts/codex/prompt-author.ts": "turn_aborted is the client's word",
  "src/hosts/codex/vocabulary.ts": "turn_aborted is the client's word",
  "src/hosts/happening.ts": "`isTurnEnd` of the events",
  "src/hosts/opencode/host.ts": "isTurnEnd, read from how the client says the answer finished",
  "src/hosts/pi/host.ts": "isTurnEnd, read from how the client says the answer stopped",
  "src/layers/ledger/render-result.ts": "the last words of a turn are an answer, not narration",
  "src/library/prompt/memory/memory-index.ts": "what a turn is given of the memory",
  "src/measure/telemetry.ts": "counts requests and the person's turns side by side",
  "src/policy/advice/rule-moment.ts": "a moment is the beginning of a turn, or is not",
  "src/policy/advice/work-moment.ts": "the person has just begun a turn",
  "src/policy/settings/settings.ts": "turns: a value of the setting moments",
  "src/policy/steps/turn-ended.ts": "the end of a turn",
  "src/session/closing.ts": "how the model ended its turn",
  "src/session/decision-signals.ts": "turns out, in the sentences of a model",
  "src/session/happening.ts": "isTurnEnd, as the event tells it",
  "src/session/session.ts": "the question that a turn ended with",
  "src/session/track-announced.ts": "the last word of a turn says what is open",
  "src/session/track-decisions.ts": "a choice turned away from at once",
  // The pipeline that these files come from calls a request a turn, and names its files' fields so.
  "src/survive/cold-tasks/is-look-due.ts": "a field of the cold tasks",
  "src/survive/cold-tasks/plan-cold-maintenance.ts": "fields of the cold tasks",
  "src/survive/cold-tasks/plan-cold-tasks.ts": "a constant and the fields of the cold tasks",
  "src/survive/record/continuation.ts": "what is left is what the model named as its turn ended",
  "src/survive/record/next-step.ts": "the next step goes by where the turn stands",
};

/** Our own words for what has a common name, with that name; docs/reference/glossary.md has the ones that are left. */
const COINED: readonly (readonly [RegExp, string])[] = [
  [/told anew|known again by|paid for carrying/, "say it in plain words"],
  [/(?:is|are) sent (?:again|first) \(|never cached/, "cache reads, cache writes, uncached input"],
  [/half (?:are|is) below/, "median"],
  [/dear(?:er|est)?/, "expensive, costs more"],
  [/fullest/, "peak context"],
  [/calls of tools/, "tool calls"],
  [/the client alone/, "the client's own compaction, or: without Plimsoll"],
  [/outliv(?:es?|ed)/, "survive; the cache expired during a break"],
  [/cached text again/, "rebuilding the cache"],
  [/by what is recorded/, "estimated from your session files"],
  [/know(?:s|ing) the future/, "perfect foresight"],
  [/(?:hot|cold) kept|busts/, "recent kept, older kept, cache breaks"],
  [/one call away/, "fetched back"],
  [/deeds?/, "action"],
  [/doors?/, "entry point"],
  [/stretch(?:es)?/, "segment"],
  [/tells?|telling|told/, "report, show, say, record, include"],
  [/stands?|stood|lies|lie/, "is"],
  [/nobody|whoever/, "say who"],
  [/beside/, "next to, compared with"],
];
const WORDS = new RegExp(`(?<![\\w-])(?:${COINED.map(([word]) => word.source).join("|")})(?![\\w-])`, "gi");

/** "Tell" is English where it has somebody to hear it. */
const PLAIN =
  /\b(?:you|it|they|(?:the |each |a )?(?:model|agent|client|user|person|subagent|summari[sz]er|summari[sz]ing model)s?) (?:is|are|was|were) (?:also )?told\b|\btells? (?:you|it|agents|(?:the|its|a|each) (?:model|agent|client|user|person|status line|subagent|summari[sz]er|summari[sz]ing model))\b|^\| \*\*(?:deed|door)\*\*|"doors"/gim;

/** Documents, or folders of them, in which such words are still found, with how many: what research and decisions say is kept as it was said. May only fall. */
const STILL_IN_DOCUMENTS: Readonly<Record<string, number>> = {
  "docs/decisions/": 137,
  "docs/research/": 135,
};

/** The same of strings in the source, by folder. May only fall. */
const STILL_IN_STRINGS: Readonly<Record<string, number>> = {
  "entry/cli": 20,
  "entry/dashboard": 10,
  "entry/mcp": 1,
  files: 4,
  fold: 1,
  layers: 12,
  library: 3,
  models: 1,
  policy: 3,
  recorded: 8,
  replay: 1,
  survive: 2,
};

const sources = listFiles("src", /\.tsx?$/).filter((file) => !/\.test\.ts$/.test(file));
const glossary = read("docs/reference/glossary.md");
const words = [...glossary.matchAll(/^\| \*\*([^*]+)\*\* \|/gm)].map(([, word = ""]) => word);

describe("the words of the glossary", () => {
  it("are names in the source: of a folder, a file or something exported", () => {
    const names = new Set(sources.flatMap((file) => [...file.split(/\W+/), ...listExported(read(file))]).map(singular));
    expect(words.length).toBeGreaterThan(15);
    expect(words.filter((word) => !word.split(" ").every((part) => names.has(part)))).toEqual([]);
  });

  it("lead to folders that exist", () => {
    const paths = [...glossary.matchAll(/`(src\/[^`]+)`/g)].map(([, found = ""]) => found);
    expect(paths).not.toEqual([]);
    expect(paths.filter((found) => !existsSync(path.join(ROOT, found)))).toEqual([]);
  });

  it("let a turn be a turn: names and texts of the program use the word where it is listed, and nowhere else", () => {
    const speaking = sources.filter((file) =>
      /(?<![a-z])turns?(?![a-z])|Turns?(?![a-z])|TURNS?/.test(withoutComments(read(file))),
    );
    expect(speaking).toEqual(Object.keys(SPEAKS_OF_TURNS));
  });
});

const documents = [
  ...listFiles("docs", /\.md$/),
  ...["README.md", "AGENTS.md", "ARCHITECTURE.md", "plugin/README.md", "plugin-classic/README.md", "samples/README.md"],
  ...["contexts", "skills"].flatMap((folder) => listFiles(folder, /\.md$/)),
];

describe("plain English", () => {
  it("is what the documents are written in", () => {
    const found = documents.flatMap((file) => findCoined(stripCode(read(file))).map((word) => ({ file, word })));
    expect(
      listExcess(
        countBy(found, ({ file }) => /^docs\/(?:decisions|research)\//.exec(file)?.[0] ?? file),
        STILL_IN_DOCUMENTS,
      ),
    ).toEqual([]);
  });

  it("is what the program prints", () => {
    const found = sources.flatMap((file) =>
      listStrings(read(file))
        .flatMap(findCoined)
        .map((word) => ({ file, word })),
    );
    const folder = ({ file }: { file: string }): string =>
      file
        .split("/")
        .slice(1, file.startsWith("src/entry") ? 3 : 2)
        .join("/");
    expect(listExcess(countBy(found, folder), STILL_IN_STRINGS)).toEqual([]);
  });

  it.each([
    "where the module loads, the hooks stand aside",
    "the dearest session",
    "a pause that outlived the prompt cache",
    "requests are told as unpriced",
    "Nobody asked.",
  ])("would be missed in: %s", (sentence) => {
    expect(findCoined(sentence)).not.toEqual([]);
  });

  it.each(["the model is told that it cannot run /compact", "A mode tells the agent what a session is about."])(
    "is found in: %s",
    (sentence) => {
      expect(findCoined(sentence)).toEqual([]);
    },
  );

  it("comes in short sentences; the longest are printed", () => {
    const long = documents
      .filter((file) => !/^docs\/(?:decisions|research)\//.test(file))
      .flatMap((file) => listSentences(read(file)).map((text) => ({ file, length: text.split(" ").length, text })))
      .filter(({ length }) => length > 45)
      .sort((left, right) => right.length - left.length);
    const shown = long.slice(0, 5).map(({ file, length, text }) => `  ${file}, ${length} words: ${text.slice(0, 90)}…`);
    if (long.length > 0) console.warn([`${long.length} sentences of more than 45 words`, ...shown].join("\n"));
  });
});

describe("pages for users", () => {
  const pages = listFiles("docs", /\.md$/).filter((file) => !/^docs\/(?:decisions|research)\//.test(file));
  /** Written by the program and by tests. */
  const GENERATED = ["docs/prices.md", "docs/reference/cli.md", "docs/seeds.md"];
  const MOST_WORDS = 25_000;

  it.each(pages)("say first whom they are for: %s", (file) => {
    expect(read(file).split("\n").slice(1, 4).join("\n")).toMatch(/^\nFor [a-z]/);
  });

  it("are not too much to read", () => {
    const written = pages.filter((file) => !GENERATED.includes(file));
    const words = written.reduce((sum, file) => sum + read(file).split(/\s+/).length, 0);
    expect(words).toBeLessThanOrEqual(MOST_WORDS);
  });
});

describe("links of the documents", () => {
  it.each([...documents, "CHANGELOG.md", "lab/bench/README.md"])("lead somewhere: %s", (file) => {
    expect(findBrokenLinks(file, read(file))).toEqual([]);
  });

  it.each(["[gone](docs/gone.md)", "[no heading](docs/faq.md#no-such-heading)"])("would be seen: %s", (text) => {
    expect(findBrokenLinks("README.md", text)).not.toEqual([]);
  });
});

function findCoined(text: string): readonly string[] {
  return [...text.replace(PLAIN, "").matchAll(WORDS)].map(([word]) => word);
}

/** A document's own words: no code, no names of files. */
function stripCode(text: string): string {
  return text
    .replace(/```[\s\S]*?```/g, "")
    .replace(/^ {4}.*$/gm, "")
    .replace(/`[^`]*`/g, "``")
    .replace(/\]\([^)]*\)/g, "]");
}

function listSentences(text: string): readonly string[] {
  return stripCode(text)
    .replace(/<!--.*?-->/g, "")
    .split(/\n\s*\n|\n(?=\s*(?:[-*|#]|\d+\. ))/)
    .filter((part) => !/^\s*[|#!]/.test(part))
    .flatMap((part) => part.replace(/\s+/g, " ").split(/(?<=[.!?:]) (?=[A-Z`*"])/));
}

/** Texts of several words: what a person may get to read, and some that they do not. */
function listStrings(text: string): readonly string[] {
  return [...withoutComments(text).matchAll(/"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g)]
    .map(([, quoted, template]) => (quoted ?? template ?? "").replace(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, "…").trim())
    .filter((value) => value.includes(" "));
}

function findBrokenLinks(file: string, text: string): readonly string[] {
  return [...text.replace(/```[\s\S]*?```/g, "").matchAll(/\]\(([^)#\s]*)(?:#([^)]*))?\)/g)].flatMap(
    ([, target = "", heading]) => {
      if (/^[a-z]+:/.test(target)) return [];
      const found = target === "" ? file : path.posix.join(path.posix.dirname(file), target);
      if (!existsSync(path.join(ROOT, found))) return [target];
      if (heading === undefined || !found.endsWith(".md")) return [];
      return listAnchors(read(found)).includes(heading) ? [] : [`${target}#${heading}`];
    },
  );
}

function listAnchors(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\-_ ]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

function listExcess(
  found: Readonly<Record<string, number>>,
  still: Readonly<Record<string, number>>,
): readonly string[] {
  return Object.entries(found)
    .filter(([name, count]) => count > (still[name] ?? 0))
    .map(([name, count]) => `${name}: ${count}, at most ${still[name] ?? 0}`);
}

function countBy<T>(items: readonly T[], name: (item: T) => string): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[name(item)] = (counts[name(item)] ?? 0) + 1;
  return counts;
}

function listExported(text: string): readonly string[] {
  const names = [...text.matchAll(/^export (?:async )?(?:function|interface|type|const|class) (\w+)/gm)];
  return names.flatMap(([, name = ""]) => name.split(/(?=[A-Z])|_/)).map((part) => part.toLowerCase());
}

function singular(name: string): string {
  return name.replace(/s$/, "");
}

function withoutComments(text: string): string {
  return text.replace(/\/\*\*[\s\S]*?\*\//g, "").replace(/(?:^|\s)\/\/ .*$/gm, "");
}

function listFiles(folder: string, ending: RegExp, isDeep = true): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: isDeep, encoding: "utf8" })
    .filter((file) => ending.test(file))
    .map((file) => path.posix.join(folder, file.split(path.sep).join("/")))
    .sort();
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

/** Words of our own for what has a common name: the source says entry point, action, segment, store, say and report, as the documents do. */
const UNUSED =
  /^(?:tell|tells|telling|retelling|told|retold|untold|deeds?|doors?|beside|stretch(?:es)?|shelf|shelves|shelved|aboard)$/;

/** Properties that are called so on disk, in an output or by a client, each with where. A new one needs its place, too. */
const CALLED_SO: Readonly<Record<string, string>> = {
  beside: "module-state.json",
  deeds: "plimsoll explain --json",
  door: "the journals of sessions, plimsoll doctor --json, receipt --json, and a client's rows",
  doors: "plimsoll doctor --json, and --doors of the lab's replay",
  retold: "module-state.json, and the walks that replay keeps",
  told: "told.json, module-state.json, plimsoll audit --json, the page's data, and fitInstructions()",
};

describe("the names of the source", () => {
  const files = ["src", "test", "lab", "scripts"].flatMap((folder) => listFiles(folder, /\.(?:tsx?|mjs|cjs)$/));

  it("of files and folders are the documents' words", () => {
    expect(files.filter((file) => !file.startsWith("test/fixtures/") && file.split("/").some(isUnused))).toEqual([]);
  });

  it("are the documents' words, but for properties that are stored or printed under another", () => {
    const found = sources
      .filter((file) => /tell|told|deed|door|beside|stretch|shel[fv]|aboard/i.test(withoutComments(read(file))))
      .flatMap((file) => listUnused(file, read(file)).map((name) => `${file}: ${name}`));
    expect([...new Set(found)]).toEqual([]);
  });

  it("would be seen: a coined word in a name, and a stored one that is no property", () => {
    const text = "const told = 1;\nfunction tellDue(a: Deed) { return a.told + a.told_at + a.HIS_DOORS; }";
    expect(listUnused("a.ts", text)).toEqual(["told", "tellDue", "Deed", "told_at", "HIS_DOORS"]);
    expect(listUnused("a.ts", "const entryPoint = { beside: 1 }.beside;")).toEqual([]);
  });
});

function isUnused(name: string): boolean {
  const parts = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").split(/[^A-Za-z]+/);
  return parts.some((part) => UNUSED.test(part.toLowerCase()));
}

function listUnused(file: string, text: string): readonly string[] {
  const found: string[] = [];
  const visit = (node: unknown, isProperty: boolean): void => {
    if (Array.isArray(node)) for (const one of node) visit(one, false);
    if (!isObject(node)) return;
    const { type, name } = node;
    if (typeof name === "string" && typeof type === "string" && /^(?:JSX|Private)?Identifier$/.test(type)) {
      // A row of a client and an entry of a journal are taken apart by their own names.
      const isCalledSo = name in CALLED_SO && (isProperty || name === "door");
      if (!isCalledSo && isUnused(name)) found.push(name);
    }
    const isNamed = (key: string): boolean =>
      node.computed !== true && (key === "key" || (key === "property" && type === "MemberExpression"));
    for (const [key, value] of Object.entries(node))
      visit(value, isNamed(key) || (key === "name" && type === "JSXAttribute"));
  };
  visit(parseSync(file, text).program, false);
  return found;
}

describe("the labels of parts and causes", () => {
  const list = "src/entry/person/labels.ts";
  const labels = [...readFileSync(path.join(ROOT, list), "utf8").matchAll(/^ {2}\w+: "([^"]+ [^"]+)",$/gm)].map(
    ([, label = ""]) => label,
  );
  const sources = readdirSync(path.join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => `src/${name.replaceAll("\\", "/")}`)
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name) && name !== list);

  it("are written in one file, so that page and command line cannot call a thing by two names", () => {
    expect(labels.length).toBeGreaterThanOrEqual(12);
    const copied = sources.flatMap((name) => {
      const text = readFileSync(path.join(ROOT, name), "utf8").toLowerCase();
      return labels.filter((label) => text.includes(`"${label}"`)).map((label) => `${name}: ${label}`);
    });
    expect(copied).toEqual([]);
  });

  it.each(["cli/render-parts.ts", "dashboard/describe-series.ts"])("are what %s draws with", (name) => {
    expect(readFileSync(path.join(ROOT, "src/entry", name), "utf8")).toMatch(/import \{[^}]*\blabelPart\b[^}]*\} from/);
  });
});
