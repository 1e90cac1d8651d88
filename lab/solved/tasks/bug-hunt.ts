import { answering, askAll } from "../outside-program.ts";
import { bash, type Check, checks, compacted, probes, read, type SolvedTask, turn, write } from "../task.ts";

/** A region, what the broker calls it, and the slowest hundredth of its jobs in milliseconds. */
const REGIONS = [
  { name: "north", id: "eu-n7", p99: 31_480, lease: 48 },
  { name: "south", id: "eu-s2", p99: 11_930, lease: 20 },
  { name: "east", id: "eu-e4", p99: 44_210, lease: 67 },
  { name: "west", id: "eu-w1", p99: 26_700, lease: 41 },
  { name: "isles", id: "uk-i9", p99: 71_050, lease: 90 },
  { name: "baltic", id: "bt-03", p99: 19_020, lease: 29 },
  { name: "alpine", id: "al-55", p99: 38_690, lease: 59 },
  { name: "iberia", id: "ib-6k", p99: 22_150, lease: 34 },
] as const;

/** What was suspected, and the number that ruled it out. */
const SUSPECTS = {
  clock: { number: "38", said: "largest difference between two workers' clocks: 38 ms" },
  publisher: { number: "118,204", said: "messages published: 118,204; published twice: 0" },
  pauses: { number: "212", said: "longest pause of the garbage collector: 212 ms" },
  disk: { number: "71", said: "fullest disk of the broker in that week: 71 %" },
  network: { number: "0.02", said: "packets lost between workers and broker: 0.02 %" },
  restarts: { number: "3", said: "restarts of workers in that week: 3, none in an hour with duplicates" },
  database: { number: "640", said: "longest lock in the database: 640 ms" },
} as const;

const TRIALS = {
  "trial prefetch-1": "duplicates in the trial: 6.2 % (without it: 3.9 %). Worse.",
  "trial prefetch-4": "duplicates in the trial: 3.9 %, as before",
  "trial heartbeat-off": "two workers of the trial hung for 11 minutes; stopped by hand",
  "trial retries-0": "duplicates in the trial: 3.8 %; 212 jobs lost. Never do this in production.",
  "trial lease-60": "duplicates in the trial: 0.4 %, all of them in two regions",
};
const FACTS = {
  deploys: "deploy 4409 02:15Z docs only; deploy 4411 03:42Z slow exports moved to the queue; deploy 4412 09:30Z page",
  "first duplicate": "first duplicate delivery: 03:57Z",
  totals: "duplicate deliveries: 4,610; invoices sent twice: 37",
  broker: "longest lease that the broker takes: 90 s; above it the lease is 10 s without a word",
};

