import path from "node:path";
import { answer, call } from "../../test/api/replies.ts";
import { play } from "../../test/client/play.ts";
import { median } from "./measure.ts";

const RESULTS = 60;
const CHARACTERS = 100_000;

/** Kinds of output that a session meets, each about 100 KB and none like the one before it. */
const KINDS: readonly ((seed: number) => string)[] = [
  (seed) => repeat((line) => `2026-11-15T10:${line % 60}:00Z INFO worker ${seed} took job ${line} of queue mail`),
  (seed) => repeat((line) => `src/part${seed}/file${line % 90}.ts:${line}:  const value${line} = compute(${seed});`),
  (seed) =>
    JSON.stringify(
      Array.from({ length: 1500 }, (_, id) => ({ id, seed, name: `item ${id}`, price: id * 3 })),
      null,
      1,
    ),
  (seed) => repeat((line) => `export function part${seed}_${line}(value: number): number { return value + ${line}; }`),
  (seed) =>
    repeat((line) =>
      line % 97 === 0 ? `✗ test ${line} of suite ${seed} failed: expected 1, got 2` : `✓ test ${line} of suite ${seed}`,
    ),
];

/** Folding and compacting inside the real client, as the module's own journal has it: its worker is not Node. */
export async function run(): Promise<void> {
  // Bundled, this file lies elsewhere than where it was written.
  const plugins = [path.resolve("plugin")];
  const session = await play({
    main: (_, step) => {
      if (step < RESULTS) return answer(call("Bash", { command: `cat out-${step}.txt` }));
      return answer("Done.");
    },
  });
  for (let index = 0; index < RESULTS; index++) {
    const kind = KINDS[index % KINDS.length];
    await session.workspace.writeFile(`out-${index}.txt`, (kind?.(index) ?? "").slice(0, CHARACTERS));
  }
  const result = await session.run({ prompts: ["Read them all."], plugins, timeoutMs: 170_000 });
  for (let again = 0; again < 5; again++)
    await session.run({ prompts: ["/compact"], plugins, resume: result.sessionId });
  const deeds = await session.deeds();
  const folds = deeds.filter(({ kind }) => kind === "folded").map(({ ms }) => Number(ms));
  const compactions = deeds.filter(({ kind }) => kind === "compacted").map(({ ms }) => Number(ms));
  await session.close();
  console.log(`| what, inside the client 2.1.325 | n | median | p95 | most | limit |`);
  console.log(`|---|---|---|---|---|---|`);
  console.log(renderRow(`folding ${CHARACTERS / 1000} KB, preview alone`, folds, "p95 at most 3 ms"));
  console.log(renderRow("a compaction, archive and state saved", compactions, "at most 200 ms"));
}

function renderRow(what: string, times: readonly number[], limit: string): string {
  const sorted = [...times].sort((left, right) => left - right);
  const show = (value: number): string => `${value.toFixed(1)} ms`;
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? 0;
  return `| ${what} | ${sorted.length} | ${show(median(sorted))} | ${show(p95)} | ${show(sorted.at(-1) ?? 0)} | ${limit} |`;
}

function repeat(render: (line: number) => string): string {
  const lines: string[] = [];
  for (let line = 1, length = 0; length < CHARACTERS; line++) {
    const text = render(line);
    lines.push(text);
    length += text.length + 1;
  }
  return lines.join("\n");
}
