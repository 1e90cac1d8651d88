/** A long output with one thing in it that a reader must not miss. */
export interface Haystack {
  readonly kind: string;
  readonly text: string;
  readonly command: string;
  readonly path?: string;
  /** All of these stand in a preview that shows it. */
  readonly needle: readonly string[];
}

/** A few draws from a seed: the same seed, the same output. */
export interface Draw {
  below(limit: number): number;
  of<T>(list: readonly [T, ...T[]]): T;
  word(): string;
  hex(length: number): string;
}

export type HaystackMaker = (draw: Draw) => Haystack;

const SYLLABLES = [
  "ka",
  "ro",
  "mi",
  "ten",
  "sol",
  "var",
  "del",
  "pix",
  "lun",
  "gor",
  "fe",
  "nu",
  "bra",
  "chi",
  "zen",
  "ops",
] as const;

export function createDraw(seed: number): Draw {
  let state = (seed * 2654435761 + 12345) >>> 0;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * limit);
  };
  const of = <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0];
  return {
    below,
    of,
    word: () => Array.from({ length: 2 + below(2) }, () => of(SYLLABLES)).join(""),
    hex: (length) => Array.from({ length }, () => below(16).toString(16)).join(""),
  };
}

/** Lines of a kind, one of them the needle, at any place. */
export function plant(lines: readonly string[], needle: string, draw: Draw): string {
  const at = draw.below(lines.length + 1);
  return [...lines.slice(0, at), needle, ...lines.slice(at)].join("\n");
}

export const repeat = (draw: Draw, make: (index: number) => string, least = 150, spread = 900): readonly string[] =>
  Array.from({ length: least + draw.below(spread) }, (_, index) => make(index));

const TROUBLES = [
  "WARN checksum mismatch in block",
  "Warning: certificate expires in",
  "error: linker gave up at stage",
  "FATAL out of disk near",
  "panic: index out of range",
  "connection refused by upstream",
  "permission denied for user",
  "request timed out after",
  "worker exited with code 137 after",
  "deprecated option used in section",
] as const;
const stamp = (index: number): string =>
  `2026-03-${String(1 + (index % 27)).padStart(2, "0")}T10:${String(index % 60).padStart(2, "0")}:${String((index * 7) % 60).padStart(2, "0")}.${100 + (index % 900)}Z`;

const levelledLog: HaystackMaker = (draw) => {
  const [one, two] = [draw.word(), draw.word()];
  const lines = repeat(draw, (index) =>
    draw.below(3) === 0
      ? `${stamp(index)} DEBUG ${one} cache hit for key ${draw.hex(8)}`
      : `${stamp(index)} INFO ${two} served GET /api/${draw.word()}/${index} in ${draw.below(300)}ms`,
  );
  const needle = `${draw.of(["WARN", "ERROR", "FATAL"])} ${draw.word()} ${draw.of(TROUBLES)} ${draw.hex(6)}`;
  return {
    kind: "levelled log",
    text: plant(lines, `${stamp(1)} ${needle}`, draw),
    command: "tail -n 1000 app.log",
    needle: [needle],
  };
};

/** No word of trouble: it is seen because nothing else looks like it. */
const oddEvent: HaystackMaker = (draw) => {
  const word = draw.word();
  const lines = repeat(
    draw,
    (index) => `${stamp(index)} INFO ${word} processed batch ${index} of ${draw.below(9000)} rows`,
  );
  const needle = `${draw.of(["switching", "falling", "handing"])} over to replica ${draw.hex(5)}`;
  return {
    kind: "odd log",
    text: plant(lines, `${stamp(1)} INFO ${word} ${needle}`, draw),
    command: "journalctl -u app",
    needle: [needle],
  };
};

const buildLog: HaystackMaker = (draw) => {
  const lines = repeat(draw, (index) => `[${index}/1200] compiled ${draw.word()}_${index}.c without warnings`);
  const needle = `${draw.of(TROUBLES)} ${draw.word()}.c`;
  return { kind: "build log", text: plant(lines, needle, draw), command: "make all", needle: [needle] };
};

