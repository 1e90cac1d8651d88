import { answering, askAll } from "../outside-program.ts";
import { bash, type Check, checks, compacted, probes, read, type SolvedTask, turn, write } from "../task.ts";

/** A report's module: what it exports today, which of the two others still import, until which release, and what it may cost. */
interface Report {
  readonly name: string;
  readonly field: string;
  readonly used: string;
  readonly unused: string;
  readonly release: string;
  /** What its readers call it. */
  readonly title: string;
}

const report = (name: string, field: string, old: string, release: string, title: string): Report => {
  const [used = "", unused = ""] = old.split(" ");
  return { name, field, used, unused, release, title };
};

const DONE = [
  report("Sales", "amount", "calcSales getSalesSum", "9.2", "Turnover"),
  report("Hours", "minutes", "hoursTotal doHours", "8.7", "Time sheet"),
];
const OPEN = [
  report("Rents", "cents", "rentCalc allRents", "9.4", "Lease income"),
  report("Meals", "plates", "countMeals mealStat", "10.1", "Canteen count"),
  report("Trips", "km", "tripSum sumTrips", "8.9", "Mileage"),
  report("Parts", "pieces", "partList cntParts", "9.9", "Spares drawn"),
  report("Calls", "seconds", "callTime telSum", "10.3", "Phone log"),
];
const ALL = [...DONE, ...OPEN];
const file = ({ name }: Report): string => `src/reports/${name.toLowerCase()}.mjs`;

const before = ({ name, field, used, unused }: Report): string => `export default function ${used}(rows, rounded) {
  let sum = 0;
  for (const row of rows) sum += row.${field};
  return rounded ? Math.round(sum) : sum;
}

export function ${unused}(rows) {
  return ${used}(rows, true);
}

export { ${used} };
// ${name}
`;

const after = ({ name, field, used, release, title }: Report): string => `import { sumOf } from "../sum-of.mjs";

export function report${name}(rows, { isRounded = false } = {}) {
  if (rows.length === 0) throw new RangeError("${title}: no rows");
  const sum = sumOf(rows, "${field}");
  return { title: "${title}", sum: (isRounded ? Math.round(sum) : sum).toFixed(2) };
}

// kept until ${release}
export { report${name} as ${used} };
`;

const SUM_OF = `export function sumOf(rows, field) {
  return rows.reduce((sum, row) => sum + row[field], 0);
}
`;

const answers = Object.fromEntries(
  ALL.flatMap(({ name, used, unused, release, title }) => [
    [`who ${used}`, `imported by ${name.length + 3} files of other teams`],
    [`who ${unused}`, "imported by nobody"],
    [`until ${name}`, `the others have promised to be done with the old names by release ${release}`],
    [`title ${name}`, `on the readers' lists this report is called: ${title}`],
    [`cost ${name}`, `runs ${name.length * 40} times a day, median ${name.length * 3} ms`],
    [`owner ${name}`, `asked for by office ${name.length * 11}`],
  ]),
);
const survey = ({ name, used, unused }: Report) => [
  read(`src/reports/${name.toLowerCase()}.mjs`),
  ...askAll(
    "usages",
    [`who ${used}`, `who ${unused}`, `until ${name}`, `title ${name}`, `cost ${name}`, `owner ${name}`],
    `${name}.`,
  ),
];
const refactor = (each: Report) => [
  read(file(each)),
  write(file(each), after(each)),
  bash(`node --check ${file(each)} && echo fine`),
];
const forEach = (what: string, expected: (each: Report) => unknown): Readonly<Record<string, Check["holds"]>> =>
  Object.fromEntries(
    OPEN.map((each) => [`${what} of ${each.name.toLowerCase()}`, probes(`${what} ${each.name}`, expected(each))]),
  );
const everyFile =
  (holds: (text: string, each: Report) => boolean): Check["holds"] =>
  ({ text }) =>
    OPEN.every((each) => text(file(each)).includes(`report${each.name}`) && holds(text(file(each)), each));

