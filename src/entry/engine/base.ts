import { readDeferred, renewDeferral, returnToFront } from "../../hosts/claude-code/disk/deferral.ts";
import { tokenizerOf } from "../../models/tokens.ts";
import type { Live } from "./live.ts";
import type { Machine } from "./machine.ts";
import { modelOf } from "./perform.ts";

/** The tools that a new session puts behind the client's tool search. */
export function listDeferred(environment: Machine["env"], project: string): readonly string[] {
  return readDeferred(environment, project).map(({ name }) => name);
}

const renewed = new WeakMap<Live, Promise<void>>();

/** Decides once in a session, in the background, what the next one begins with. */
export function renewBase(live: Live): void {
  const { env, root, journal, settings } = live;
  if (settings.base !== "trim" || renewed.has(live)) return;
  const renewing = renewDeferral(env, root, tokenizerOf(modelOf(live))).catch((error) =>
    journal.note("base", { kind: "failed", why: error instanceof Error ? error.message : String(error) }),
  );
  renewed.set(live, renewing);
}

export async function awaitBase(live: Live): Promise<void> {
  await renewed.get(live);
}

/** The first call of a deferred tool brings it back, from the next session on: in this one its place would change the cached prefix. */
export function noteDeferredCall({ deferred, env, root }: Live, tool: string): void {
  if (deferred.has(tool)) returnToFront(env, root, tool);
}
