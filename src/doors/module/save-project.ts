import { readNotes } from "../../files/project-reader.ts";
import { planStateSave } from "../../survive/project-state/plan-state-save.ts";
import { toStateSave } from "../../survive/project-state/to-state-save.ts";
import type { Engine } from "./engine.ts";
import { engineProjectFiles } from "./engine-project-files.ts";
import type { Live } from "./live.ts";
import { writeStateFiles } from "./write-state-files.ts";

/** What the next session of this project must know, into its `.plimsoll/`; why that did not work, where it did not. */
export async function saveProject($: Engine, { root, watch, journal }: Live): Promise<string | undefined> {
  const nowMs = Date.now();
  try {
    const { texts, unreadable } = await readNotes(engineProjectFiles($), root);
    const plan = planStateSave(texts, toStateSave(watch.happened()), nowMs);
    await writeStateFiles($, root, { plan, unreadable }, nowMs);
    return undefined;
  } catch (error) {
    const why = `the project's state could not be saved: ${String(error)}`;
    journal.note("session.compact", { kind: "failed", why });
    return why;
  }
}
