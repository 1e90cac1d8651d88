/** Something kept from a session, to be put back into one. */
export interface Restored {
  readonly text: string;
  readonly sessionId: string;
  /** `YYYY-MM-DD`, with or without a time behind it. */
  readonly sessionDate: string;
}

const DATE = /^\d{4}-\d{2}-\d{2}/;

/**
 * What comes from an earlier session says so, with its date, and every line of it is quoted: whatever the text contains, it
 * cannot pass for something said now. What comes from this session stays as it is.
 */
export function renderRestored(restored: Restored, currentSessionId: string): string {
  if (restored.sessionId !== "" && restored.sessionId === currentSessionId) return restored.text;
  const date = DATE.exec(restored.sessionDate)?.[0];
  const origin = date === undefined ? "an earlier session, date unknown" : `the session of ${date}`;
  const quoted = restored.text.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `> ${line}`.trimEnd());
  return [`[historical: from ${origin}; verify before you rely on it]`, ...quoted].join("\n");
}
