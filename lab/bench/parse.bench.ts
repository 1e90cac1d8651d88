/** Whole-file reading next to plain `JSON.parse` per line, over the recorded sessions or, without them, made-up ones. */
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readAppendedLines } from "../../src/files/file-cursor.ts";
import { createTranscriptReader } from "../../src/hosts/claude-code/transcript-reader.ts";
import { hasCorpus, listCorpus } from "./corpus.ts";
import { median, timeInterleaved } from "./measure.ts";
import { writeTranscript } from "./synthetic-transcript.ts";

const ROUNDS = 7;

export async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "plimsoll-bench-"));
  try {
    const files = hasCorpus ? listCorpus() : [path.join(folder, "made-up.jsonl")];
    if (!hasCorpus) writeTranscript(files[0] ?? "", 150e6);
    const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
    const times = await timeInterleaved(
      { plain: () => files.forEach(parsePlainly), ours: () => files.forEach(parseOurs) },
      ROUNDS,
    );
    const [plain, ours] = [median(times.plain), median(times.ours)];
    const speed = (ms: number): string => `${((megabytes / ms) * 1000).toFixed(0)} MB/s`;
    console.log(
      `${files.length} files, ${megabytes.toFixed(0)} MB: plain JSON.parse per line ${speed(plain)}, whole reading ${speed(ours)} (at least 150), ${(ours / plain).toFixed(2)} times the time`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function parsePlainly(file: string): void {
  const bytes = readFileSync(file);
  for (let from = 0; from < bytes.length; ) {
    const feed = bytes.indexOf(10, from);
    const to = feed < 0 ? bytes.length : feed;
    try {
      JSON.parse(bytes.toString("utf8", from, to));
    } catch {
      // Malformed lines cost what they cost.
    }
    from = to + 1;
  }
}

function parseOurs(file: string): void {
  const reader = createTranscriptReader();
  readAppendedLines(file, { onLine: (line) => void reader.read(line), onOverlongLine: () => reader.skip() });
}
