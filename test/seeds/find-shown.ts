import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A test that shows a requirement. */
export interface Shown {
  readonly file: string;
  readonly doors: readonly string[];
}

/** The first that fits says through which door a test of that path looks; an inner room is none. */
const DOOR_OF_PATH: readonly (readonly [pattern: RegExp, ...doors: readonly string[]])[] = [
  [/^test\/seeds\/.*\.client\./, "module", "hooks"],
  [/^test\/seeds\//, "library"],
  [/^test\/skill\./, "CLI"],
  [/^test\/client\/.*(?:classic|status-line)/, "hooks"],
  [/^test\/client\/gateway/, "gateway"],
  [/^test\/client\//, "module"],
  [/^src\/doors\/hook\//, "hooks"],
  [/^src\/doors\/module\//, "module"],
  [/^src\/doors\/mcp\//, "MCP"],
  [/^(?:src\/doors\/gateway|test\/gateway)/, "gateway"],
  [/^(?:src\/doors\/dashboard|test\/browser)/, "page"],
  [/^src\/doors\/cli\//, "CLI"],
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
      const doors = findDoors(file, text, body);
      const ids = [...body.matchAll(TAGS)].flatMap(([, list = ""]) => list.split(/\s*,\s*/));
      for (const id of new Set(ids)) found.set(id, [...(found.get(id) ?? []), { file, doors }]);
    }
  }
  return found;
}

/** A session in a client that only runs the program, in the model's shell or in another, shows the command line and not the door. */
const DOOR_ACTS = /\b(?:sent|told|asked|deeds|readFile|resultIn)\(|\.requests\b/;
const RUNS_PROGRAM = /\b(?:type|runProgram|lint)\(/;

function findDoors(file: string, text: string, body: string): readonly string[] {
  const isBeside = body.includes("PROGRAM") || (RUNS_PROGRAM.test(body) && !DOOR_ACTS.test(body));
  if (file.includes(".client.") && isBeside) return ["CLI"];
  const [, ...doors] = DOOR_OF_PATH.find(([pattern]) => pattern.test(file)) ?? [/no door/];
  // A test of the clients that names the plugin of the hooks as well runs through both doors.
  const isOfBoth = file.startsWith("test/client/") && doors.includes("module") && text.includes("PLUGIN_CLASSIC");
  return isOfBoth ? [...doors, "hooks"] : doors;
}
