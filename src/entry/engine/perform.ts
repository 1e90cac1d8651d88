import { openAgreedFiles } from "../../files/agreed-files.ts";
import { failure, leaveState, putPause, rememberDecisions } from "../../files/leave-state.ts";
import type { ProjectStore } from "../../files/save-project-state.ts";
import { POLICY_SETTINGS } from "../../layers/options/policy-settings.ts";
import { isSplitWorth } from "../../policy/collapse-due.ts";
import type { PolicyStep } from "../../policy/command.ts";
import { settleSaves } from "../../policy/settle-saves.ts";
import type { ClientPort } from "./client-port.ts";
import { lower } from "./line.ts";
import type { Live } from "./live.ts";

/** Performs the policy's commands. Text for the model becomes a row at the end of the conversation, so everything before it stays cached. */
export async function perform($: ClientPort, live: Live, step: PolicyStep): Promise<void> {
  const text = await settle($, live, step);
  if (text !== "") await $.session.append({ message: { type: "user", content: [{ type: "text", text }] } });
}

/** The same for callers that place the text themselves; returns it, or an empty text. */
export async function settle($: ClientPort, live: Live, given: PolicyStep): Promise<string> {
  const step = await settleSaves(given, {
    save: () => saveProject(live),
    remember: (lessons) => failure(() => rememberDecisions(agreedFilesOf(live), live.root, lessons, live.nowMs())),
    pause: (text) => leavePause(live, text),
    settings: live.settings,
    model: () => modelOf(live),
    canCompact: () => canBringAbout(live),
  });
  live.policy = step.state;
  const texts: string[] = [];
  for (const command of step.commands) {
    if (command.kind === "tell") texts.push(command.text);
    if (command.kind === "note") live.journal.note("session.append", command.action);
    if (command.kind === "warn") $.ui.log(command.text);
    if (command.kind === "compact") await bringAbout($, live, command.why);
  }
  return texts.join("\n\n");
}

/** Whether the person allows an early compaction, something would be gained, and originals can be stored. */
function canBringAbout({ steering, settings, store, watch }: Live): boolean {
  const { policy, compaction, early } = settings;
  const isWanted = steering.isOn && early === "price" && compaction !== "native";
  return isWanted && isSplitWorth(watch.load(POLICY_SETTINGS[policy]), policy) && store.isOpen();
}

async function bringAbout($: ClientPort, live: Live, why: string): Promise<void> {
  // Already due by its price: everything old is removed then.
  if (live.line.isLowered) return;
  live.steering.why = why;
  live.steering.by = "loop";
  lower($, live);
}

/** Saves the state of the work for the next session; returns the reason if that failed. */
export function leavePause(live: Live, text: string): Promise<string | undefined> {
  return failure(() => putPause(agreedFilesOf(live), live.root, text));
}

/** Writes what the project's next session must know into `.plimsoll/`; returns the reason if that failed. */
export async function saveProject(live: Live, isEnd = false): Promise<string | undefined> {
  const { root: project, watch, settings, journal, nowMs } = live;
  const happened = watch.happened();
  const why = await failure(() =>
    leaveState(agreedFilesOf(live), { project, happened, settings, isEnd, nowMs: nowMs() }),
  );
  if (why === undefined) return undefined;
  // Under its own name: the compaction or session end itself has not failed.
  journal.note("project.save", { kind: "failed", why: `the project's state could not be saved: ${why}` });
  return why;
}

/** The project's files, as far as the person agreed to them. */
export function agreedFilesOf({ files, trust }: Live): ProjectStore {
  return openAgreedFiles(files, trust);
}

export function modelOf({ watch }: Live): string {
  return watch.health().model;
}
