import { textField } from "../../../core/json.ts";
import { readNotes } from "../../../files/project-reader.ts";
import { ANEW, quoteBreak, renderReturn } from "../../../measure/quote-return.ts";
import { renderDensityReminder } from "../../../policy/density/step-density.ts";
import { measureRoom } from "../../../policy/injection/compose-injections.ts";
import type { PolicyState } from "../../../policy/policy-state.ts";
import { type Opened, opened, warnOf } from "../../../policy/steps/opened.ts";
import { renderNotes, type Surroundings } from "../../../policy/surroundings.ts";
import { type Hook, type HookContext, NOTHING } from "../hook.ts";
import { findModelId } from "../load/read-load.ts";
import { listWaiting, openProject, readHere } from "../read-project.ts";
import { landRestore } from "../restore/restore.ts";
import { openSessionData } from "../session-data.ts";
import { askPolicy, settleStep } from "../settle-step.ts";

export const sessionStart: Hook = async (context) => {
  if (context.agentId !== "") return NOTHING;
  const why = parseSource(textField(context.raw, "source"));
  return askPolicy(context, async (before) => {
    const surroundings = await readHere(context);
    const landed = landRestore(context, measureExtras(before, surroundings));
    const notes = await readNotes(openProject(context), context.project);
    const { state, commands } = opened(before, {
      why,
      surroundings,
      // Only a resumed window still holds what it was told.
      stands: why === "resume" ? before.told : undefined,
      nowMs: context.nowMs(),
      notes: (beganMs) => renderNotes(notes, { nowMs: context.nowMs(), beganMs }),
      memory: notes.memory,
      paused: notes.paused,
      waiting: why === "compact" ? [] : await listWaiting(context),
      first: [landed.injection],
      model: () => findModelId(context),
    });
    const restored = landed.actions.map((action) => ({ kind: "note", action }) as const);
    const price = why === "resume" ? warnOf(renderBreak(context)) : [];
    return settleStep(context, { state, commands: [...restored, ...commands, ...price] }, "");
  });
};

/** What going on costs once the cache has expired, before the first word; empty otherwise. A hook cannot compact. */
function renderBreak(context: HookContext): string {
  const meter = openSessionData(context)?.meter();
  const quote = meter && quoteBreak(meter, { nowMs: context.nowMs(), countSaved: () => 0 });
  return quote?.goingOnUsd === undefined ? "" : `${renderReturn(quote)}; ${ANEW}`;
}

function parseSource(source: string): Opened["why"] {
  return source === "resume" || source === "clear" || source === "compact" ? source : "startup";
}

/** The other text in the same answer, which a restore must leave room for: how to work and how to write. */
function measureExtras({ red }: PolicyState, { modeText = "" }: Surroundings): number {
  const dense = red.density.manual === "caveman" ? renderDensityReminder() : "";
  const extras = [modeText === "" ? "" : `${modeText}${" ".repeat(100)}`, dense];
  return measureRoom(extras);
}
