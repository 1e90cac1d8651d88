import { createMeter, emptyMeter, type MeterState } from "../measure/meter.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";

/** A transcript as the meter tells it, and who it is: bounded data, whatever the file's size. */
export interface MeasuredSession {
  readonly meter: MeterState;
  /** A subagent's own file holds side-chain lines only; until a main line is seen they are taken for the conversation. */
  readonly lane: "undecided" | "main" | "side";
  readonly sessionId: string;
  readonly version: string;
  readonly cwd: string;
  readonly title: string;
}

export const nothingMeasured: MeasuredSession = {
  meter: emptyMeter,
  lane: "undecided",
  sessionId: "",
  version: "",
  cwd: "",
  title: "",
};

export interface Measurer {
  feed(entry: TranscriptEntry): void;
  state(): MeasuredSession;
}

/** Measures entry by entry, from where an earlier measurement stopped. */
export function createMeasurer(saved: MeasuredSession = nothingMeasured): Measurer {
  let meter = createMeter(saved.meter);
  let { lane, sessionId, version, cwd, title } = saved;
  return {
    feed(entry) {
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
    state: () => ({ meter: meter.state(), lane, sessionId, version, cwd, title }),
  };
}
