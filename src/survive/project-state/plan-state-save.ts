import { type Checkpoint, resolveCheckpoint, setCheckpoint } from "./checkpoint.ts";
import {
  type Convention,
  type LoggedDecision,
  type Progress,
  toConventionEntry,
  toDecisionEntry,
  toProgressEntry,
} from "./entry-kinds.ts";
import { appendEntries, type Merged, type NewEntry } from "./entry-log.ts";
import { type Instinct, mergeInstincts } from "./instincts.ts";
import { appendLearnings, type Learning } from "./learnings.ts";
import { appendSessionLine } from "./list-state-entries.ts";
import { CUMULATIVE_NOTES, mergeNotes, type Note, TASK_NOTES } from "./section-notes.ts";
import { STATE_FILES, type StateFile, type StateTexts } from "./state-files.ts";

/** What one session leaves behind. Every field is optional; an absent one touches no file. */
export interface StateSave {
  readonly decisions?: readonly LoggedDecision[];
  readonly conventions?: readonly Convention[];
  readonly progress?: Progress;
  readonly summary?: string;
  readonly instincts?: readonly Instinct[];
  readonly notes?: readonly Note[];
  readonly learnings?: readonly Learning[];
  /** A new place to resume from, or `"resolved"` if the active one was picked up. */
  readonly checkpoint?: Checkpoint | "resolved";
  readonly taskNotes?: readonly Note[];
}

const FIELDS: Readonly<Record<StateFile, keyof StateSave>> = {
  "checkpoint.md": "checkpoint",
  "conventions.md": "conventions",
  "cumulative-notes.md": "notes",
  "decisions.md": "decisions",
  "instincts.md": "instincts",
  "learnings.jsonl": "learnings",
  "progress.md": "progress",
  "session-log.md": "summary",
  "task-notes.md": "taskNotes",
};

/** Keeps only what goes into the files that the user wants written. */
export function limitSave(save: StateSave, files: readonly StateFile[]): StateSave {
  const wanted = new Set<string>(files.map((file) => FIELDS[file]));
  return Object.fromEntries(Object.entries(save).filter(([field]) => wanted.has(field)));
}

export interface StateSavePlan {
  readonly changed: StateTexts;
  readonly evicted: readonly { readonly file: StateFile; readonly text: string }[];
}

/** Merges into the existing files. Nothing is overwritten, and what a limit pushes out is returned instead of dropped. */
export function planStateSave(texts: StateTexts, save: StateSave, atMs: number): StateSavePlan {
  const changed: Partial<Record<StateFile, string>> = {};
  const evicted: { file: StateFile; text: string }[] = [];
  for (const file of STATE_FILES) {
    const before = texts[file] ?? "";
    const merged = MERGES[file](before, save, atMs);
    if (merged === undefined || merged.text === before) continue;
    changed[file] = merged.text;
    evicted.push(...merged.evicted.map((text) => ({ file, text })));
  }
  return { changed, evicted };
}

type Merge = (text: string, save: StateSave, atMs: number) => Merged | undefined;

const MERGES: Readonly<Record<StateFile, Merge>> = {
  "checkpoint.md": (text, { checkpoint }, atMs) => {
    if (checkpoint === undefined) return undefined;
    return checkpoint === "resolved" ? resolveCheckpoint(text) : setCheckpoint(text, checkpoint, atMs);
  },
  "conventions.md": (text, { conventions = [] }, atMs) =>
    append(
      text,
      "Conventions",
      conventions.map((convention) => toConventionEntry(convention, atMs)),
    ),
  "cumulative-notes.md": (text, { notes }, atMs) => notes && mergeNotes(text, notes, { shape: CUMULATIVE_NOTES, atMs }),
  "decisions.md": (text, { decisions = [] }, atMs) =>
    append(
      text,
      "Decisions Log",
      decisions.map((decision) => toDecisionEntry(decision, atMs)),
    ),
  "instincts.md": (text, { instincts }, atMs) => instincts && mergeInstincts(text, instincts, atMs),
  "learnings.jsonl": (text, { learnings }, atMs) => learnings && appendLearnings(text, learnings, atMs),
  "progress.md": (text, { progress }, atMs) =>
    append(text, "Progress", progress ? [toProgressEntry(progress, atMs)] : []),
  "session-log.md": (text, { summary = "" }, atMs) => ({ text: appendSessionLine(text, summary, atMs), evicted: [] }),
  "task-notes.md": (text, { taskNotes }, atMs) => taskNotes && mergeNotes(text, taskNotes, { shape: TASK_NOTES, atMs }),
};

function append(text: string, header: string, entries: readonly NewEntry[]): Merged {
  return { text: appendEntries(text, header, entries), evicted: [] };
}
