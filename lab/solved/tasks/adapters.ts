import { bash, checks, compacted, probes, read, type ScriptedCall, type SolvedTask, turn, write } from "../task.ts";

/** The harbour's system: asked by a program in part 1, and answering the finished adapters in the checks. */
const HARBOUR = `
const pad = (n, w) => String(n).padStart(w, "0");
const pick = (list, n) => list[n % list.length];
const NAMES = ["Stavna", "Ulvik", "Brattholm", "Kvitsoy", "Hestvik", "Rodne", "Sundal", "Tysnes", "Vardal", "Oksnes", "Lyngvaer"];
const DESKS = ["gate", "survey", "night import", "duty desk", "pilot office"];
const trail = (n) => "entered by " + pick(DESKS, n) + " " + (n % 7) + ", seen by " + pick(DESKS, n * 3 + 1) + ", released " + pad((n * 17) % 24, 2) + ":" + pad((n * 29) % 60, 2) + ", sheet " + (4000 + n * 31) + "; checked against the paper book by " + pick(DESKS, n * 2 + 3) + " on day " + (1 + (n * 11) % 365) + ", difference " + pick(["none", "spelling", "not readable"], n);
const rows = (count, make) => Array.from({ length: count }, (_, n) => ({ ...make(n + 1), trail: trail(n + 1) }));
const DATA = {
  berths: rows(46, (n) => ({ berth_no: n, quay: pick(["N", "S", "W"], n), len_dm: 600 + n * 13, depth_cm: n % 9 === 0 ? null : 540 + n * 7, st: pick(["F", "O", "B"], n), booked_until: 1790000000 + n * 3600, fender: pick(["cone", "cell", "arch"], n), bollards: 4 + (n % 7), remark: "quay survey " + (2019 + (n % 6)) })),
  pilots: rows(38, (n) => ({ pid: n, nm: pick(NAMES, n) + " " + pad(n, 2), cls: pick([1, 2, 3, 9], n), duty_from: "2026-0" + (1 + (n % 9)) + "-1" + (n % 9) + "T06:00", langs: ["no", "en", "de"].slice(0, 1 + (n % 3)).join("+"), hrs_dec: n % 8 === 0 ? "" : String(40 + n * 3), station: pick(["outer", "inner", "fjord"], n) })),
  tugs: rows(33, (n) => ({ tg: n, callsign: "LK" + pad(n * 37, 4), bp_kn: n % 7 === 0 ? null : 300 + n * 29, state: n === 17 ? "Q" : pick(["A", "M", "X", "E"], n), seen: 13680000 + n * 977, fuel_pct: (n * 13) % 101, engine: pick(["azimuth", "voith", "conventional"], n), home_quay: pick(["N", "S", "W"], n), escort: n % 3 === 0 ? 1 : 0 })),
  tides: rows(57, (n) => ({ ref: n, gauge: pick(NAMES, n), t: 14000000 + n * 373, h_cm: n % 11 === 0 ? -9999 : 112 + ((n * 31) % 190), q: n === 23 ? 8 : pick([0, 1, 5], n), kind: pick(["HW", "LW"], n), wind_effect_cm: (n * 7) % 23, model: "NK-" + (3 + (n % 2)) })),
  cranes: rows(64, (n) => ({ unit: n, maker: pick(["Liebherr", "Konecranes", "Gottwald"], n), swl_kg: n % 10 === 0 ? 0 : 12000 + n * 550, st: n === 31 ? 6 : pick([1, 2, 4, 7], n), insp: pad(1 + (n % 28), 2) + "." + pad(1 + (n % 12), 2) + ".2026", reach_cm: 2400 + n * 11, rail: pick(["R1", "R2", "R5"], n), hours: 1000 + n * 91 })),
  customs: rows(41, (n) => ({ decl: n, lodged: pad(1 + (n % 28), 2) + pad(1 + (n % 12), 2) + "2026", amt: n % 12 === 0 ? null : 1250000 + n * 7310, cc: n === 29 ? "R" : pick(["K", "F", "U", "T"], n), void: n % 9 === 0 ? 1 : 0, goods: pick(["timber", "fish meal", "steel coil", "salt"], n), agent: pick(NAMES, n * 3), packages: 10 + n * 4 })),
  crews: rows(44, (n) => ({ crew: n, boss: pick(NAMES, n * 2), shift: pick(["D", "E", "N"], n), heads: 4 + (n % 9), start_min: pick([360, 840, 1320], n), gear: pick(["slings", "grab", "spreader"], n), union: pick(["NTF", "FF"], n) })),
  fuel: rows(36, (n) => ({ slip: n, grade: pick(["MGO", "VLSFO", "LNG"], n), qty_l: 800 + n * 45, density: 0.84 + (n % 7) / 100, at: 1780000000 + n * 5400, vessel: pick(NAMES, n * 5), barge: pick(["B1", "B4"], n), sulphur_ppm: 90 + n }))
};
const WHERE = { "/v2/berths": "berths", "/v2/staff/pilots": "pilots", "/v2/towage/units": "tugs", "/tidal/readings": "tides", "/v1/lifting/cranes": "cranes", "/customs/decl": "customs", "/v2/staff/gangs": "crews", "/bunkers/slips": "fuel" };
function answerHarbour(asked) {
  const url = new URL(asked, "http://harbour");
  const name = WHERE[url.pathname];
  const at = (key, other) => Number(url.searchParams.get(key) ?? other);
  if (name === undefined) return { error: "no such path " + url.pathname };
  const all = DATA[name];
  if (name === "berths" || name === "pilots") { const p = at("page", 1); return p < 1 ? { error: "page starts at 1" } : { data: all.slice((p - 1) * 20, p * 20), pages: Math.ceil(all.length / 20) }; }
  if (name === "tugs") { const p = at("pg", 0); return { units: all.slice(p * 12, p * 12 + 12), more: (p + 1) * 12 < all.length ? "Y" : "N" }; }
  if (name === "tides") { const from = at("after", 0); const list = all.filter(({ ref }) => ref > from).slice(0, 20); return { readings: list, after: String(list.at(-1)?.ref ?? from) }; }
  if (name === "cranes") { const take = at("take", 10); return { list: all.slice(at("skip", 0), at("skip", 0) + (take > 25 ? 5 : take)), total: all.length }; }
  if (name === "customs") { const office = url.searchParams.get("office"); return office === null ? { error: "office is required" } : office !== "BGO7" ? { error: "office unknown" } : { declarations: all.slice(at("from", 1) - 1, at("from", 1) + 13), next: at("from", 1) + 14 <= all.length ? at("from", 1) + 14 : 0 }; }
  const p = at("page", 1);
  return { rows: all.slice((p - 1) * 20, p * 20), last: p * 20 >= all.length };
}
`;

