import { planStateSave } from "../../survive/project-state/plan-state-save.ts";
import { toStateSave } from "../../survive/project-state/to-state-save.ts";
import type { Engine } from "./engine.ts";
import type { Live } from "./live.ts";
import { readStateFiles, writeStateFiles } from "./project-files.ts";

/** What the next session of this project must know, into its `.plimsoll/`. A failure is noted and costs nothing else. */
export async function saveProject($: Engine, { root, watch, journal }: Live): Promise<void> {
  const nowMs = Date.now();
  try {
    const { texts, unreadable } = await readStateFiles($, root);
    const plan = planStateSave(texts, toStateSave(watch.happened()), nowMs);
    await writeStateFiles($, root, { plan, unreadable }, nowMs);
  } catch (error) {
    journal.note("session.compact", {
      kind: "failed",
      why: `the project's state could not be saved: ${String(error)}`,
    });
  }
}
