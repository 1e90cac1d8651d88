import { isObject, objectField } from "../../../core/json.ts";
import type { Engine } from "../engine.ts";
import type { Live } from "../live.ts";
import { type EngineMessage, weighMessage } from "./compaction-event.ts";

/** Tokens of the last request; an estimate if the engine does not know. */
export async function readContextTokens($: Engine, live: Live, messages: readonly EngineMessage[]): Promise<number> {
  // In a session that was just resumed we have seen no request yet.
  const measured = live.watch.contextTokens() ?? readUsage(await $.session.usage().catch(() => undefined));
  return Math.round(measured ?? messages.reduce((sum, row) => sum + weighMessage(row), live.watch.baseTokens()));
}

export function readUsage(usage: unknown): number | undefined {
  const tokens = isObject(usage) ? objectField(usage, "context")?.tokens : undefined;
  return typeof tokens === "number" && tokens > 0 ? tokens : undefined;
}
