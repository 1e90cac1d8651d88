/** The files of a project's state, all in `.plimsoll/`, in order of name. */
export const STATE_FILES = [
  "checkpoint.md",
  "conventions.md",
  "cumulative-notes.md",
  "decisions.md",
  "instincts.md",
  "learnings.jsonl",
  "progress.md",
  "session-log.md",
  "task-notes.md",
] as const;

export type StateFile = (typeof STATE_FILES)[number];

/** Contents by file; a missing file has no entry. */
export type StateTexts = Readonly<Partial<Record<StateFile, string>>>;
