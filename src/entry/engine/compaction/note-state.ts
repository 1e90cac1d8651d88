/** The note for the next compaction, and the last one that joined a record. */
export interface NoteState {
  /** Counts the windows: an answer that was asked for in an earlier one is late. */
  readonly window: number;
  readonly isAsked: boolean;
  readonly text: string;
  readonly usd: number | undefined;
  readonly earlier: string;
  /** The first one was not served from the cache, so none is asked for again in this session. */
  readonly isOff: boolean;
}

export const NO_NOTE: NoteState = { window: 0, isAsked: false, text: "", usd: undefined, earlier: "", isOff: false };

/** For a later process, and for a record whose own note did not come. */
export function lastNote(note: NoteState): string {
  return note.text === "" ? note.earlier : note.text;
}
