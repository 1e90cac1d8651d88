import { hashText } from "../../core/hash.ts";
import type { JsonObject } from "../../core/json.ts";
import { isDeeperThan, MAX_DEPTH } from "../../core/json-depth.ts";
import type { OpenTranscript } from "../host.ts";
import { emptyTally } from "../transcript-entry.ts";
import { type Conversation, parseConversation } from "./parse-conversation.ts";

/** A session that is kept whole and not line by line: where it has changed, all of it is told again. */
export function openConversation(read: () => JsonObject): OpenTranscript {
  let known = "";
  let told: Conversation = { entries: [], tally: emptyTally };
  return {
    read(sink) {
      const exported = read();
      const mark = isDeeperThan(MAX_DEPTH, exported) ? "" : hashText(JSON.stringify(exported));
      if (mark !== known) {
        if (known !== "") sink.onRestart?.();
        known = mark;
        told = parseConversation(exported);
        for (const entry of told.entries) sink.onEntry(entry);
      }
      return { tally: told.tally, unfinishedBytes: 0 };
    },
  };
}
