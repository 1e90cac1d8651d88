import { answering, askAll } from "../outside-program.ts";
import { bash, type Check, checks, compacted, probes, read, type SolvedTask, turn, write } from "../task.ts";

/** A module under review: what was measured of it, and what the person decided. */
interface Reviewed {
  readonly name: string;
  readonly verdict: "fixed" | "intended" | "later";
  readonly peak: number;
  readonly severity: number;
  readonly ticket: string;
  /** The limit after the follow-ups. */
  readonly limit: number;
}

const TODAY = 10;
const reviewed = (
  name: string,
  verdict: Reviewed["verdict"],
  figures: readonly [number, number, number],
  ticket: string,
): Reviewed => {
  const [peak, severity, limit] = figures;
  return { name, verdict, peak, severity, ticket, limit };
};

const MODULES = [
  reviewed("mail", "fixed", [61, 34, 70], "OPS-2210"),
  reviewed("hooks", "intended", [44, 71, TODAY], "OPS-2214"),
  reviewed("retry", "fixed", [27, 88, 30], "OPS-2219"),
  reviewed("feed", "later", [133, 52, TODAY], "WEB-781"),
  reviewed("thumbs", "fixed", [92, 63, 105], "WEB-790"),
  reviewed("search", "later", [19, 17, TODAY], "FND-33"),
  reviewed("invoice", "intended", [58, 46, TODAY], "BIL-1402"),
  reviewed("audit", "fixed", [118, 95, 130], "SEC-606"),
  reviewed("intake", "later", [77, 29, TODAY], "BIL-1419"),
  reviewed("cache", "fixed", [410, 79, 200], "OPS-2231"),
  reviewed("login", "intended", [36, 90, TODAY], "SEC-611"),
  reviewed("sync", "later", [205, 41, TODAY], "OPS-2240"),
];
const REASONS: Readonly<Record<string, string>> = {
  hooks: "partners are paid by call",
  invoice: "the printer takes ten",
  login: "slows down guessing",
};
const NAMES = MODULES.map(({ name }) => name);
const only = (verdict: Reviewed["verdict"]): readonly Reviewed[] => MODULES.filter((each) => each.verdict === verdict);
const file = (name: string): string => `src/limits/${name}.mjs`;
const source = (name: string, limit: number, comment = ""): string =>
  `${comment}export const LIMIT = ${limit};\n\nexport function ${name}(list) {\n  return list.slice(0, LIMIT);\n}\n`;

const answers = {
  ...Object.fromEntries(
    MODULES.flatMap(({ name, peak, severity, ticket }) => [
      [`peak ${name}`, `most that came at once in the last quarter: ${peak}; all above ${TODAY} were cut off`],
      [`severity ${name}`, `severity by the board's scale: ${severity} of 100`],
      [`ticket ${name}`, `already known as ${ticket}, opened by support`],
      [`owner ${name}`, `kept by team ${name.length * 2}`],
    ]),
  ),
  "trial cache":
    "limit 451: out of memory after 40 s; limit 300: out of memory after 9 min; limit 200: steady for an hour",
  "trial mail": "limit 70: steady",
};
const ask = (words: readonly string[], names: readonly string[]) =>
  names.flatMap((name) => [
    read(file(name)),
    ...askAll(
      "ci",
      words.map((word) => `${word} ${name}`),
      `${name}.`,
    ),
  ]);
const comment = ({ name, verdict, ticket }: Reviewed): string =>
  verdict === "later" ? `// later: ${ticket}\n` : verdict === "intended" ? `// intended: ${REASONS[name]}\n` : "";
const lineOf = (text: string, name: string): number =>
  text.split("\n").findIndex((line) => new RegExp(`^\\W*(?:\\d+\\W+)?(?:src/limits/)?${name}\\b`, "i").test(line));
const bySeverity = only("fixed").toSorted((a, b) => b.severity - a.severity);
const isDone: Check["holds"] = ({ text }) => text("REVIEW.md") !== "";

/** Names that come in this order in the review, each in a line of its own. */
function isOrdered(names: readonly string[]): Check["holds"] {
  return ({ text }) => {
    const lines = names.map((name) => lineOf(text("REVIEW.md"), name));
    return lines.every((line, index) => line >= 0 && line > (lines[index - 1] ?? -1));
  };
}

