import { isObject, type JsonObject, listField, textField } from "../../../core/json.ts";
import type { CarryOn, ClientPort } from "../client-port.ts";
import { raise } from "../line.ts";
import type { Live } from "../live.ts";
import { showStatus } from "../status.ts";
import { compactAgent } from "./agent-window.ts";
import { handleCompaction } from "./compact.ts";
import { toHanded } from "./rewound.ts";
import { restSteering } from "./steer.ts";

/** A compaction as the person sees it: their own hooks first, then the answer; `settle-compaction.ts` reports the result. */
export async function overseeCompaction($: ClientPort, live: Live, e: JsonObject, next: CarryOn): Promise<unknown> {
  const isOurs = live.settings.compaction !== "native";
  // A subagent's compaction and a precomputed one are not shown.
  const ofAgent = textField(e, "agentId") !== "";
  if (ofAgent && !isOurs) return next(e);
  if (e.trigger === "precompute") return handleCompaction($, live, e, next);
  const veto = isOurs ? await runOwnHooks(live, e, next) : undefined;
  if (ofAgent) return veto ?? (await tryAnswer(live, () => compactAgent($, live, e, next))) ?? next(e);
  if (veto !== undefined) {
    // If it stayed on, it would be started and refused before every request, and shown each time.
    if (e.trigger !== "manual") live.steering.isOn = false;
    live.journal.note("session.compact", { kind: "declined", what: "compaction", why: veto.skip });
    raise($, live);
    return veto;
  }
  const startMs = live.nowMs();
  // A failure handler would get what the client said when it ran the person's hooks, so the client is asked here.
  const answered = isOurs
    ? await tryAnswer(live, () => handleCompaction($, live, e, next))
    : await handleCompaction($, live, e, next);
  if (answered === undefined) return next(e);
  if (!isObject(answered) || !Array.isArray(answered.messages)) return answered;
  live.watch.compacted(startMs);
  restSteering(live);
  showStatus($, live);
  return { ...answered, messages: toHanded(answered.messages) };
}

/** Our answer; `undefined` if that failed. */
async function tryAnswer(live: Live, answer: () => Promise<unknown>): Promise<unknown> {
  try {
    return await answer();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    live.journal.note("session.compact", { kind: "failed", why });
    return undefined;
  }
}

/**
 * Runs the person's own PreCompact hooks, which the client starts only on its own way to a summary. Asked to compact one message, it runs them,
 * finds too little to summarise and says so without a request (2.1.325, `/compact` and automatic). A hook that blocks the compaction blocks ours.
 */
async function runOwnHooks(live: Live, e: JsonObject, next: CarryOn): Promise<{ skip: string } | undefined> {
  const messages = listField(e, "messages").slice(0, 1);
  if (!live.runsOwnHooks || messages.length === 0) return undefined;
  const answered = await next({ ...e, messages }).catch(() => undefined);
  if (!isObject(answered)) return undefined;
  const skip = textField(answered, "skip");
  if (skip !== "") return { skip };
  // A client that summarises even this is asked only once.
  live.runsOwnHooks = false;
  live.journal.note("session.compact", {
    kind: "declined",
    what: "PreCompact hooks",
    why: "this client wrote a summary when it was asked to run the PreCompact hooks, so Plimsoll no longer has them run when it compacts",
  });
  return undefined;
}
