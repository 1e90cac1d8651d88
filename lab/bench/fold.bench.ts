/**
 * Folding over every tool result of the recorded sessions: what it saves, what of the things that the next five steps used is
 * still in the preview (next to two plain previews of the same size), and what folding 100 KB takes.
 */

import { createHash } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { decodeUtf8, encodeUtf8 } from "../../src/core/utf8.ts";
import { ARTIFACT_HEADER_LINES, renderArtifactFile } from "../../src/fold/artifact-file.ts";
import { foldOutput } from "../../src/fold/fold-output.ts";
import type { Hint } from "../../src/fold/hint.ts";
import { mayBeFolded } from "../../src/layers/options/policy-folds.ts";
import { quantile } from "../../src/measure/quantile.ts";
import { readCorpus } from "./corpus.ts";
import { ARTIFACT_PATH, addResult, type FoldRow, hintOf, isFolded, renderFoldTable } from "./fold-table.ts";
import { listUsedResults, type UsedResult } from "./fold-usage.ts";

const TIMED_CHARACTERS = 100_000;
const TIMED_PER_KIND = 10;
const WARM_UPS = 4;
const ROUNDS = 12;
const LIMIT_MS = 3;

interface Timed {
  readonly text: string;
  readonly hint: Hint;
}

export async function run(): Promise<void> {
  const rows = new Map<string, FoldRow>();
  const timed = new Map<string, Timed[]>();
  let results = 0;
  let exact = 0;
  for await (const { recording } of readCorpus()) {
    for (const result of listUsedResults(recording)) {
      results++;
      if (isExact(result.text)) exact++;
      if (!isFolded(result)) continue;
      const { kind } = addResult(rows, result);
      const ofKind = timed.get(kind) ?? [];
      timed.set(kind, ofKind);
      if (ofKind.length < TIMED_PER_KIND) ofKind.push(lengthen(result));
    }
  }
  if (results === 0) return console.log("no recorded sessions beside the project: nothing to fold");
  const folded = rows.get("all")?.results ?? 0;
  console.log(`${results} tool results, ${folded} folded; round trip byte-exact: ${exact} of ${results}\n`);
  console.log(renderFoldTable(rows));
  timeFolding([...timed.values()].flat());
}

/** Through the readable file and the bytes on disk, and back. */
function isExact(output: string): boolean {
  const file = renderArtifactFile({ tool: "Bash", generated: "2026-01-02T03:04:05.678Z", command: "x", output });
  const back = decodeUtf8(encodeUtf8(file));
  return back?.split("\n").slice(ARTIFACT_HEADER_LINES).join("\n") === output;
}

/** Repeated up to 100,000 characters, as a parser would hand it over: a rope would be flattened at the first look, on our time. */
function lengthen(result: UsedResult): Timed {
  const whole = `${result.text}\n`.repeat(Math.ceil(TIMED_CHARACTERS / result.text.length)).slice(0, TIMED_CHARACTERS);
  const text: unknown = JSON.parse(JSON.stringify(whole));
  return { text: String(text), hint: hintOf(result) };
}

/** The platform's hash, as an entry point in Node has it, or ours, as inside a worker without one. */
const HASHES = {
  native: (text: string): string | undefined => createHash("sha256").update(text).digest("hex"),
  ours: (): string | undefined => undefined,
};

interface Taken {
  readonly wallMs: number;
  /** Of all threads of the process: what the machine's other programs hardly move. */
  readonly cpuMs: number;
}

/**
 * Other programs share the machine, so a loop that does nothing but count runs between the folds: its own p95 over its own
 * median is what the machine adds. Processor time leaves most of that out.
 */
function timeFolding(all: readonly Timed[]): void {
  const times = { native: all.map((): Taken[] => []), ours: all.map((): Taken[] => []) };
  const loops: Taken[] = [];
  collectGarbage();
  for (let round = -WARM_UPS; round < ROUNDS; round++) {
    for (const [index, { text, hint }] of all.entries()) {
      for (const name of ["native", "ours"] as const) {
        const taken = take(() => {
          mayBeFolded(text);
          foldOutput(text, hint, { path: ARTIFACT_PATH, sha256: HASHES[name](text) });
        });
        if (round >= 0) times[name][index]?.push(taken);
      }
      const loop = take(countUp);
      if (round >= 0) loops.push(loop);
    }
  }
  console.log(`\n100 KB, ${all.length} texts of all kinds: plan, kind, preview and hash in at most ${LIMIT_MS} ms`);
  for (const name of ["native", "ours"] as const) showTaken(`all folds, hash ${name}`, times[name].flat());
  for (const name of ["native", "ours"] as const)
    showTaken(`each text by its median, hash ${name}`, times[name].map(takeMedian));
  showTaken("the empty loop between them", loops);
}

function take(work: () => unknown): Taken {
  const cpu = process.cpuUsage();
  const started = performance.now();
  work();
  const wallMs = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1000 };
}

function takeMedian(own: readonly Taken[]): Taken {
  const median = (values: readonly number[]): number => quantile(values, 0.5) ?? 0;
  return { wallMs: median(own.map(({ wallMs }) => wallMs)), cpuMs: median(own.map(({ cpuMs }) => cpuMs)) };
}

function showTaken(what: string, taken: readonly Taken[]): void {
  const show = (values: readonly number[]): string =>
    `median ${quantile(values, 0.5)?.toFixed(2)}, p95 ${quantile(values, 0.95)?.toFixed(2)}`;
  const [wall, cpu] = [show(taken.map(({ wallMs }) => wallMs)), show(taken.map(({ cpuMs }) => cpuMs))];
  console.log(`${what}: ${wall} ms; on the processor ${cpu} ms`);
}

/** About two milliseconds of nothing; its result is asked for, so that it is not left out. */
function countUp(): number {
  let counted = 0;
  for (let step = 0; step < 1_300_000; step++) counted = (counted * 31 + step) | 0;
  return counted;
}

/** What reading the sessions left behind is not folding's to clear away. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
}