export const review: SolvedTask = {
  name: "review",
  kind: "a review with follow-ups",
  files: {
    "package.json": '{ "name": "limits", "private": true, "type": "module" }\n',
    ...Object.fromEntries(NAMES.map((name) => [file(name), source(name, TODAY)])),
  },
  outside: { ci: answering(answers) },
  turns: [
    turn(
      "Review the limits in src/limits with me; they were all set to ten once and nobody knows why. `ci WORD NAME` has the figures: peak, severity, ticket, owner. The first four now. Only look; what we do about each is decided at the end of the review, and I say it as we go.",
      [bash("ls src/limits"), ...ask(["peak", "severity", "ticket", "owner"], NAMES.slice(0, 4))],
      "All four cut something off.",
    ),
    turn(
      "Mail and retry are real faults, to be fixed. Hooks is intended: partners are paid by call. Leave such ones as they are, with a first line // intended: and the reason in my words. The feed is real, but not ours to touch this month: later. For those the first line is // later: and the ticket. Go on with the next four.",
      ask(["peak", "severity", "ticket", "owner"], NAMES.slice(4, 8)),
      "These, too.",
    ),
    compacted(
      turn(
        "Thumbs: fix. Search: later. Invoice is intended, the printer takes ten. Audit: fix, that one is embarrassing. A limit that we fix becomes the peak and a tenth of it, rounded up to the next multiple of five. The last four, please.",
        ask(["peak", "severity", "ticket", "owner"], NAMES.slice(8)),
        "That is all of them.",
      ),
    ),
    turn(
      "Intake: later. Cache: fix, but try it first. Login is intended, it slows down guessing. Sync: later.",
      [
        ...askAll("ci", ["trial cache", "trial mail"], "Trials."),
        write(file("cache"), source("cache", 451)),
        bash("node --check src/limits/cache.mjs && echo fine"),
        write(file("cache"), source("cache", TODAY)),
      ],
      "The cache does not bear what the rule gives it. I put it back as it was.",
    ),
    turn(
      "Then it gets the most that was steady. In REVIEW.md I want one line a module, the fixed ones first and among them the worst severity first, then the intended, then the later ones. Is there anything that tests them?",
      [bash("ls test 2>&1"), bash("grep -rn test package.json || echo none")],
      "No, there are no tests.",
    ),
    compacted(
      turn(
        "All right. Stop here for today.",
        [bash("git status 2>&1 | head -2"), bash("wc -l src/limits/*.mjs"), read(file("mail"))],
        "Nothing is changed so far.",
      ),
    ),
  ],
  prompt:
    "Please do the follow-ups of the review now, all twelve, and write REVIEW.md. The `ci` figures of last quarter have been rotated away, so work from what we have seen.",
  probe: `
for (const { name } of ${JSON.stringify(MODULES)}) {
  await attempt("limit " + name, async () => (await load("src/limits/" + name + ".mjs")).LIMIT);
  await attempt("works " + name, async () => { const own = await load("src/limits/" + name + ".mjs"); return own[name](Array.from({ length: 999 })).length === own.LIMIT; });
}
`,
  checks: [
    ...checks("fact used", {
      ...Object.fromEntries(
        only("fixed")
          .filter(({ name }) => name !== "cache")
          .map(({ name, limit }) => [`limit of ${name}`, probes(`limit ${name}`, limit)]),
      ),
      ...Object.fromEntries(
        only("later").map((each): [string, Check["holds"]] => [
          `ticket of ${each.name}`,
          ({ text }) => text(file(each.name)).startsWith(comment(each)),
        ]),
      ),
      "worst severity first": isOrdered(bySeverity.map(({ name }) => name)),
    }),
    ...checks("rule kept", {
      ...Object.fromEntries(
        only("intended").map((each): [string, Check["holds"]] => [
          `reason of ${each.name}`,
          ({ text }) => {
            const [first = ""] = text(file(each.name)).split("\n");
            return first.startsWith("// intended: ") && first.includes(REASONS[each.name] ?? "");
          },
        ]),
      ),
      "intended and later limits stay": (finished) =>
        isDone(finished) &&
        [...only("intended"), ...only("later")].every(({ name }) => finished.probed[`limit ${name}`] === TODAY),
      "fixed, then intended, then later": ({ text }) => {
        const lines = (verdict: Reviewed["verdict"]): readonly number[] =>
          only(verdict).map(({ name }) => lineOf(text("REVIEW.md"), name));
        return (
          text("REVIEW.md") !== "" &&
          Math.max(...lines("fixed")) < Math.min(...lines("intended")) &&
          Math.max(...lines("intended")) < Math.min(...lines("later"))
        );
      },
    }),
    ...checks("lesson remembered", { "what the cache bears": probes("limit cache", 200) }),
    ...checks("readable again", {
      "every module still cuts at its limit": (finished) =>
        isDone(finished) && NAMES.every((name) => finished.probed[`works ${name}`] === true),
    }),
  ],
  solution: {
    ...Object.fromEntries(MODULES.map((each) => [file(each.name), source(each.name, each.limit, comment(each))])),
    "REVIEW.md": `# Review\n\n${[...bySeverity, ...only("intended"), ...only("later")].map(({ name, verdict }) => `- ${name}: ${verdict}`).join("\n")}\n`,
  },
};