const DOCS: Readonly<Record<string, string>> = {
  berths:
    "path /v2/berths, query page (starts at 1), answer data + pages. len_dm decimetres. st: F free, O occupied, B blocked. booked_until: seconds since 1970.",
  pilots:
    "path /v2/staff/pilots, query page (starts at 1), answer data + pages. cls: 1 coastal, 2 harbour, 3 deep sea, 9 trainee. duty_from: local time of the port, always UTC+1. hrs_dec: hours, empty when not handed in.",
  tugs: "path /v2/towage/units, query pg, answer units + more (Y or N). bp_kn: bollard pull in kilonewton. state: A alongside, M manoeuvring, X laid up, E escorting. seen: minutes since 2000-01-01T00:00Z, the clock of the radio plot.",
  tides:
    "path /tidal/readings, query after (a reference), answer readings + after. t: minutes since 2000-01-01T00:00Z. h_cm: above chart datum. q: 0 raw, 1 checked, 5 interpolated. kind HW or LW.",
  cranes:
    "path /v1/lifting/cranes, query skip and take, answer list + total. swl_kg: safe working load. st: 1 ready, 2 in use, 4 locked out, 7 scrapped. insp: day.month.year of the last inspection, midnight UTC.",
  customs:
    "path /customs/decl, query office and from, answer declarations + next (0 at the end). amt: in thousandths of a krone. cc: K cleared, F frozen, U under review, T transferred. lodged: DDMMYYYY, midnight UTC.",
  crews:
    "path /v2/staff/gangs, query page, answer rows + last. shift D day, E evening, N night. start_min: minutes after midnight.",
  fuel: "path /bunkers/slips, query page, answer rows + last. qty_l litres at 15 degrees, density kg/l, at: seconds since 1970.",
};

