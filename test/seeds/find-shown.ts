import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A test that shows a requirement. */
export interface Shown {
  readonly file: string;
  readonly entryPoints: readonly string[];
}

/** The first that fits says through which entry point a test of that path looks; an inner room is none. */
const ENTRY_POINT_OF_PATH: readonly (readonly [pattern: RegExp, ...entryPoints: readonly string[]])[] = [
  [/^test\/seeds\/.*\.client\./, "module", "hooks"],
  [/^test\/seeds\//, "library"],
  [/^test\/skill\./, "CLI"],
  [/^test\/client\/.*(?:classic|status-line)/, "hooks"],
  [/^test\/client\/gateway/, "gateway"],
  [/^test\/client\//, "module"],
  [/^src\/entry\/hook\//, "hooks"],
  [/^src\/entry\/module\//, "module"],
  [/^src\/entry\/mcp\//, "MCP"],
  [/^(?:src\/entry\/gateway|test\/gateway)/, "gateway"],
  [/^(?:src\/entry\/dashboard|test\/browser)/, "page"],
  [/^src\/entry\/cli\//, "CLI"],
  [
    /^(?:src\/wire|src\/library|src\/index|test\/examples|test\/package|test\/layers|examples|src\/layers|src\/core)/,
    "library",
  ],
  [/^src\/replay|^test\/replay/, "CLI"],
];

const TAGS = /\[(R\d+(?:\s*,\s*R\d+)*)\]/g;

/** Every requirement that the title of a test names, with where that test stands. */
export function findShown(root: string): ReadonlyMap<string, readonly Shown[]> {
  const found = new Map<string, Shown[]>();
  const files = ["src", "test", "examples"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) =>
      path.join(folder, name).replaceAll("\\", "/"),
    ),
  );
  for (const file of files.filter((name) => /\.test\.tsx?$/.test(name)).sort()) {
    const text = readFileSync(path.join(root, file), "utf8");
    for (const body of text.split(/^(?=\s*it(?:\.\w+)?\()/m)) {
      const entryPoints = findEntryPoints(file, text, body);
      const ids = [...body.matchAll(TAGS)].flatMap(([, list = ""]) => list.split(/\s*,\s*/));
      for (const id of new Set(ids)) found.set(id, [...(found.get(id) ?? []), { file, entryPoints }]);
    }
  }
  return found;
}

/** A session in a client that only runs the program, in the model's shell or in another, shows the command line and not the entry point. */
const ENTRY_POINT_ACTS = /\b(?:sent|said|asked|actions|readFile|resultIn)\(|\.requests\b/;
const RUNS_PROGRAM = /\b(?:type|runProgram|lint)\(/;

function findEntryPoints(file: string, text: string, body: string): readonly string[] {
  const isByProgram = body.includes("PROGRAM") || (RUNS_PROGRAM.test(body) && !ENTRY_POINT_ACTS.test(body));
  if (file.includes(".client.") && isByProgram) return ["CLI"];
  const [, ...entryPoints] = ENTRY_POINT_OF_PATH.find(([pattern]) => pattern.test(file)) ?? [/no entry point/];
  // A test of the clients that names the plugin of the hooks as well, or the list of both, runs through both entry points.
  const namesBoth = /\b(?:PLUGIN_CLASSIC|ENTRY_POINTS)\b/.test(text);
  const isOfBoth = file.startsWith("test/client/") && entryPoints.includes("module") && namesBoth;
  return isOfBoth ? [...entryPoints, "hooks"] : entryPoints;
}
