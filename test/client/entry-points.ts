import type { Scenario } from "../api/scenario.ts";
import { BRISK } from "../api/stream-events.ts";
import { some } from "../support/depth.ts";
import type { ClientVersion } from "./fetch-client.ts";
import { PLUGIN, PLUGIN_CLASSIC, type Play, type PlayOptions, play } from "./play.ts";

/** An entry point inside a client: what `plimsoll install` gives that client. */
export interface EntryPoint {
  readonly name: "module" | "hooks";
  readonly version: ClientVersion;
  readonly plugins: readonly string[];
}

/**
 * What both do alike is shown in the newest client every time, and in both by the deep run. What the hooks alone do is in the files named
 * `classic`; their events have tests next to their source.
 */
export const ENTRY_POINTS: readonly EntryPoint[] = some(1, [
  { name: "module", version: "2.1.325", plugins: [PLUGIN] },
  { name: "hooks", version: "2.1.197", plugins: [PLUGIN_CLASSIC] },
]);

/** A session of an entry point's own client; every run of it goes through that entry point. */
export async function openEntryPoint(
  { version, plugins }: EntryPoint,
  scenario: Scenario,
  settings?: Readonly<Record<string, unknown>>,
): Promise<Play> {
  const session = await play({ pace: BRISK, ...scenario }, settings);
  return { ...session, run: (options: PlayOptions) => session.run({ version, plugins, ...options }) };
}
