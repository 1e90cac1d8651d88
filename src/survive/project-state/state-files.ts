/** The files of a project's state, all in `.plimsoll/`, in the order of their names. */
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

/** What the files hold; one that is not there has no text. */
export type StateTexts = Readonly<Partial<Record<StateFile, string>>>;
