/**
 * One PostToolUse of the command hooks, from start to end of its process, as CPU time next to an empty Node: with a small result,
 * with a window that is heavy enough to be spoken of, with a large result that is folded; and, with nothing remembered of
 * earlier events, next to a transcript of 1 MB and one of 1 GB.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { appendExchanges, writeTranscript } from "./synthetic-transcript.ts";

const ROUNDS = 40;
const LARGE_BYTES = 100_000;

export function run(): void {
  const root = mkdtempSync(path.join(tmpdir(), "plimsoll-bench-"));
  try {
    const plugin = path.join(root, "plugin");
    mkdirSync(plugin);
    execFileSync(process.execPath, ["scripts/build-plugins.mjs", "--classic", plugin]);
    const hook = path.join(plugin, "dist/hook.cjs");
    const small = prepare(root, { name: "small", transcriptBytes: 1e6, output: "ok\n" });
    const heavy = prepare(root, { name: "heavy", transcriptBytes: 1e6, output: "ok\n", exchangeInWindow: 110 });
    const large = prepare(root, { name: "large", transcriptBytes: 1e6, output: renderLog(LARGE_BYTES) });
    const long = prepare(root, { name: "long", transcriptBytes: 1e9, output: "ok\n" });
    const words = [hook, "PostToolUse"];
    const times = measureInterleaved({
      empty: () => measureCpu(["-e", "0"], small),
      small: () => measureCpu(words, small),
      heavy: () => measureCpu(words, heavy),
      folded: () => measureCpu(words, forget(large)),
      first: () => measureCpu(words, forget(small)),
      long: () => measureCpu(words, forget(long)),
    });
    report(times);
    for (const name of readdirSync(path.dirname(hook)))
      console.log(`${name}: ${(statSync(path.join(path.dirname(hook), name)).size / 1000).toFixed(0)} KB`);
  } finally {
    rmSync(root, { recursive: true });
  }
}

const CANDIDATES = ["empty", "small", "heavy", "folded", "first", "long"] as const;
type Candidate = (typeof CANDIDATES)[number];
type Times = Readonly<Record<Candidate, number>>;

function report({ empty, small, heavy, folded, first, long }: Times): void {
  const show = (ms: number): string => `${ms.toFixed(1)} ms, ${(ms / empty).toFixed(2)} times an empty Node`;
  console.log(`empty Node: ${empty.toFixed(1)} ms of CPU (mean of the middle half of ${ROUNDS} rounds)`);
  console.log(`PostToolUse, small result: ${show(small)} (at most 1.25)`);
  console.log(`PostToolUse, small result, window at YELLOW: ${show(heavy)}`);
  console.log(`PostToolUse, ${LARGE_BYTES / 1000} KB folded and stored: ${show(folded)}`);
  console.log(`PostToolUse, nothing remembered, transcript of 1 MB: ${show(first)}`);
  console.log(
    `PostToolUse, nothing remembered, transcript of 1 GB: ${show(long)}; ratio ${(long / first).toFixed(2)} (at most 1.1)`,
  );
}

interface Subject {
  readonly input: string;
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
}

interface Draft {
  readonly name: string;
  readonly transcriptBytes: number;
  readonly output: string;
  /** How far the window of 150 exchanges has filled at the end of the transcript. */
  readonly exchangeInWindow?: number;
}

function prepare(root: string, { name, transcriptBytes, output, exchangeInWindow = 10 }: Draft): Subject {
  const home = path.join(root, name, "home");
  const project = path.join(root, name, "project");
  const transcript = path.join(home, ".claude/projects/p/11111111-1111-1111-1111-111111111111.jsonl");
  for (const folder of [path.dirname(transcript), project]) mkdirSync(folder, { recursive: true });
  const next = writeTranscript(transcript, Math.min(transcriptBytes, 1e6));
  const sample = readFileSync(transcript);
  for (let bytes = sample.length; bytes < transcriptBytes; bytes += sample.length) appendFileSync(transcript, sample);
  appendExchanges(transcript, Math.ceil(next / 150) * 150 + exchangeInWindow, 1);
  const input = path.join(root, name, "event.json");
  writeFileSync(
    input,
    JSON.stringify({
      session_id: "11111111-1111-1111-1111-111111111111",
      transcript_path: transcript,
      cwd: project,
      tool_name: "Bash",
      tool_use_id: "toolu_bench",
      tool_input: { command: "make" },
      tool_response: { stdout: output, stderr: "", interrupted: false, isImage: false },
    }),
  );
  const env = { PATH: process.env.PATH ?? "", HOME: home, CLAUDE_PROJECT_DIR: project };
  return { input, data: path.join(home, ".claude/data"), env };
}

/** Without what earlier events left behind: the next one looks at as much of the transcript as it ever does. */
function forget(subject: Subject): Subject {
  rmSync(subject.data, { recursive: true, force: true });
  return subject;
}

function measureCpu(words: readonly string[], { input, env }: Subject): number {
  const line = [process.execPath, ...words].map((word) => `'${word}'`).join(" ");
  const { stderr, status } = spawnSync("bash", ["-c", `TIMEFORMAT='%3U %3S'; time ${line} < '${input}' > /dev/null`], {
    env,
    encoding: "utf8",
  });
  const seconds = stderr.trim().split(/\s+/).map(Number);
  if (status !== 0 || seconds.length !== 2) throw new Error(`the hook failed: ${stderr}`);
  return 1000 * seconds.reduce((sum, part) => sum + part, 0);
}

/** The shell counts whole milliseconds: the mean of the middle half says more than a median of them. */
function measureInterleaved(candidates: Readonly<Record<Candidate, () => number>>): Times {
  const times: Record<Candidate, number[]> = { empty: [], small: [], heavy: [], folded: [], first: [], long: [] };
  for (let round = 0; round < ROUNDS; round++) for (const name of CANDIDATES) times[name].push(candidates[name]());
  const middle = (name: Candidate): number => {
    const sorted = times[name].sort((left, right) => left - right).slice(ROUNDS / 4, (ROUNDS * 3) / 4);
    return sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  };
  return {
    empty: middle("empty"),
    small: middle("small"),
    heavy: middle("heavy"),
    folded: middle("folded"),
    first: middle("first"),
    long: middle("long"),
  };
}

function renderLog(bytes: number): string {
  let text = "";
  for (let index = 0; text.length < bytes; index++)
    text += `2026-11-15T05:${String(index % 60).padStart(2, "0")}:00Z INFO module${index % 50} handled request ${index * 7919} in ${index % 500} ms for /api/v1/things/${index % 9973}\n`;
  return text.slice(0, bytes);
}