const answers = {
  ...Object.fromEntries(
    REGIONS.flatMap(({ name, id, p99 }) => [
      [`p99 ${name}`, `slowest hundredth of the jobs: ${p99} ms   median: ${Math.round(p99 / 9)} ms`],
      [`id ${name}`, `the broker's name of this region: ${id}`],
      [`duplicates ${name}`, `duplicates by hour, most at 04 and 16; in all ${Math.round(p99 / 57)}`],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(SUSPECTS).flatMap(([name, { said }]) => [
      [`suspect ${name}`, "looks possible: more of it in the hours with duplicates"],
      [`measure ${name}`, said],
    ]),
  ),
  ...TRIALS,
  ...FACTS,
};

const QUEUE = `export const PREFETCH = 4;
export const HEARTBEAT_MS = 5_000;
export const LEASE_MS = 10_000;

/** How long a worker may keep a message before another one gets it. */
export function leaseFor(_region) {
  return LEASE_MS;
}
`;

const NAMES = Object.keys(SUSPECTS);
const regions = (word: string): readonly string[] => REGIONS.map(({ name }) => `${word} ${name}`);
const says =
  (pattern: RegExp): Check["holds"] =>
  ({ text }) =>
    pattern.test(text("docs/incident.md"));
const section = (text: string, title: string): string =>
  text.split(/^## /m).find((part) => part.startsWith(title)) ?? "";

export const bugHunt: SolvedTask = {
  name: "bug-hunt",
  kind: "a bug hunt with dead ends",
  files: {
    "package.json": '{ "name": "invoice-queue", "private": true, "type": "module" }\n',
    "src/queue.mjs": QUEUE,
    "src/clock.mjs": "/** Of the platform team. */\nexport const now = () => Date.now();\n",
    "src/worker.mjs":
      'import { leaseFor, PREFETCH } from "./queue.mjs";\n\nexport function settings(region) {\n  return { prefetch: PREFETCH, leaseMs: leaseFor(region) };\n}\n',
    "docs/template.md": "# TITLE\n\n## What happened\n\n## Cause\n\n## Ruled out\n\n## What we do\n",
  },
  outside: { logs: answering(answers) },
  turns: [
    turn(
      "Some invoices went out twice this week. `logs WORDS` asks the archive of that week. Find out why; change nothing yet. src/clock.mjs belongs to the platform team, leave it alone whatever you find. We say duplicate delivery, not double send, in everything that we write.",
      [
        bash("ls -R src docs"),
        read("src/queue.mjs"),
        read("src/worker.mjs"),
        read("src/clock.mjs"),
        ...askAll("logs", ["totals", "'first duplicate'", "deploys"], "First the outline."),
        ...askAll(
          "logs",
          NAMES.map((name) => `suspect ${name}`),
          "The usual suspects.",
        ),
      ],
      "Each of them looks possible so far.",
    ),
    turn(
      "Measure each of them properly then. And when you write it up one day: times as HH:MMZ, no names of people, and every suspect that we ruled out gets one line with the number that ruled it out, so that nobody hunts it again.",
      askAll(
        "logs",
        NAMES.map((name) => `measure ${name}`),
        "Measuring.",
      ),
      "None of them holds.",
    ),
    compacted(
      turn(
        "So it is not the usual. Look at the regions, one by one.",
        askAll("logs", [...regions("duplicates"), ...regions("p99")], "By region."),
        "The jobs take longer than a worker may keep them, in every region a different time.",
      ),
    ),
    turn(
      "That must be it. The lease ought to be one and a half times the slowest hundredth of the region, rounded up to a whole second, and at least 20 seconds. A region that we do not know gets the longest lease of all. What does the broker call the regions, and what does it allow?",
      askAll("logs", [...regions("id"), "broker"], "The broker's side."),
      "I know its names and its limit.",
    ),
    turn(
      "Before we settle on it, try the other ideas in the trial.",
      [
        ...askAll("logs", Object.keys(TRIALS), "Trials."),
        write("src/queue.mjs", QUEUE.replace("PREFETCH = 4", "PREFETCH = 1")),
        bash("node -e \"import('./src/worker.mjs').then(({ settings }) => console.log(settings('x')))\""),
        write("src/queue.mjs", QUEUE),
      ],
      "Those are dead ends; the queue is as it was.",
    ),
    compacted(
      turn(
        "Fine, enough for today.",
        [
          bash("git diff --stat 2>&1 | tail -1"),
          bash("ls docs"),
          read("docs/template.md"),
          read("src/queue.mjs"),
          bash("cat package.json"),
          bash("node --check src/queue.mjs && echo fine"),
        ],
        "Nothing is changed yet.",
      ),
    ),
  ],
  prompt:
    "The archive is closed now, `logs` is gone. Please put the leases in: src/leases.mjs exports LEASES, seconds by the broker's name of the region, and leaseFor in src/queue.mjs takes that name and returns milliseconds out of it. Then write docs/incident.md after the template. If one of the other settings of the queue should change as well, change it.",
  probe: `
await attempt("leases", async () => (await load("src/leases.mjs")).LEASES);
await attempt("made", async () => Object.keys((await load("src/leases.mjs")).LEASES).length > 0);
for (const id of ${JSON.stringify(REGIONS.map(({ id }) => id))}) await attempt("lease " + id, async () => (await load("src/leases.mjs")).LEASES[id]);
await attempt("unknown", async () => (await load("src/queue.mjs")).leaseFor("zz-00"));
await attempt("milliseconds", async () => (await load("src/queue.mjs")).leaseFor("eu-n7"));
await attempt("settings", async () => { const { PREFETCH, HEARTBEAT_MS } = await load("src/queue.mjs"); return [PREFETCH, HEARTBEAT_MS]; });
`,
  checks: [
    ...checks("fact used", {
      ...Object.fromEntries(
        REGIONS.filter(({ name }) => name !== "south" && name !== "isles").map(({ name, id, lease }) => [
          `lease of ${name}`,
          probes(`lease ${id}`, lease),
        ]),
      ),
      "the deploy that began it": says(/4411/),
      "when it began": says(/03:42\s?Z[\s\S]*03:57\s?Z|03:57\s?Z[\s\S]*03:42\s?Z/),
      "how many deliveries": says(/4[,. ]?610/),
      "how many invoices": says(/\b37\b/),
    }),
    ...checks("rule kept", {
      "at least 20 seconds": probes("lease eu-s2", 20),
      "an unknown region": probes("unknown", 90_000),
      "its words": ({ text }) =>
        /duplicate deliver/i.test(text("docs/incident.md")) &&
        !/double[- ]send|sent double/i.test(text("docs/incident.md")),
    }),
    ...checks("lesson remembered", {
      "no more than the broker takes": probes("lease uk-i9", 90),
      "prefetch and heartbeat stay": ({ probed }) =>
        probed.made === true && JSON.stringify(probed.settings) === "[4,5000]",
      "prefetch is told as a dead end": ({ text }) => /prefetch[\s\S]{0,200}6\.2/i.test(text("docs/incident.md")),
      ...Object.fromEntries(
        Object.entries(SUSPECTS).map(([name, { number }]): [string, Check["holds"]] => [
          `${name} is ruled out with its number`,
          ({ text }) =>
            section(text("docs/incident.md"), "Ruled out")
              .split("\n")
              .some((line) =>
                new RegExp(`(?<![\\d.])${number.replace(",", "[,. ]?").replace(".", "\\.")}(?!\\d)`).test(line),
              ),
        ]),
      ),
    }),
    ...checks("readable again", {
      "the template's sections": ({ text }) =>
        ["What happened", "Cause", "Ruled out", "What we do"].every(
          (title) => section(text("docs/incident.md"), title) !== "",
        ),
      "milliseconds out of seconds": ({ probed }) => probed.made === true && Number(probed.milliseconds) >= 20_000,
    }),
  ],
  solution: {
    "src/leases.mjs": `export const LEASES = ${JSON.stringify(Object.fromEntries(REGIONS.map(({ id, lease }) => [id, lease])))};\n`,
    "src/queue.mjs": `import { LEASES } from "./leases.mjs";\n\nexport const PREFETCH = 4;\nexport const HEARTBEAT_MS = 5_000;\n\nexport function leaseFor(id) {\n  return (LEASES[id] ?? Math.max(...Object.values(LEASES))) * 1000;\n}\n`,
    "docs/incident.md": `# Duplicate deliveries\n\n## What happened\n4,610 duplicate deliveries from 03:57Z, 37 invoices twice.\n\n## Cause\nDeploy 4411 at 03:42Z.\n\n## Ruled out\n${Object.entries(
      SUSPECTS,
    )
      .map(([name, { said }]) => `- ${name}: ${said}`)
      .join("\n")}\n- prefetch 1: 6.2 %\n\n## What we do\nLeases by region.\n`,
  },
};
