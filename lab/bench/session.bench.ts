/** The session's state: from scratch on recorded sessions and on made-up ones of 1, 10 and 100 MB, and after ten new events. */
import { statSync } from "node:fs";
import path from "node:path";
import type { SessionEvent } from "../../src/core/event.ts";
import { readRecording } from "../../src/hosts/claude-code/disk/read-meter.ts";
import { selectMainChain } from "../../src/hosts/claude-code/main-chain.ts";
import { createTranscriptReader } from "../../src/hosts/claude-code/transcript-reader.ts";
import { claudeCodeVocabulary } from "../../src/hosts/claude-code/vocabulary.ts";
import { createSession, type Session, type SessionState } from "../../src/session/session.ts";
import { listCorpus } from "./corpus.ts";
import { median } from "./measure.ts";
import { renderWorkExchange } from "./synthetic-transcript.ts";

const LIMIT_MS = 150;
const ROUNDS = 9;
/** Recorded files are cut at 4 MiB: these are as long as they come. */
const LONG_BYTES = 3.5e6;

export function run(): void {
  runRecorded();
  const grown = [1, 10, 100].map(measureMade);
  const [small, , large] = grown;
  if (small && large)
    console.log(`ten new events at 100 MB beside 1 MB: ratio ${(large.updateMs / small.updateMs).toFixed(2)}`);
}

function runRecorded(): void {
  const files = listCorpus().filter((file) => statSync(file).size > LONG_BYTES);
  if (files.length === 0) console.log("no recorded sessions here");
  for (const file of files) {
    const events = selectMainChain(readRecording(file).entries).flatMap((entry) => entry.events);
    const times = Array.from({ length: ROUNDS }, () => timeCpu(() => followAll(events)));
    const megabytes = (statSync(file).size / 1e6).toFixed(1);
    const name = path.basename(file).slice(0, 8);
    console.log(
      `${name}, ${megabytes} MB: ${median(times).toFixed(0)} ms of CPU from scratch, first ${(times[0] ?? 0).toFixed(0)} ms (limit ${LIMIT_MS})`,
    );
  }
}

function followAll(events: readonly SessionEvent[]): SessionState {
  const session = createSession(claudeCodeVocabulary);
  feedAll(session, events);
  return session.state();
}

function feedAll(session: Session, events: readonly SessionEvent[]): void {
  for (const event of events) session.feed(event);
}

/** Line by line, so that nothing but the state is kept; only the session's own time is counted. */
function measureMade(megabytes: number): { readonly updateMs: number } {
  const reader = createTranscriptReader();
  const session = createSession(claudeCodeVocabulary);
  let bytes = 0;
  let exchange = 0;
  let feedMs = 0;
  while (bytes < megabytes * 1e6) {
    const events: SessionEvent[] = [];
    while (events.length < 2000 && bytes < megabytes * 1e6) {
      const text = renderWorkExchange(exchange++);
      bytes += text.length;
      for (const line of text.split("\n")) events.push(...(reader.read(line)?.events ?? []));
    }
    feedMs += timeCpu(() => feedAll(session, events));
  }
  const saved = JSON.stringify(session.state());
  const further = Array.from({ length: 5 }, (_, index) => renderWorkExchange(exchange + index)).flatMap((text) =>
    text.split("\n").flatMap((line) => reader.read(line)?.events ?? []),
  );
  const updateMs = median(Array.from({ length: 21 }, () => timeCpu(() => update(saved, further))));
  const feedOnlyMs = median(
    Array.from({ length: 21 }, () => {
      const resumed = createSession(claudeCodeVocabulary, parseState(saved));
      return timeCpu(() => feedAll(resumed, further));
    }),
  );
  console.log(
    `${megabytes} MB, ${exchange} exchanges: ${feedMs.toFixed(0)} ms of CPU, ${(feedMs / megabytes).toFixed(1)} ms/MB; state ${(saved.length / 1e3).toFixed(0)} KB; ten new events ${feedOnlyMs.toFixed(2)} ms, with parsing and writing the state ${updateMs.toFixed(1)} ms`,
  );
  return { updateMs };
}

function update(saved: string, events: readonly SessionEvent[]): string {
  const session = createSession(claudeCodeVocabulary, parseState(saved));
  feedAll(session, events);
  return JSON.stringify(session.state());
}

function parseState(saved: string): SessionState {
  return JSON.parse(saved);
}

/** CPU time of this process: on a shared machine the clock on the wall measures the neighbours. */
function timeCpu(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