const plainSteps: HaystackMaker = (draw) => {
  const verb = draw.word();
  const lines = repeat(draw, (index) => `${verb} ${draw.word()} number ${index}: 0 errors, done`);
  const needle = `${verb} ${draw.word()} number ${draw.below(999)}: ${draw.of(TROUBLES)} ${draw.hex(4)}`;
  return { kind: "plain", text: plant(lines, needle, draw), command: "./run.sh", needle: [needle] };
};

const testOutput: HaystackMaker = (draw) => {
  const lines = repeat(
    draw,
    (index) => ` ✓ src/${draw.word()}.test.ts > ${draw.word()} ${draw.word()} ${index} (${draw.below(90)}ms)`,
  );
  const needle = `src/${draw.word()}.test.ts > ${draw.word()} gives ${draw.hex(5)}`;
  const text = plant(lines, ` ${draw.of(["×", "✗", "FAIL "])} ${needle}`, draw);
  return {
    kind: "test output",
    text: `${text}\n\n Tests  1 failed | ${lines.length} passed`,
    command: "npx vitest run",
    needle: [needle],
  };
};

const strayInTests: HaystackMaker = (draw) => {
  const lines = repeat(draw, (index) => `ok ${index} - ${draw.word()} ${draw.word()}`);
  const needle = `# ${draw.of(TROUBLES)} ${draw.hex(5)}`;
  return {
    kind: "stray line in tests",
    text: `TAP version 13\n${plant(lines, needle, draw)}\n# pass ${lines.length}\n# fail 0`,
    command: "npm test",
    needle: [needle],
  };
};

interface Job {
  readonly id: number;
  readonly name: string;
  readonly status: string | null;
  readonly seconds: number;
  readonly host: string;
}
const jobs = (draw: Draw): { readonly rows: Job[]; readonly odd: Job } => {
  const rows = Array.from(
    { length: 80 + draw.below(700) },
    (_, id): Job => ({
      id,
      name: `${draw.word()}-${draw.word()}`,
      status: draw.of(["ok", "ok", "ok", "cached"]),
      seconds: draw.below(400),
      host: `node-${draw.below(6)}`,
    }),
  );
  const at = draw.below(rows.length);
  const odd: Job = {
    id: at,
    name: `${draw.word()}-${draw.hex(6)}`,
    status: draw.of<string | null>(["FAILED", "MISMATCH", "quarantined", null, "timeout", "Error"]),
    seconds: draw.below(400),
    host: "node-1",
  };
  rows[at] = odd;
  return { rows, odd };
};

const jsonRows: HaystackMaker = (draw) => {
  const { rows, odd } = jobs(draw);
  const wrapped = draw.of<unknown>([rows, { total: rows.length, items: rows }, { data: { jobs: rows }, page: 1 }]);
  return {
    kind: "json rows",
    text: JSON.stringify(wrapped, null, draw.of([0, 2])),
    command: "curl -s api/jobs",
    needle: [odd.name, String(odd.status)],
  };
};

const jsonMap: HaystackMaker = (draw) => {
  const { rows, odd } = jobs(draw);
  const map = Object.fromEntries(rows.map(({ name, ...rest }) => [name, rest]));
  return {
    kind: "json map",
    text: JSON.stringify(map, null, 2),
    command: "cat state.json",
    path: "state.json",
    needle: [odd.name, String(odd.status)],
  };
};

const ndjson: HaystackMaker = (draw) => {
  const { rows, odd } = jobs(draw);
  return {
    kind: "ndjson",
    text: rows.map((row) => JSON.stringify(row)).join("\n"),
    command: "cat jobs.ndjson",
    needle: [odd.name, String(odd.status)],
  };
};

const csv: HaystackMaker = (draw) => {
  const { rows, odd } = jobs(draw);
  const mark = draw.of([",", "\t", ";"]);
  const lines = rows.map(({ id, name, status, seconds, host }) => [id, name, status ?? "", seconds, host].join(mark));
  return {
    kind: "csv",
    text: `${["id", "name", "status", "seconds", "host"].join(mark)}\n${lines.join("\n")}`,
    command: "cat jobs.csv",
    needle: [odd.name],
  };
};