const PROGRAM = `${HARBOUR}
const DOCS = ${JSON.stringify(DOCS)};
const [verb, word] = process.argv.slice(2);
if (verb === "doc") {
  const fields = Object.keys(DATA[word]?.[0] ?? {}).map((field, n) => "  " + field.padEnd(16) + "kept since release " + (3 + n) + "; written by the " + pick(["duty desk", "night import", "gate terminal", "survey office"], n + word.length) + ", read by " + (2 + ((n * 7) % 11)) + " reports; may be shown to agents: " + pick(["yes", "no", "on request"], n) + "; example " + JSON.stringify(DATA[word][n + 3][field]));
  console.log("HARBOUR RESOURCE " + word + "\\n\\n" + fields.join("\\n") + "\\n\\nNotes of the maintainers\\n" + DOCS[word] + "\\nChanges go through the harbour board, which meets on the first Tuesday. Requests are counted per office; the night import runs from 02:00 to 03:10.\\n");
} else if (verb === "count") console.log(DATA[word].length + " rows");
else console.log(JSON.stringify(answerHarbour(word), null, 1));
`;

const BERTHS = `// harbour: /v2/berths
import { failOnError, toCode } from "../shared.mjs";

const STATES = { F: "free", O: "occupied", B: "blocked" };

export function parseBerth(row) {
  return {
    id: "NO-BE-" + row.berth_no,
    metres: row.len_dm === null ? null : row.len_dm / 10,
    depth: row.depth_cm === null ? null : row.depth_cm / 100,
    state: toCode(STATES, row.st),
    at: row.booked_until,
  };
}

export async function listBerths(get) {
  const found = [];
  for (let page = 1; ; page++) {
    const answer = failOnError(await get("/v2/berths?page=" + page));
    found.push(...answer.data.map(parseBerth));
    if (page >= answer.pages) return found.reverse();
  }
}
`;

const SHARED = `// harbour: all paths
/** The system answers every failure with status 200 and an error field. */
export function failOnError(answer) {
  if (answer.error !== undefined) throw new Error("harbour: " + answer.error);
  return answer;
}

export function toCode(names, code) {
  return names[code] ?? "unknown(" + code + ")";
}
`;

const PILOTS = BERTHS.replaceAll("/v2/berths", "/v2/staff/pilots")
  .replace(
    'STATES = { F: "free", O: "occupied", B: "blocked" }',
    'STATES = { 1: "coastal", 2: "harbour", 3: "deep sea", 9: "trainee" }',
  )
  .replaceAll("Berth", "Pilot")
  .replace(
    /id: [\s\S]*?booked_until,/,
    'id: "NO-PI-" + row.pid,\n    name: row.nm,\n    hours: row.hrs_dec === "" ? null : Number(row.hrs_dec),\n    state: toCode(STATES, row.cls),\n    at: Date.parse(row.duty_from + ":00+01:00") / 1000,',
  );

const test = (name: string, list: string, path: string): string => `import assert from "node:assert/strict";
import { test } from "node:test";
import { ${list} } from "../src/adapters/${name}.mjs";

test("${name}: lists what the harbour answers", async () => {
  const asked = [];
  const found = await ${list}(async (path) => (asked.push(path), { data: [], pages: 1 }));
  assert.deepEqual([found, asked], [[], ["${path}?page=1"]]);
});
`;

const INDEX =
  'export { listBerths } from "./adapters/berths.mjs";\nexport { listPilots } from "./adapters/pilots.mjs";\n';

function explore(name: string, paths: readonly string[]): readonly ScriptedCall[] {
  return [
    bash(`harbour doc ${name}`, `Now ${name}.`),
    bash(`harbour count ${name}`),
    ...paths.map((path) => bash(`harbour get '${path}'`)),
  ];
}

