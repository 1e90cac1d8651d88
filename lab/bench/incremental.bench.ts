/** After ten new lines: a transcript of 1 GB next to one of 1 MB, from the saved state on disk to the saved state on disk. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type MeteredTranscript, readMeter } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { median, timeInterleaved } from "./measure.ts";
import { appendExchanges, writeTranscript } from "./synthetic-transcript.ts";

const ROUNDS = 41;

export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-bench-"));
  try {
    const small = prepare(folder, "small", 1e6);
    const large = prepare(folder, "large", 1e9);
    const times = await timeInterleaved({ small: () => update(small), large: () => update(large) }, ROUNDS);
    const [smallMs, largeMs] = [median(times.small), median(times.large)];
    console.log(
      `update after 10 new lines: 1 MB ${smallMs.toFixed(2)} ms, 1 GB ${largeMs.toFixed(2)} ms, ratio ${(largeMs / smallMs).toFixed(2)} (at most 1.2)`,
    );
    console.log(
      `first reading of 1 GB: ${(large.firstMs / 1000).toFixed(1)} s, ${(1e6 / large.firstMs).toFixed(0)} MB/s; saved state ${readFileSync(large.state).length} bytes`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Subject {
  readonly file: string;
  readonly state: string;
  readonly firstMs: number;
  next: number;
}

function prepare(folder: string, name: string, bytes: number): Subject {
  const file = path.join(folder, `${name}.jsonl`);
  const state = path.join(folder, `${name}.json`);
  const next = writeTranscript(file, bytes);
  const started = performance.now();
  writeFileSync(state, JSON.stringify(readMeter(file).transcript));
  return { file, state, next, firstMs: performance.now() - started };
}

/** Five exchanges are ten lines. Appending is the client's work, but small and the same for both. */
function update(subject: Subject): void {
  appendExchanges(subject.file, subject.next, 5);
  subject.next += 5;
  const saved = JSON.parse(readFileSync(subject.state, "utf8")) as MeteredTranscript;
  const { transcript, restart } = readMeter(subject.file, saved);
  if (restart !== undefined) throw new Error(`the reading started over: ${restart}`);
  writeFileSync(subject.state, JSON.stringify(transcript));
}
