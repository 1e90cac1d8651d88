/** By these words a record is known again in a transcript: they are ours, not the person's. */
export const RECORD_OPENING = "The conversation before this point was replaced by this record.";