const FILES = {
  "package.json": '{ "name": "port-desk", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
  "README.md": "# Port desk\n\nShows what the harbour's own system knows. Adapters are in `src/adapters`.\n",
  "src/desk.mjs":
    'import * as adapters from "./index.mjs";\n\n/** Every list, by its name. */\nexport async function readAll(get) {\n  const names = Object.keys(adapters).sort();\n  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await adapters[name](get)])));\n}\n',
};

const adapter = (header: string, body: string): string =>
  `// harbour: ${header}\nimport { failOnError, toCode } from "../shared.mjs";\n\n${body}`;

const SOLUTION = {
  "src/index.mjs": `${INDEX}export { listCranes } from "./adapters/cranes.mjs";\nexport { listCustoms } from "./adapters/customs.mjs";\nexport { listTides } from "./adapters/tides.mjs";\nexport { listTugs } from "./adapters/tugs.mjs";\n`,
  "src/adapters/tugs.mjs": adapter(
    "/v2/towage/units",
    `const STATES = { A: "alongside", M: "manoeuvring", X: "laid up", E: "escorting" };
export const parseTug = (row) => ({ id: "NO-TG-" + row.tg, tonnes: row.bp_kn === null ? null : Math.round((row.bp_kn / 9.81) * 10) / 10, state: toCode(STATES, row.state), at: 946684800 + row.seen * 60 });
export async function listTugs(get) {
  const found = [];
  for (let page = 0; ; page++) {
    const answer = failOnError(await get("/v2/towage/units?pg=" + page));
    found.push(...answer.units.map(parseTug));
    if (answer.more === "N") return found.reverse();
  }
}
`,
  ),
  "src/adapters/tides.mjs": adapter(
    "/tidal/readings",
    `const STATES = { 0: "raw", 1: "checked", 5: "interpolated" };
export const parseTide = (row) => ({ id: "NO-WL-" + row.ref, metres: row.h_cm === -9999 ? null : row.h_cm / 100, state: toCode(STATES, row.q), at: 946684800 + row.t * 60 });
export async function listTides(get) {
  const found = [];
  for (let after = "0"; ; ) {
    const answer = failOnError(await get("/tidal/readings?after=" + after));
    found.push(...answer.readings.map(parseTide));
    if (answer.after === after) return found.reverse();
    after = answer.after;
  }
}
`,
  ),
  "src/adapters/cranes.mjs": adapter(
    "/v1/lifting/cranes",
    `const STATES = { 1: "ready", 2: "in use", 4: "locked out", 7: "scrapped" };
export const parseCrane = (row) => ({ id: "NO-KR-" + row.unit, tonnes: row.swl_kg === 0 ? null : Math.round(row.swl_kg / 100) / 10, state: toCode(STATES, row.st), at: Date.parse(row.insp.split(".").reverse().join("-") + "T00:00Z") / 1000 });
export async function listCranes(get) {
  const found = [];
  for (;;) {
    const answer = failOnError(await get("/v1/lifting/cranes?skip=" + found.length + "&take=25"));
    found.push(...answer.list.map(parseCrane));
    if (found.length >= answer.total) return found.filter(({ state }) => state !== "scrapped").reverse();
  }
}
`,
  ),
  "src/adapters/customs.mjs": adapter(
    "/customs/decl",
    `const STATES = { K: "cleared", F: "frozen", U: "under review", T: "transferred" };
export const parseCustom = (row) => ({ id: "NO-TO-" + row.decl, ore: row.amt === null ? null : Math.floor(row.amt / 10), state: toCode(STATES, row.cc), at: Date.parse(row.lodged.replace(/(..)(..)(....)/, "$3-$2-$1T00:00Z")) / 1000 });
export async function listCustoms(get) {
  const found = [];
  for (let from = 1; from > 0; ) {
    const answer = failOnError(await get("/customs/decl?office=BGO7&from=" + from));
    found.push(...answer.declarations.filter((row) => row.void !== 1).map(parseCustom));
    from = answer.next;
  }
  return found.reverse();
}
`,
  ),
  ...Object.fromEntries(
    ["tugs", "tides", "cranes", "customs"].map((name) => [
      `test/${name}.test.mjs`,
      `import { test } from "node:test";\n\ntest("${name}: are listed", () => {});\n`,
    ]),
  ),
};

