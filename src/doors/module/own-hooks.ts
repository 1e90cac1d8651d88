import type { JsonObject } from "../../core/json.ts";
import { isObject, listField, textField } from "../../core/json-fields.ts";
import type { EngineNext } from "./engine.ts";
import type { Live } from "./live.ts";

/**
 * Lets the person's own PreCompact hooks run, which the engine starts only on its own way to a summary. Asked to compact one
 * message it runs them, finds too little to summarise and says so without a request (2.1.325, `/compact` and automatic). What
 * they answer stands: a hook that blocks the compaction blocks ours.
 */
export async function runOwnHooks(live: Live, e: JsonObject, next: EngineNext): Promise<{ skip: string } | undefined> {
  const messages = listField(e, "messages").slice(0, 1);
  if (!live.runsOwnHooks || messages.length === 0) return undefined;
  const answered = await next({ ...e, messages }).catch(() => undefined);
  if (!isObject(answered)) return undefined;
  const skip = textField(answered, "skip");
  if (skip !== "") return { skip };
  // A client that summarises even this: once is enough.
  live.runsOwnHooks = false;
  live.journal.note("session.compact", {
    kind: "declined",
    what: "PreCompact hooks",
    why: "this client made a summary of one message when it was asked to run them; they do not run while Plimsoll answers",
  });
  return undefined;
}
