import { readFileSync } from "node:fs";
import path from "node:path";
import { readSession } from "../../../src/hosts/catalogue.ts";
import { claudeCode } from "../../../src/hosts/claude-code/host.ts";
import { createTranscriptReader } from "../../../src/hosts/claude-code/transcript-reader.ts";
import type { RecordedSession } from "../../../src/hosts/follow-transcript.ts";
import { createSession } from "../../../src/session/session.ts";
import type { Happened } from "../../../src/survive/record/continuation.ts";
import { createTrail } from "../../../src/survive/record/trail.ts";
import { CORPUS } from "../corpus.ts";

/** A recorded session as it stood after one of its lines. */
export interface Cut {
  /** The number by which labels name it. */
  readonly k: number;
  /** Below the folder of the recordings, or `../hosts/` for a recording of another client. */
  readonly file: string;
  /** The last line that had been written, from 0; of another client the last event. */
  readonly cutLine: number;
  /** Rules are made on one half of the repositories; the other is opened only to judge them. */
  readonly half: number;
}

/** What had happened by then, read as every entry point reads it. */
export function readCut(cut: Pick<Cut, "file" | "cutLine">): Happened {
  const { host, events } = readEvents(cut);
  const session = createSession(host.vocabulary);
  const trail = createTrail(host.vocabulary);
  for (const event of events) {
    session.feed(event);
    trail.feed(event);
  }
  return { state: session.state(), trail: trail.state() };
}

function readEvents({ file, cutLine }: Pick<Cut, "file" | "cutLine">): Pick<RecordedSession, "host" | "events"> {
  const recording = path.join(CORPUS, file);
  if (file.startsWith("../")) {
    const { host, events } = readSession(recording);
    return { host, events: events.slice(0, cutLine + 1) };
  }
  const reader = createTranscriptReader();
  const lines = readFileSync(recording, "utf8").split("\n");
  const entries = lines.slice(0, cutLine + 1).flatMap((line) => reader.read(line) ?? []);
  return { host: claudeCode, events: claudeCode.selectConversation(entries).flatMap(({ events }) => events) };
}
