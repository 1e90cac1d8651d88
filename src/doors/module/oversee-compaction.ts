import type { JsonObject } from "../../core/json.ts";
import { isObject, textField } from "../../core/json-fields.ts";
import { answerCompaction } from "./compact.ts";
import type { Engine, EngineNext } from "./engine.ts";
import { hideEchoes } from "./hidden-echo.ts";
import { raise } from "./line.ts";
import type { Live } from "./live.ts";
import { runOwnHooks } from "./own-hooks.ts";
import { showStatus } from "./status.ts";
import { restSteering } from "./steer.ts";
import { unlistRecord } from "./unlisted-record.ts";

/** A compaction as the person sees it: their own hooks first, then the answer; `settle-compaction.ts` says what it came to. */
export async function overseeCompaction($: Engine, live: Live, e: JsonObject, next: EngineNext): Promise<unknown> {
  // A subagent's compaction and one that is kept for later are nobody's to see.
  if (textField(e, "agentId") !== "" || e.trigger === "precompute") return answerCompaction($, live, e, next);
  const isOurs = live.settings.compaction !== "native";
  const veto = isOurs ? await runOwnHooks(live, e, next) : undefined;
  if (veto !== undefined) {
    // Brought about again before every request it would be refused again, and each time on the screen.
    if (e.trigger !== "manual") live.steering.isOn = false;
    live.journal.note("session.compact", { kind: "declined", what: "compaction", why: veto.skip });
    await raise($, live);
    return veto;
  }
  const startMs = live.nowMs();
  // A handler of failures would be given what the client said when it ran the person's hooks, so the client is asked here.
  const answered = isOurs ? await tryAnswer($, live, e, next) : await answerCompaction($, live, e, next);
  if (answered === undefined) return next(e);
  if (!isObject(answered) || !Array.isArray(answered.messages)) return answered;
  const messages = hideEchoes(unlistRecord(answered.messages));
  live.watch.compacted(startMs);
  live.afterTokens = isOurs ? live.pending?.expectedTokens : undefined;
  live.screen.told(messages);
  restSteering(live);
  showStatus($, live);
  return { ...answered, messages };
}

/** Answered by us; `undefined` where that failed. */
async function tryAnswer($: Engine, live: Live, e: JsonObject, next: EngineNext): Promise<unknown> {
  try {
    return await answerCompaction($, live, e, next);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    live.journal.note("session.compact", { kind: "failed", why });
    void live.journal.flush();
    return undefined;
  }
}