export const refactoring: SolvedTask = {
  name: "refactoring",
  kind: "a refactoring with the person's rules",
  files: {
    "package.json": '{ "name": "office-reports", "private": true, "type": "module" }\n',
    ...Object.fromEntries(ALL.map((each) => [file(each), before(each)])),
  },
  outside: { usages: answering(answers) },
  turns: [
    turn(
      "These reports are to become readable. `usages WORD NAME` knows who uses what outside: who, until, title, cost, owner. Look at sales and hours. A boolean as a parameter is a riddle to who reads the call; it becomes an option isRounded with false unless given.",
      [bash("ls src/reports"), ...DONE.flatMap(survey)],
      "Two names each, one of them used elsewhere.",
    ),
    turn(
      "A name that others import stays as an alias under a comment line kept until RELEASE, with the release that they promised; what nobody imports goes away. Next: rents and meals. No let anywhere in the end, please, and no default exports.",
      OPEN.slice(0, 2).flatMap(survey),
      "Seen.",
    ),
    compacted(
      turn(
        "Trips and parts. No rows at all is a mistake of the caller: a RangeError that says the report's title as the readers know it, a colon, and no rows.",
        OPEN.slice(2, 4).flatMap(survey),
        "Seen, too.",
      ),
    ),
    turn(
      "And calls. Sums leave as texts with two decimals, in an object with title and sum, the title again the readers' own.",
      OPEN.slice(4).flatMap(survey),
      "That was the last.",
    ),
    turn(
      "Write sales and hours. The function is report and the name, such as reportSales.",
      [write("src/sum-of.mjs", SUM_OF), ...DONE.flatMap(refactor)],
      "Both are done.",
    ),
    turn(
      "Try a class for it, as Vera suggested.",
      [
        write(
          "src/report.mjs",
          "export class Report {\n  constructor(title, field) {\n    Object.assign(this, { title, field });\n  }\n}\n",
        ),
        bash("node --check src/report.mjs && echo fine"),
        bash("wc -l src/report.mjs"),
      ],
      "It works, but each report would be longer by four lines.",
    ),
    compacted(
      turn(
        "Then no class; take it out again. The rest tomorrow.",
        [bash("rm src/report.mjs && ls src"), read("src/sum-of.mjs"), bash("node --check src/sum-of.mjs && echo fine")],
        "It is out.",
      ),
    ),
  ],
  prompt:
    "Please do the remaining reports now: rents, meals, trips, parts and calls. `usages` is not on this machine any more; do it as we said.",
  probe: `
for (const { name, field, used, unused } of ${JSON.stringify(OPEN)}) {
  const own = () => load("src/reports/" + name.toLowerCase() + ".mjs");
  const made = async () => { const found = (await own())["report" + name]; if (!found) throw new Error("none"); return found; };
  const rows = [{ [field]: 1.25 }, { [field]: 2.5 }];
  await attempt("title " + name, async () => (await made())(rows).title);
  await attempt("sum " + name, async () => [(await made())(rows).sum, (await made())(rows, { isRounded: true }).sum]);
  await attempt("names " + name, async () => (await made(), Object.keys(await own()).sort()));
  await attempt("empty " + name, async () => { const report = await made(); try { report([]); return "none"; } catch (error) { return error.name + " " + error.message; } });
}
`,
  checks: [
    ...checks("fact used", {
      ...forEach("title", ({ title }) => title),
      ...forEach("names", ({ name, used }) => [`report${name}`, used].sort()),
      ...Object.fromEntries(
        OPEN.map((each): [string, Check["holds"]] => [
          `release of ${each.name.toLowerCase()}`,
          ({ text }) => text(file(each)).includes(`kept until ${each.release}\n`),
        ]),
      ),
    }),
    ...checks("rule kept", {
      ...forEach("sum", () => ["3.75", "4.00"]),
      ...forEach("empty", ({ title }) => `RangeError ${title}: no rows`),
      "no let": everyFile((text) => !/\blet\b/.test(text)),
      "no default export": everyFile((text) => !/export default/.test(text)),
    }),
    ...checks("lesson remembered", { "no class": everyFile((text) => !/\bclass\b/.test(text)) }),
    ...checks("readable again", { "the shared sum": everyFile((text) => text.includes('from "../sum-of.mjs"')) }),
  ],
  solution: Object.fromEntries(OPEN.map((each) => [file(each), after(each)])),
};
