import { leaveState } from "../../files/leave-state.ts";
import type { Engine } from "./engine.ts";
import { liveProjectFiles } from "./engine-project-files.ts";
import type { Live } from "./live.ts";

/** What the next session of this project must know, into its `.plimsoll/`; why that did not work, where it did not. */
export async function saveProject($: Engine, live: Live, event = "session.compact"): Promise<string | undefined> {
  const { root: project, watch, settings, journal } = live;
  try {
    const isEnd = event === "session.end";
    const happened = watch.happened();
    await leaveState(liveProjectFiles($, live), { project, happened, settings, isEnd, nowMs: Date.now() });
    return undefined;
  } catch (error) {
    const why = `the project's state could not be saved: ${String(error)}`;
    // Its own name: the compaction or the end that it was saved at has not failed.
    journal.note("project.save", { kind: "failed", why });
    return why;
  }
}
