import type { SessionEvent } from "../core/event.ts";
import { createMeter, emptyMeter, type MeterState } from "../measure/meter.ts";
import { createRecording, type Recording } from "../measure/recording.ts";
import type { EntriesRead, Host } from "./host.ts";
import { emptyEntry, type TranscriptEntry } from "./transcript-entry.ts";
import { type Accounts, createAccounts } from "./usage.ts";

export interface TranscriptReading extends EntriesRead {
  readonly host: Host;
  readonly transcript: MeasuredSession;
  readonly accounts: Accounts;
}

/** What a transcript says, without what is measured of it. */
export interface RecordedContents extends EntriesRead {
  readonly host: Host;
  readonly entries: readonly TranscriptEntry[];
  readonly events: readonly SessionEvent[];
  readonly recording: Recording;
}

export interface RecordedSession extends TranscriptReading, RecordedContents {}

/** A transcript that is read repeatedly: each reading costs only what was added since, and nothing is decoded twice. */
export interface Followed<View extends TranscriptReading> {
  /** The same object as before if nothing was added. */
  read(): View;
}

/** For callers that measure by themselves. */
export function readTranscript(host: Host, path: string): RecordedContents {
  const entries: TranscriptEntry[] = [];
  const read = host.openTranscript(path).read({ onEntry: (entry) => void entries.push(entry) });
  return { host, ...read, ...describe(host, entries) };
}

function describe(host: Host, entries: readonly TranscriptEntry[]) {
  const events = host.selectConversation(entries).flatMap((entry) => entry.events);
  return { entries, events, recording: createRecording(events) };
}

/** In bounded memory, for files of any size. */
export function followMeasures(host: Host, path: string): Followed<TranscriptReading> {
  return follow(host, path, (reading) => reading);
}

/** Keeps the contents in memory, about four times the bytes of the file; or, in bounded memory, those of the last window alone. */
export function followSession(
  host: Host,
  path: string,
  { isLastWindow = false }: { readonly isLastWindow?: boolean } = {},
): Followed<RecordedSession> {
  let held: TranscriptEntry[] = [];
  return follow(host, path, (reading) => ({ ...reading, ...describe(host, [...held]) }), {
    hold: (entry) => {
      if (isLastWindow) held = keepAtCompaction(held, entry);
      held.push(entry);
    },
    drop: () => (held = []),
  });
}

/** Of what came before a compaction: the first request, which shows the size of the system prompt, other compactions, and what it kept. */
function keepAtCompaction(held: TranscriptEntry[], { events, isSidechain }: TranscriptEntry): TranscriptEntry[] {
  const compaction = events.find((event) => event.kind === "compaction");
  if (!compaction || isSidechain) return held;
  const kept = new Set(compaction.preserved);
  const first = held.findIndex((entry) => !entry.isSidechain && entry.events.some(({ kind }) => kind === "output"));
  return held.filter(
    (entry, index) =>
      index <= first || entry.events.some(({ kind, origin }) => kind === "compaction" || kept.has(origin)),
  );
}

function follow<View extends TranscriptReading>(
  host: Host,
  path: string,
  view: (reading: TranscriptReading) => View,
  contents?: { hold(entry: TranscriptEntry): void; drop(): void },
): Followed<View> {
  const file = host.openTranscript(path);
  let measurer = createMeasurer();
  let accounts = createAccounts();
  let current: View | undefined;
  return {
    read() {
      let isChanged = false;
      const read = file.read({
        onRestart: () => {
          measurer = createMeasurer();
          accounts = createAccounts();
          contents?.drop();
          isChanged = true;
        },
        onEntry: (entry) => {
          measurer.feed(entry);
          accounts.follow(entry);
          contents?.hold(entry);
          isChanged = true;
        },
      });
      const isSame = current?.tally.lines === read.tally.lines && current.unfinishedBytes === read.unfinishedBytes;
      if (current && isSame && !isChanged) return current;
      const { tally, unfinishedBytes } = read;
      current = view({ host, tally, unfinishedBytes, transcript: measurer.state(), accounts: accounts.close() });
      return current;
    },
  };
}

/** A measured transcript and its identity: bounded data, whatever the file's size. */
export interface MeasuredSession extends Pick<TranscriptEntry, "sessionId" | "version" | "cwd" | "title"> {
  readonly meter: MeterState;
  /** A subagent's own file has side-chain lines only; until a main line is seen they count as the conversation. */
  readonly lane: "undecided" | "main" | "side";
}

export function createMeasurer(saved: MeasuredSession = { ...emptyEntry, meter: emptyMeter, lane: "undecided" }) {
  let meter = createMeter(saved.meter);
  let { lane, sessionId, version, cwd, title } = saved;
  return {
    feed(entry: TranscriptEntry): void {
      sessionId = entry.sessionId || sessionId;
      version = entry.version || version;
      cwd = entry.cwd || cwd;
      title = entry.title || title;
      if (entry.uuid === "") return;
      if (lane === "undecided" || (lane === "side" && !entry.isSidechain)) {
        // Side-chain lines before the first main line were not the conversation after all.
        if (lane === "side") meter = createMeter();
        lane = entry.isSidechain ? "side" : "main";
      }
      if (entry.isSidechain !== (lane === "side")) return;
      for (const event of entry.events) meter.feed(event);
    },
    state: (): MeasuredSession => ({ meter: meter.state(), lane, sessionId, version, cwd, title }),
  };
}
