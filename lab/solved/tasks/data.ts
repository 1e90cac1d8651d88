import { answering, askAll } from "../outside-program.ts";
import { bash, type Check, checks, compacted, read, type SolvedTask, turn, write } from "../task.ts";

/** A weather station: how its readings become degrees, what it writes without one, and when its sensor was changed. */
interface Station {
  readonly name: string;
  readonly factor: number;
  readonly offset: number;
  readonly missing: string;
  readonly since: number;
}

const station = (name: string, factor: number, offset: number, missing: string, since: number): Station => ({
  name,
  factor,
  offset,
  missing,
  since,
});

/** From north to south, as the person wants them. */
const STATIONS = [
  station("vardo", 0.1, -40, "9999", 12),
  station("tromso", 1, 0.35, "-99", 1),
  station("bodo", 0.5, -12.5, "0", 21),
  station("roros", 0.1, 1.2, "888", 1),
  station("flesland", 1, -0.65, "-99", 34),
  station("sola", 0.25, 3, "255", 8),
  station("lista", 1, 0, "-99", 1),
  station("kjevik", 0.2, -8.4, "0", 17),
];
const OUT = "lista";

/** Sixty days; some without a reading, some twice, the second being right. */
function renderReadings({ factor, offset, missing }: Station, seed: number): string {
  const lines = Array.from({ length: 60 }, (_, index) => {
    const degrees = ((seed * 37 + index * 53) % 240) / 10 - 4;
    const raw = (index * 7 + seed) % 13 === 0 ? missing : String(Math.round((degrees - offset) / factor));
    const twice = (index * 5 + seed) % 17 === 0 ? [`${index + 1};${Number(raw) + 3};r0`] : [];
    return [...twice, `${index + 1};${raw};r1`].join("\n");
  });
  return `day;raw;run\n${lines.join("\n")}\n`;
}

const BUILD = (
  stations: readonly Station[],
): string => `import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const STATIONS = ${JSON.stringify(stations)};
const round = (value) => Math.sign(value) * Math.round(Math.abs(value) * 10 + 1e-9) / 10;

export function summarise({ name, factor, offset, missing, since }) {
  const days = new Map();
  for (const line of readFileSync("data/" + name + ".csv", "utf8").trim().split("\\n").slice(1)) {
    const [day, raw] = line.split(";");
    days.set(Number(day), raw);
  }
  const kept = [...days].filter(([day, raw]) => day >= since && raw !== missing).map(([day, raw]) => [day, Number(raw) * factor + offset]);
  const sorted = kept.map(([, value]) => value).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median = sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { station: name.toUpperCase(), days: kept.length, median: round(median), frost: kept.filter(([, value]) => value < -0.5).length };
}

const summary = STATIONS.map(summarise);
mkdirSync("out", { recursive: true });
writeFileSync("out/summary.json", JSON.stringify(summary, null, 2) + "\\n");
`;

const KEPT = STATIONS.filter(({ name }) => name !== OUT);
const answers = Object.fromEntries(
  STATIONS.flatMap(({ name, factor, offset, missing, since }) => [
    [`scale ${name}`, `degrees = raw times ${factor}, then plus ${offset}`],
    [`missing ${name}`, `written where there is no reading: ${missing}`],
    [
      `sensor ${name}`,
      since === 1
        ? "sensor changed: never in this period"
        : `sensor changed on day ${since}: readings before it are of the old one and not to be trusted`,
    ],
    [
      `site ${name}`,
      name === OUT ? "a building site next to the mast from day 3 to day 58" : "nothing built near the mast",
    ],
    [`owner ${name}`, `kept by office ${name.length * 3}, visited every ${name.length + 2} weeks`],
    [`height ${name}`, `${name.length * 7} m above the sea`],
  ]),
);
const about = (names: readonly string[], word: string): readonly string[] => names.map((name) => `${word} ${name}`);
const NAMES = STATIONS.map(({ name }) => name);

const DRAFT = `import { readFileSync } from "node:fs";\n\n/** Rows of a station's file: day, raw value, run. */\nexport function readRows(name) {\n  return readFileSync("data/" + name + ".csv", "utf8").trim().split("\\n").slice(1).map((line) => line.split(";"));\n}\n`;

/** A figure of one station is what the reference finds. */
const same =
  (name: string, figure: string): Check["holds"] =>
  ({ probed }) => {
    const value = probed[`${figure} ${name}`];
    return value !== undefined && value === probed[`expected ${figure} ${name}`];
  };
const each = (figure: string): Readonly<Record<string, Check["holds"]>> =>
  Object.fromEntries(KEPT.map(({ name }) => [`${figure} of ${name}`, same(name, figure)]));
const hasOut: Check["holds"] = ({ text }) => text("out/summary.json") !== "";

