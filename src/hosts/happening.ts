import type { SessionEvent } from "../core/event.ts";
import type { Message } from "../core/message.ts";
import { createMeter, type Meter, type MeterState } from "../measure/meter.ts";
import type { Vocabulary } from "../session/action.ts";
import { createSession, type SessionState } from "../session/session.ts";
import { createTrail, type TrailState } from "../survive/record/trail.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";

/** What happened in a session and its size, as plain data from which another process can continue. */
export interface TrackedState {
  readonly session: SessionState;
  readonly trail: TrailState;
  readonly meter: MeterState;
}

interface Trackers {
  feed(event: SessionEvent): void;
  state(): TrackedState;
  /** Separate, for a load that is measured but no part of what happened. */
  readonly meter: Meter;
}

/** Everything that follows a session's events, fed in one place: transcripts and a running client give the same. */
export function createTrackers(vocabulary: Vocabulary, saved?: Partial<TrackedState>): Trackers {
  const session = createSession(vocabulary, saved?.session);
  const trail = createTrail(vocabulary, saved?.trail);
  const meter = createMeter(saved?.meter);
  return {
    feed(event) {
      session.feed(event);
      trail.feed(event);
      meter.feed(event);
    },
    state: () => ({ session: session.state(), trail: trail.state(), meter: meter.state() }),
    meter,
  };
}

export interface HappeningState extends TrackedState {
  readonly version: string;
}

/** Of a long transcript that is read for the first time only the end is used: an event has seconds, not minutes. */
export const MAX_FIRST_BYTES: number = 32 << 20;

/** Follows a session's own transcript in the order of its lines; subagents' lines in it are not its conversation. */
export function createHappening(vocabulary: Vocabulary, saved?: HappeningState) {
  const trackers = createTrackers(vocabulary, saved);
  let version = saved?.version ?? "";
  return {
    feed(entry: TranscriptEntry): void {
      version = entry.version || version;
      if (entry.uuid === "" || entry.isSidechain) return;
      for (const event of entry.events) trackers.feed(event);
    },
    state: (): HappeningState => ({ ...trackers.state(), version }),
  };
}

/** A conversation as events, without times and usage, to find out what happened in it. */
export function toMessageEvents(messages: readonly Message[]): readonly SessionEvent[] {
  return messages.flatMap(({ id: origin, role, blocks }): readonly SessionEvent[] => {
    const situated = { origin, atMs: undefined };
    if (role !== "assistant")
      return blocks.map((block) => {
        const source = block.kind === "toolResult" ? "toolResult" : isOfHost(block) ? "reminder" : "prompt";
        return { kind: "arrival", ...situated, source, label: source, role, block, detail: undefined };
      });
    const isTurnEnd = !blocks.some(({ kind }) => kind === "toolCall");
    const unknown = { model: "", usage: undefined, isOutputFinal: false };
    return [{ kind: "output", ...situated, stepId: origin, ...unknown, isTurnEnd, blocks }];
  });
}

function isOfHost(block: Message["blocks"][number]): boolean {
  return block.kind === "opaque" || (block.kind === "text" && block.author !== "person");
}
