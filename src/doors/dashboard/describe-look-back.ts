import type { Calendar } from "../../recorded/calendar.ts";
import type { LookedAround } from "../person/look-around.ts";
import type { ReplayState } from "../person/start-replay.ts";
import { tellLimits } from "../person/tell-limits.ts";
import { tellLookBack } from "../person/tell-look-back.ts";
import type { LookBackView } from "./wire.ts";

/** The last days and the limits, in the words of the first screen in the terminal. */
export function describeLookBack(
  looked: LookedAround,
  replay: ReplayState,
  { nowMs, calendar }: { readonly nowMs: number; readonly calendar: Calendar },
): LookBackView {
  // Whoever reads the page need not run anything again: it tells how far it is by itself.
  const state = replay.status === "started" ? ({ ...replay, status: "running", share: 0 } as const) : replay;
  return { told: tellLookBack(looked, state) ?? null, limits: tellLimits(looked, nowMs, calendar) };
}
