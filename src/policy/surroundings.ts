import { clipLine } from "../core/clip-text.ts";
import { findActiveCheckpoint } from "../survive/project-state/entry-log.ts";
import { checkIntegrity } from "../survive/project-state/integrity.ts";
import { renderState } from "../survive/project-state/render-state.ts";
import type { StateTexts } from "../survive/project-state/state-files.ts";
import { CONTINUE_HERE_PATH, parseContinueHere, renderContinueHere } from "./advice/continue-here.ts";
import type { ActiveMode } from "./mode/parse-active-mode.ts";
import type { RuleFile } from "./rules/fit-rules.ts";

/** What an entry point finds in the project before it asks the policy. */
export interface Surroundings {
  readonly mode: ActiveMode;
  /** The text of the active mode; `undefined` if its file cannot be read. */
  readonly modeText: string | undefined;
  readonly rules: readonly RuleFile[];
  /** Path of the newest plan, relative to the project; empty if there is none. */
  readonly plan: string;
}

export interface ProjectNotes {
  readonly texts: StateTexts;
  readonly hasGit: boolean;
  /** The whole index of the project's memory; empty if there is none. */
  readonly memory: string;
  /** The pause file of an earlier session; absent if there is none. */
  readonly paused?: string;
}

/** `beganMs` is when the session began that reads the notes: its own are not those of an earlier one. */
export function renderNotes(notes: ProjectNotes, times: { readonly nowMs: number; readonly beganMs: number }): string {
  const { texts, hasGit } = notes;
  return [renderPause(notes), renderState(texts, { ...times, hasGit })].filter((part) => part !== "").join("\n\n");
}

const MAX_PAUSE_ITEMS = 8;
const MAX_PAUSE_CHARACTERS = 120;

/** Anyone may have written this file, so only a short text in the form of a pause is shown, and labelled as such. A newer checkpoint replaces it. */
function renderPause({ paused: text = "", texts }: ProjectNotes): string {
  const pause = parseContinueHere(text);
  if (pause === undefined || checkIntegrity(CONTINUE_HERE_PATH, text).status === "TAINTED") return "";
  const checkpoint = findActiveCheckpoint(texts["checkpoint.md"] ?? "");
  if ((checkpoint?.atMs ?? 0) > (pause.writtenMs ?? Number.POSITIVE_INFINITY)) return "";
  const clip = (line: string): string => clipLine(line, MAX_PAUSE_CHARACTERS);
  const few = (lines: readonly string[]): readonly string[] => lines.slice(0, MAX_PAUSE_ITEMS).map(clip);
  const short = renderContinueHere({
    ...pause,
    phase: clip(pause.phase),
    completed: few(pause.completed),
    remaining: few(pause.remaining),
    decisions: few(pause.decisions),
    blockers: few(pause.blockers),
    wipFiles: few(pause.wipFiles),
  });
  return `Notes of a session that paused here, from ${CONTINUE_HERE_PATH} (historical: check before you rely on them):\n${short.trim()}`;
}
