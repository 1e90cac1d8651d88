/** Marks a record in a transcript, so that it is not taken for the user's words. */
export const RECORD_OPENING = "The conversation before this point was replaced by this record.";
