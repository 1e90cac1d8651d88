import { failure, leaveState, putPause, rememberDecisions } from "../../files/leave-state.ts";
import { POLICY_SETTINGS } from "../../layers/options/policy-settings.ts";
import { isSplitWorth } from "../../policy/collapse-due.ts";
import { chain, type PolicyStep } from "../../policy/command.ts";
import { pauseLeft, remembered } from "../../policy/steps/looped.ts";
import { saved } from "../../policy/steps/measured.ts";
import type { ClientPort } from "./client-port.ts";
import { liveProjectFiles } from "./engine-project-files.ts";
import { lower } from "./line.ts";
import type { Live } from "./live.ts";

/** Performs the policy's commands. Text for the model becomes a row at the end of the conversation, so everything before it stays cached. */
export async function perform($: ClientPort, live: Live, step: PolicyStep): Promise<void> {
  const text = await settle($, live, step);
  if (text !== "") await $.session.append({ message: { type: "user", content: [{ type: "text", text }] } });
}

/** The same for callers that place the text themselves; returns it, or an empty text. */
export async function settle($: ClientPort, live: Live, given: PolicyStep): Promise<string> {
  let step = given;
  if (step.commands.some(({ kind }) => kind === "save")) {
    const why = await saveProject($, live);
    step = chain(step, (state) => saved(state, { why, model: () => modelOf(live) }, live.settings));
  }
  const lessons = step.commands.find((command) => command.kind === "remember")?.lessons;
  if (lessons !== undefined) {
    const store = liveProjectFiles($, live);
    const why = await failure(() => rememberDecisions(store, live.root, lessons, Date.now()));
    const canCompact = await canBringAbout(live);
    step = chain(step, (state) => remembered(state, { why, model: () => modelOf(live), canCompact }));
  }
  const pause = step.commands.findLast((command) => command.kind === "continueHere");
  if (pause !== undefined) {
    const why = await leavePause($, live, pause.text);
    step = chain(step, (state) => pauseLeft(state, { reason: pause.reason, why, model: () => modelOf(live) }));
  }
  live.policy = step.state;
  const texts: string[] = [];
  for (const command of step.commands) {
    if (command.kind === "tell") texts.push(command.text);
    if (command.kind === "note") live.journal.note("session.append", command.deed);
    if (command.kind === "warn") $.ui.log(command.text);
    if (command.kind === "compact") await bringAbout($, live, command.why);
  }
  return texts.join("\n\n");
}

/** Whether the person allows an early compaction, something would be gained, and originals can be stored. */
async function canBringAbout({ steering, settings, shelf, watch }: Live): Promise<boolean> {
  const { policy, compaction, early } = settings;
  const isWanted = steering.isOn && early === "price" && compaction !== "native";
  return isWanted && isSplitWorth(watch.load(POLICY_SETTINGS[policy]), policy) && (await shelf.isOpen());
}

async function bringAbout($: ClientPort, live: Live, why: string): Promise<void> {
  // Already due by its price: everything old is removed then.
  if (live.line.isLowered) return;
  live.steering.why = why;
  live.steering.by = "loop";
  lower($, live);
}

/** Saves the state of the work for the next session. A failure is noted, and nothing else is held up. */
export async function leavePause($: ClientPort, live: Live, text: string): Promise<string | undefined> {
  const why = await failure(() => putPause(liveProjectFiles($, live), live.root, text));
  if (why !== undefined) live.journal.note("session.append", { kind: "failed", why });
  return why;
}

/** Writes what the project's next session must know into `.plimsoll/`; returns the reason if that failed. */
export async function saveProject($: ClientPort, live: Live, event = "session.compact"): Promise<string | undefined> {
  const { root: project, watch, settings, journal } = live;
  try {
    const isEnd = event === "session.end";
    const happened = watch.happened();
    await leaveState(liveProjectFiles($, live), { project, happened, settings, isEnd, nowMs: Date.now() });
    return undefined;
  } catch (error) {
    const why = `the project's state could not be saved: ${String(error)}`;
    // Under its own name: the compaction or session end itself has not failed.
    journal.note("project.save", { kind: "failed", why });
    return why;
  }
}

export function modelOf({ watch }: Live): string {
  return watch.health().model;
}
