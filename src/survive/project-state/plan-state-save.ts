import { appendEntries, type EntryDraft, type Merged, setCheckpoint } from "./entry-log.ts";
import { mergeInstincts } from "./instincts.ts";
import { appendLearnings, type Learning } from "./learnings.ts";
import { appendSessionLine } from "./list-state-entries.ts";
import { CUMULATIVE_NOTES, mergeNotes, type Note, TASK_NOTES } from "./section-notes.ts";
import { STATE_FILES, type StateFile, type StateTexts } from "./state-files.ts";

interface Additions {
  readonly "checkpoint.md": EntryDraft;
  readonly "conventions.md": readonly EntryDraft[];
  readonly "cumulative-notes.md": readonly Note[];
  readonly "decisions.md": readonly EntryDraft[];
  readonly "instincts.md": readonly EntryDraft[];
  readonly "learnings.jsonl": readonly Learning[];
  readonly "progress.md": readonly EntryDraft[];
  readonly "session-log.md": string;
  readonly "task-notes.md": readonly Note[];
}

/** What one session adds to each file. A file that is absent is not touched. */
export type StateSave = Partial<Additions>;

/** Keeps only what goes into the files that the user wants written. */
export function limitSave(save: StateSave, files: readonly string[]): StateSave {
  return Object.fromEntries(Object.entries(save).filter(([file]) => files.includes(file)));
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
    const merged = merge(file, before, save[file], atMs);
    if (merged === undefined || merged.text === before) continue;
    changed[file] = merged.text;
    evicted.push(...merged.evicted.map((text) => ({ file, text })));
  }
  return { changed, evicted };
}

function merge<File extends StateFile>(
  file: File,
  text: string,
  added: Additions[File] | undefined,
  atMs: number,
): Merged | undefined {
  return added === undefined ? undefined : MERGES[file](text, added, atMs);
}

const MERGES: { readonly [File in StateFile]: (text: string, added: Additions[File], atMs: number) => Merged } = {
  "checkpoint.md": setCheckpoint,
  "conventions.md": appendTo("Conventions", "Convention"),
  "cumulative-notes.md": (text, added, atMs) => mergeNotes(text, added, { shape: CUMULATIVE_NOTES, atMs }),
  "decisions.md": appendTo("Decisions Log", "Decision"),
  "instincts.md": mergeInstincts,
  "learnings.jsonl": appendLearnings,
  "progress.md": appendTo("Progress", "Session Summary"),
  "session-log.md": (text, added, atMs) => ({ text: appendSessionLine(text, added, atMs), evicted: [] }),
  "task-notes.md": (text, added, atMs) => mergeNotes(text, added, { shape: TASK_NOTES, atMs }),
};

/** A log that only grows. */
function appendTo(header: string, kind: string): (text: string, added: readonly EntryDraft[], atMs: number) => Merged {
  return (text, added, atMs) => {
    const entries = added.map((draft) => ({ ...draft, kind, atMs }));
    return { text: appendEntries(text, header, entries), evicted: [] };
  };
}
