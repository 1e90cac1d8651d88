import { hashText } from "../core/hash.ts";
import type { JsonObject } from "../core/json.ts";
import { isDeeperThan, MAX_DEPTH } from "../core/json-depth.ts";
import type { OpenTranscript } from "./host.ts";
import { emptyTally, type LineTally, type TranscriptEntry } from "./transcript-entry.ts";

export interface Whole {
  readonly entries: readonly TranscriptEntry[];
  readonly tally: LineTally;
}

/** A session that is kept whole and not line by line: where it has changed, all of it is told again. */
export function openWhole(read: () => JsonObject, parse: (session: JsonObject) => Whole): OpenTranscript {
  let known = "";
  let told: Whole = { entries: [], tally: emptyTally };
  return {
    read(sink) {
      const session = read();
      const mark = isDeeperThan(MAX_DEPTH, session) ? "" : hashText(JSON.stringify(session));
      if (mark !== known) {
        if (known !== "") sink.onRestart?.();
        known = mark;
        told = mark === "" ? { entries: [], tally: emptyTally } : parse(session);
        for (const entry of told.entries) sink.onEntry(entry);
      }
      return { tally: told.tally, unfinishedBytes: 0 };
    },
  };
}