export const data: SolvedTask = {
  name: "data",
  kind: "a data task",
  files: {
    "package.json": '{ "name": "station-summary", "private": true, "type": "module" }\n',
    ...Object.fromEntries(STATIONS.map((each, index) => [`data/${each.name}.csv`, renderReadings(each, index + 3)])),
  },
  outside: { registry: answering(answers) },
  turns: [
    turn(
      "The stations' files are in data: day, raw value, run. Raw values differ from station to station; the office's `registry WORD STATION` knows how, with the words scale, missing, sensor, site, owner and height. Look at the files first. In the end we need out/summary.json, a list; the stations go from north to south, that is vardo, tromso, bodo, roros, flesland, sola, lista, kjevik.",
      [
        bash("ls data && wc -l data/*.csv"),
        ...NAMES.map((name) => read(`data/${name}.csv`)),
        ...askAll("registry", about(NAMES, "scale"), "Their scales."),
      ],
      "I have read them all; some days are there twice.",
    ),
    turn(
      "Where a day is there twice, the last line counts. Names in capitals in the summary. Now what they write when there is no reading.",
      askAll("registry", about(NAMES, "missing"), "What stands for nothing."),
      "Every station has its own.",
    ),
    compacted(
      turn(
        "And the sensors and sites. I want medians, not means; one decimal, and halves go away from zero.",
        askAll("registry", [...about(NAMES, "sensor"), ...about(NAMES, "site")], "Sensors and sites."),
        "Some sensors were changed, and one station had a building site.",
      ),
    ),
    turn(
      "Then leave out the days before a new sensor, and leave that station out of the summary as a whole. A frost day is one below minus a half degree, not below zero, since the masts radiate. See who keeps them and how high they are, for the report later.",
      askAll("registry", [...about(NAMES, "owner"), ...about(NAMES, "height")], "Owners and heights."),
      "Noted.",
    ),
    turn(
      "Write me a small reader first, no summary yet.",
      [
        write("src/rows.mjs", DRAFT),
        bash("node -e \"import('./src/rows.mjs').then(({ readRows }) => console.log(readRows('sola').slice(0, 3)))\""),
        bash("node -e \"import('./src/rows.mjs').then(({ readRows }) => console.log(readRows('bodo').length))\""),
      ],
      "The reader works.",
    ),
    compacted(
      turn(
        "Good.",
        [bash("ls -R src"), read("src/rows.mjs"), bash("node --check src/rows.mjs && echo fine")],
        "That is all there is so far.",
      ),
    ),
  ],
  prompt:
    "The registry moves house this week and cannot be asked. Please write build.mjs, which makes out/summary.json as we agreed, and run it. Each entry has station, days (how many days count), median, and frost (how many frost days).",
  probe: `
const fs = await import("node:fs");
const found = (() => { try { return JSON.parse(fs.readFileSync("out/summary.json", "utf8")); } catch { return []; } })();
const before = (() => { try { return fs.readFileSync("out/summary.json", "utf8"); } catch { return undefined; } })();
const reference = ${JSON.stringify(BUILD(KEPT).split("const summary")[0])};
const { summarise } = await import("data:text/javascript," + encodeURIComponent(reference));
for (const station of ${JSON.stringify(KEPT)}) {
  const own = found.find(({ station: name }) => String(name).toLowerCase() === station.name);
  const expected = summarise(station);
  for (const figure of ["days", "median", "frost"]) {
    await attempt("expected " + figure + " " + station.name, () => expected[figure]);
    await attempt(figure + " " + station.name, () => own[figure]);
  }
}
await attempt("names", () => found.map(({ station }) => station));
await attempt("again", async () => { const { execFileSync } = await import("node:child_process"); execFileSync(process.execPath, ["build.mjs"]); const now = fs.readFileSync("out/summary.json", "utf8"); if (before !== undefined) fs.writeFileSync("out/summary.json", before); return now === before; });
`,
  checks: [
    ...checks("fact used", each("median")),
    ...checks("lesson remembered", {
      ...each("days"),
      "the building site": ({ text }) => text("out/summary.json") !== "" && !/lista/i.test(text("out/summary.json")),
    }),
    ...checks("rule kept", {
      ...each("frost"),
      "capitals, from north to south": ({ probed }) =>
        JSON.stringify((Array.isArray(probed.names) ? probed.names : []).filter((name) => name !== "LISTA")) ===
        JSON.stringify(KEPT.map(({ name }) => name.toUpperCase())),
    }),
    ...checks("readable again", {
      "the program makes what is there": (finished) => hasOut(finished) && finished.probed.again === true,
    }),
  ],
  solution: { "build.mjs": BUILD(KEPT) },
  solutionCommand: "node build.mjs",
};