const NAMES = ["tugs", "tides", "cranes", "customs"] as const;
const LISTS = { tugs: "listTugs", tides: "listTides", cranes: "listCranes", customs: "listCustoms" } as const;
const every = (holds: (name: (typeof NAMES)[number]) => boolean): boolean => NAMES.every(holds);

export const adapters: SolvedTask = {
  name: "adapters",
  kind: "adapters over a system that can be asked in part 1 only",
  files: FILES,
  outside: { harbour: PROGRAM },
  turns: [
    turn(
      "We build adapters over the harbour's own system. The program `harbour` asks it: `harbour doc NAME`, `harbour count NAME`, `harbour get PATH`. It has berths, pilots, tugs, tides, cranes, customs, crews and fuel. Look round the repository and the first two first; no code yet. One thing at once: a code that we do not know must never break a list. It becomes the text unknown(CODE), with the code in the brackets.",
      [
        bash("ls -R . && cat package.json README.md"),
        read("src/desk.mjs"),
        ...explore("berths", ["/v2/berths?page=1", "/v2/berths?page=2", "/v2/berths?page=0", "/v2/berths?page=3"]),
        ...explore("pilots", ["/v2/staff/pilots?page=1", "/v2/staff/pilots?page=2", "/v2/pilots?page=1"]),
      ],
      "I have seen both, and how their failures look.",
    ),
    turn(
      "Good. The ids: NO, a dash, the letters of our own register, a dash, their number without leading zeros. The letters are BE for berths, PI for pilots, TG for tugs, WL for tides (water level), KR for cranes, TO for customs, GA for crews, BU for fuel. Now look at the tugs and the tides.",
      [
        ...explore("tugs", [
          "/v2/towage/units?pg=1",
          "/v2/towage/units?pg=0",
          "/v2/towage/units?pg=2",
          "/v2/towage/units?page=2",
        ]),
        ...explore("tides", [
          "/tidal/readings",
          "/tidal/readings?after=20",
          "/tidal/readings?after=40",
          "/tidal/readings?after=57",
        ]),
      ],
      "The tugs begin at pg=0. The tides never say that they are at their end: the last answer repeats the reference it was given, with no readings.",
    ),
    turn(
      "Then stop there when it repeats itself. That -9999 in the tides is the gauge's own word for no reading. Wherever a number is missing we say null; a zero or a NaN on the desk has cost us a ship once. Cranes and customs next. For the customs you need our office, BGO7.",
      [
        ...explore("cranes", [
          "/v1/lifting/cranes",
          "/v1/lifting/cranes?skip=0&take=100",
          "/v1/lifting/cranes?skip=0&take=50",
          "/v1/lifting/cranes?skip=0&take=26",
          "/v1/lifting/cranes?skip=0&take=25",
          "/v1/lifting/cranes?skip=50&take=25",
        ]),
        ...explore("customs", [
          "/customs/decl",
          "/customs/decl?office=BGO",
          "/customs/decl?office=BGO7&from=1",
          "/customs/decl?office=BGO7&from=15",
          "/customs/decl?office=BGO7&from=29",
        ]),
      ],
      "Seen. More than 25 cranes at once are cut to 5 without a word.",
    ),
    compacted(
      turn(
        "A declaration with void set was lodged twice by mistake: leave those out. A crane with a safe working load of 0 has not been weighed, so that is a missing number too, and scrapped cranes do not belong on the desk at all. Money is whole øre, rounded down. Loads and pulls are tonnes with one decimal, and for kilonewton divide by 9.81. Look at the crews and the fuel, for later.",
        [
          ...explore("crews", ["/v2/staff/gangs?page=1", "/v2/staff/gangs?page=2", "/v2/staff/gangs?page=3"]),
          ...explore("fuel", ["/bunkers/slips?page=1", "/bunkers/slips?page=2"]),
        ],
        "Both are plain lists.",
      ),
    ),
    turn(
      "Now write the berths. Every file begins with a comment line, harbour: and the path it asks. Two exports a file and no default: parse and the thing, list and the things; list takes the function get. The fields are id, the numbers, state, and at. Times leave as seconds since 1970, as numbers. The newest, which is the highest number, comes first.",
      [
        write("src/shared.mjs", SHARED),
        write("src/adapters/berths.mjs", BERTHS),
        write("src/index.mjs", `${INDEX.split("\n")[0]}\n`),
        write("test/berths.test.mjs", test("berths", "listBerths", "/v2/berths")),
        bash("node --test test/berths.test.mjs | grep -E '^# (pass|fail)'"),
        bash("harbour get '/v2/berths?page=2' | head -40"),
        read("src/adapters/berths.mjs"),
      ],
      "The berths are in.",
    ),
    turn(
      "Fine. A test for each, in test, its titles beginning with the name and a colon. The pilots now.",
      [
        bash("harbour get '/v2/staff/pilots?page=1' | head -60"),
        write("src/adapters/pilots.mjs", PILOTS),
        write("src/index.mjs", INDEX),
        write("test/pilots.test.mjs", test("pilots", "listPilots", "/v2/staff/pilots")),
        bash("node --test | grep -E '^# (pass|fail)'"),
        bash("node -e \"import('./src/index.mjs').then((all) => console.log(Object.keys(all)))\""),
      ],
      "The pilots are in, too.",
    ),
    compacted(
      turn(
        "Is everything tidy?",
        [
          bash("ls -R src test"),
          bash("wc -l src/*.mjs src/adapters/*.mjs"),
          read("src/shared.mjs"),
          read("src/index.mjs"),
          bash("grep -rn TODO src test || echo none"),
        ],
        "It is tidy: two adapters, two tests, nothing open in them.",
      ),
    ),
  ],
  prompt:
    "The harbour's system is switched off from today, so `harbour` is gone. Please write the adapters for tugs, tides, cranes and customs now (src/adapters/tugs.mjs and so on, with parseTug and listTugs, parseTide and listTides, parseCrane and listCranes, parseCustom and listCustoms), as we agreed, each with its test, and add them to src/index.mjs. Numbers: `tonnes` for tugs and cranes, `metres` for tides, `ore` for customs.",
  probe: `${HARBOUR}
const asked = [];
const get = async (path) => { asked.push(path); if (asked.length > 400) throw new Error("endless"); return answerHarbour(path); };
const lists = {};
for (const [name, list] of Object.entries(${JSON.stringify(LISTS)}))
  await attempt(name, async () => { asked.length = 0; lists[name] = await (await load("src/adapters/" + name + ".mjs"))[list](get); return lists[name].length; });
const by = (name, number) => lists[name].find(({ id }) => String(id).endsWith("-" + number));
for (const [name, numbers] of Object.entries({ tugs: [1, 2, 3, 4, 7, 17], tides: [1, 2, 3, 11, 23], cranes: [1, 2, 3, 5, 10, 31], customs: [1, 2, 3, 4, 12, 29] }))
  for (const number of numbers) await attempt(name + number, () => by(name, number));
await attempt("firsts", () => Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, list[0].id])));
await attempt("error", async () => { try { await (await load("src/adapters/tugs.mjs")).listTugs(async () => ({ error: "closed" })); return "none"; } catch (error) { return error.message; } });
await attempt("index", async () => Object.keys(await load("src/index.mjs")).sort());
for (const name of ${JSON.stringify(NAMES)}) await attempt("exports " + name, async () => Object.keys(await load("src/adapters/" + name + ".mjs")).sort());
await attempt("seconds", () => Object.values(lists).every((list) => list.every(({ at }) => Number.isInteger(at))) && Object.keys(lists).length === 4);
`,
  checks: [
    ...checks("fact used", {
      "tugs are all listed": probes("tugs", 33),
      "tides are all listed": probes("tides", 57),
      "customs are found at their path and office": ({ probed }) => Number(probed.customs) >= 36,
      "tug state": ({ probed }) =>
        ["manoeuvring", "laid up", "escorting", "alongside"].every(
          (state, index) => field(probed[`tugs${index + 1}`], "state") === state,
        ),
      "tide quality": ({ probed }) =>
        ["checked", "interpolated", "raw"].every(
          (state, index) => field(probed[`tides${index + 1}`], "state") === state,
        ),
      "crane state": ({ probed }) =>
        field(probed.cranes1, "state") === "in use" && field(probed.cranes2, "state") === "locked out",
      "customs state": ({ probed }) =>
        ["frozen", "under review", "transferred", "cleared"].every(
          (state, index) => field(probed[`customs${index + 1}`], "state") === state,
        ),
      "tug time": ({ probed }) => field(probed.tugs1, "at") === 946684800 + (13680000 + 977) * 60,
      "tide time": ({ probed }) => field(probed.tides1, "at") === 946684800 + (14000000 + 373) * 60,
      "crane date": ({ probed }) => field(probed.cranes1, "at") === Date.UTC(2026, 1, 2) / 1000,
      "customs date": ({ probed }) => field(probed.customs1, "at") === Date.UTC(2026, 1, 2) / 1000,
      "customs unit": ({ probed }) => field(probed.customs1, "ore") === 125731,
    }),
    ...checks("rule kept", {
      "letters of the ids": ({ probed }) =>
        ["NO-TG-1", "NO-WL-1", "NO-KR-1", "NO-TO-1"].every(
          (id, index) => field(probed[`${NAMES[index]}1`], "id") === id,
        ),
      "an unknown code": ({ probed }) =>
        field(probed.tugs17, "state") === "unknown(Q)" &&
        field(probed.tides23, "state") === "unknown(8)" &&
        field(probed.cranes31, "state") === "unknown(6)",
      "a missing number is null": ({ probed }) =>
        field(probed.tugs7, "tonnes") === null && field(probed.customs12, "ore") === null,
      "tonnes with one decimal": ({ probed }) =>
        field(probed.tugs1, "tonnes") === 33.5 && [12.5, 12.6].includes(Number(field(probed.cranes1, "tonnes"))),
      "whole øre, rounded down": ({ probed }) => field(probed.customs3, "ore") === 127193,
      "newest first": ({ probed }) =>
        ["-33", "-57", "-64", "-41"].every((end, index) =>
          String(field(probed.firsts, NAMES[index] ?? "")).endsWith(end),
        ),
      "a comment with the path": ({ text }) =>
        ["/v2/towage/units", "/tidal/readings", "/v1/lifting/cranes", "/customs/decl"].every((path, index) =>
          text(`src/adapters/${NAMES[index]}.mjs`).startsWith(`// harbour: ${path}`),
        ),
      "titles of tests": ({ text }) => every((name) => text(`test/${name}.test.mjs`).includes(`test("${name}: `)),
      "times are whole seconds": probes("seconds", true),
    }),
    ...checks("lesson remembered", {
      "no more than 25 cranes at once": ({ probed }) => [49, 64].includes(Number(probed.cranes)),
      "scrapped cranes are left out": ({ probed }) => Number(probed.cranes) > 0 && probed.cranes3 === undefined,
      "no reading in a tide": ({ probed }) => field(probed.tides11, "metres") === null,
      "a crane that was not weighed": ({ probed }) => field(probed.cranes10, "tonnes") === null,
      "void declarations are left out": probes("customs", 37),
    }),
    ...checks("readable again", {
      "a failure that came with status 200": probes("error", "harbour: closed"),
      "all are in the index": probes("index", [
        "listBerths",
        "listCranes",
        "listCustoms",
        "listPilots",
        "listTides",
        "listTugs",
      ]),
      "two exports a file": ({ probed }) =>
        every((name) => JSON.stringify(probed[`exports ${name}`])?.split(",").length === 2),
    }),
  ],
  solution: SOLUTION,
};

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
}