const aligned: HaystackMaker = (draw) => {
  const { rows, odd } = jobs(draw);
  const isPiped = draw.below(2) === 0;
  const render = (cells: readonly string[]): string =>
    isPiped
      ? `| ${cells.map((cell) => cell.padEnd(16)).join(" | ")} |`
      : cells
          .map((cell) => cell.padEnd(16))
          .join("  ")
          .trimEnd();
  const lines = rows.map(({ id, name, status, seconds }) =>
    render([name, status ?? "<none>", `${seconds}s`, String(id)]),
  );
  return {
    kind: "table",
    text: [render(["NAME", "STATUS", "AGE", "ID"]), ...lines].join("\n"),
    command: "kubectl get jobs",
    needle: [odd.name, String(odd.status ?? "<none>")],
  };
};

const stackTraces: HaystackMaker = (draw) => {
  const trace = (message: string): readonly string[] => [
    message,
    ...Array.from(
      { length: 12 },
      (_, depth) =>
        `    at ${draw.of(["run", "load", "call"])} (/app/src/${draw.of(["a", "b", "c"])}.js:${10 + depth}:${1 + draw.below(9)})`,
    ),
  ];
  const usual = `Error: socket ${draw.word()} closed`;
  const needle = `TypeError: ${draw.word()} is not iterable (${draw.hex(5)})`;
  const blocks = Array.from({ length: 12 + draw.below(50) }, () => trace(usual));
  blocks.splice(draw.below(blocks.length + 1), 0, trace(needle));
  return { kind: "stack traces", text: blocks.flat().join("\n"), command: "node app.js", needle: [needle] };
};

const diff: HaystackMaker = (draw) => {
  const [before, after] = [draw.word(), draw.word()];
  const files = Array.from({ length: 20 + draw.below(40) }, (_, index) => {
    const name = `src/${draw.word()}${index}.ts`;
    return [
      `diff --git a/${name} b/${name}`,
      `index ${draw.hex(7)}..${draw.hex(7)} 100644`,
      `--- a/${name}`,
      `+++ b/${name}`,
      "@@ -1,5 +1,5 @@",
      ` import { x } from "./x";`,
      `-import { ${before} } from "./${before}";`,
      `+import { ${after} } from "./${after}";`,
      " // next",
      " // then",
    ];
  });
  const needle = `+  if (user.role === "${draw.word()}") return grantEverything(${draw.below(99)});`;
  const file = files[draw.below(files.length)];
  file?.push(needle);
  return { kind: "diff", text: files.flat().join("\n"), command: "git diff", needle: [needle.slice(4)] };
};

const longListing: HaystackMaker = (draw) => {
  const lines = repeat(
    draw,
    (index) =>
      `-rw-r--r-- 1 deck deck ${1000 + draw.below(9000)} Mar ${1 + (index % 28)} 10:${10 + (index % 50)} ${draw.word()}_${index}.ts`,
  );
  const name = `${draw.word()}_${draw.hex(4)}.ts`;
  const needle = `${draw.of(["-rwsr-xr-x 1 root root", "-rw-rw-rw- 1 nobody deck"])} ${1000 + draw.below(9000)} Mar 3 10:11 ${name}`;
  return {
    kind: "long listing",
    text: `total 4711\n${plant(lines, needle, draw)}`,
    command: "ls -l src",
    needle: [name],
  };
};

const oddName: HaystackMaker = (draw) => {
  const folder = draw.word();
  const lines = repeat(draw, (index) => `${folder}/${draw.word()}/${draw.word()}${index}.ts`);
  const needle = `${draw.word()}${draw.hex(3)}.${draw.of(["orig", "rej", "pem", "core", "bak"])}`;
  return {
    kind: "odd name",
    text: plant(lines, `${folder}/${draw.word()}/${needle}`, draw),
    command: "find . -type f",
    needle: [needle],
  };
};

const findDenied: HaystackMaker = (draw) => {
  const lines = repeat(draw, (index) => `./${draw.word()}/${draw.word()}${index}.ts`);
  const needle = `find: './${draw.word()}': Permission denied`;
  return { kind: "find", text: plant(lines, needle, draw), command: "find .", needle: [needle] };
};

/** The outputs that the weights were set with. */
export const HAYSTACKS: readonly [HaystackMaker, ...HaystackMaker[]] = [
  levelledLog,
  oddEvent,
  buildLog,
  plainSteps,
  testOutput,
  strayInTests,
  jsonRows,
  jsonMap,
  ndjson,
  csv,
  aligned,
  stackTraces,
  diff,
  longListing,
  oddName,
  findDenied,
];
