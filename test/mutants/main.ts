import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { listMutants } from "./list-mutants.ts";
import { renderDocument, renderTable } from "./render-scores.ts";
import { createRandom, draw } from "./sample.ts";
import { type Placed, tryMutants } from "./try-mutants.ts";

const DOCUMENT = "docs/research/mutants.md";
const ROOMS = ["policy", "survive", "layers", "models", "files", "entry/gateway"];
/** Rows of facts, and made-up requests: a test of them would repeat them. */
const DATA = new Set(["src/models/model-table.ts", "src/models/other-vendors.ts", "src/entry/gateway/warm-up.ts"]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: "string" },
    each: { type: "string", default: "80" },
    seed: { type: "string" },
    write: { type: "boolean", default: false },
  },
});

/** Lines of each file that differ from a commit. */
function listChanged(since: string): ReadonlyMap<string, ReadonlySet<number>> {
  const changed = new Map<string, Set<number>>();
  let file = "";
  for (const line of execFileSync("git", ["diff", "-U0", since, "--", "src"], { encoding: "utf8" }).split("\n")) {
    file = /^\+\+\+ b\/(.*)/.exec(line)?.[1] ?? file;
    const [, first, count = "1"] = /^@@ \S+ \+(\d+)(?:,(\d+))?/.exec(line) ?? [];
    const lines = changed.get(file) ?? new Set();
    for (let at = 0; first !== undefined && at < Number(count); at++) lines.add(Number(first) + at);
    changed.set(file, lines);
  }
  return changed;
}

type Possible = Omit<Placed, "id">;

function listPossible(room: string, file: string): readonly Possible[] {
  return listMutants(file, readFileSync(file, "utf8"), { isData: DATA.has(file) }).map((mutant) => ({
    ...mutant,
    room,
    file,
  }));
}

const isSource = (file: string): boolean => /\.tsx?$/.test(file) && !file.includes(".test.");

function listRoom(room: string): readonly Possible[] {
  const folder = path.join("src", room);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => path.join(folder, name));
  return files
    .filter(isSource)
    .sort()
    .flatMap((file) => listPossible(room, file));
}

function listChangedMutants(since: string): readonly Possible[] {
  return [...listChanged(since)]
    .filter(([file]) => isSource(file))
    .flatMap(([file, lines]) => {
      const text = readFileSync(file, "utf8");
      const lineOf = (at: number): number => text.slice(0, at).split("\n").length;
      return listPossible("changed lines", file).filter(({ change }) => lines.has(lineOf(change.start)));
    });
}

const seed = Number(values.seed ?? Date.now() % 1_000_000);
const random = createRandom(seed);
const since = values.changed;
const rooms = positionals.length > 0 ? positionals : ROOMS;
const possible = since === undefined ? rooms.map(listRoom) : [listChangedMutants(since)];
const drawn = possible.flatMap((mutants) => draw(mutants, Number(values.each), random));
const say = (line: string): void => console.log(line);
const tried = await tryMutants(
  drawn
    .map((mutant, id) => ({ ...mutant, id }))
    .sort((one, other) => one.site.start - other.site.start || other.site.end - one.site.end),
  say,
);
const measured = {
  tried,
  seed,
  possible: new Map(possible.flatMap((list) => list.slice(0, 1).map(({ room }) => [room, list.length]))),
};
say(`\n${renderTable(measured)}`);
if (values.write) writeFileSync(DOCUMENT, renderDocument(measured, new Date()));
