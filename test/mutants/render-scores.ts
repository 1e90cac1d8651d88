import { estimateShare } from "./sample.ts";
import type { Tried } from "./try-mutants.ts";

export interface Measured {
  readonly tried: readonly Tried[];
  readonly seed: number;
  /** How many mutants there are, by room. */
  readonly possible: ReadonlyMap<string, number>;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

export function renderTable({ tried, possible }: Measured): string {
  const rows = [...possible].map(([room, count]) => {
    const own = tried.filter((one) => one.room === room);
    const noticed = own.filter(({ fate }) => fate === "noticed").length;
    const reached = own.filter(({ fate }) => fate !== "not reached").length;
    const { low, high } = estimateShare(noticed, own.length);
    const score = own.length === 0 ? "–" : percent(noticed / own.length);
    const interval = `${Math.round(low * 100)} to ${percent(high)}`;
    return `| \`${room}\` | ${count} | ${own.length} | ${noticed} | ${own.length - reached} | ${score} | ${interval} |`;
  });
  return [
    "| room | possible | drawn | noticed | not reached | score | 95 % interval |",
    "|---|---:|---:|---:|---:|---:|---|",
    ...rows,
  ].join("\n");
}

/** The page in `docs/research`. */
export function renderDocument(measured: Measured, date: Date): string {
  return `# What the tests notice

Each mutant is one small change to the source: a condition negated, a boundary moved, a returned value left out, a statement left out, a literal changed, a spread or an optional link dropped, a logical operator or a method exchanged. The tests that reach it should go red.

${renderTable(measured)}

Measured on ${date.toISOString().slice(0, 10)} with \`npm run test:mutants -- --seed ${measured.seed} --write\`. The mutants are drawn at random from all those that the syntax trees of a room have. The interval is Wilson's, for the sample alone.

The score is a lower bound. Of the tests that reach a mutant the one of its own file is run first, then those of its folder, then the shortest, until they have taken 12 seconds of processor time; other files that take more than 8 seconds are not asked, nor are those that start programs, the deep tests outside \`src\`, the real client and the browser. Mutants that change nothing a user could see count as survived, too. Left out by rule are the words of thrown errors, the defaults that only the type checker asks for (\`list[at] ?? 0\`), the rows of the model table, the made-up requests that warm the gateway up, types, regular expressions, how long a wait is, which of two equal times is later, a timer's \`unref\`, and the names of classes of errors. [Decision 0054](../decisions/0054-mutants-of-the-syntax-tree.md) gives the reasons.
`;
}
