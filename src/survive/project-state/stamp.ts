/** Timestamps as `YYYY-MM-DD HH:MM` in UTC, so that a file shared by two people means the same time. */

export const DAY_MS = 86_400_000;
const LAST_MS = 253_402_300_799_999;
const STAMP = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{3})?)?))?Z?$/;

export function renderStamp(atMs: number): string {
  return renderIso(atMs).slice(0, 16).replace("T", " ");
}

/** For JSON lines: `2026-01-02T10:20:30.000Z`. */
export function renderIso(atMs: number): string {
  const clamped = Math.min(LAST_MS, Math.max(0, Math.floor(Number.isFinite(atMs) ? atMs : 0)));
  return new Date(clamped).toISOString();
}

/** Parses a day, a minute or an instant; `undefined` if invalid, such as the 31st of February. */
export function parseStamp(text: string): number | undefined {
  const [, day = "", time = "00:00"] = STAMP.exec(text) ?? [];
  const atMs = Date.parse(`${day}T${time}Z`);
  // Some engines read the 31st of February as the 3rd of March, and 24:00 as the next day.
  return atMs >= 0 && renderIso(atMs).startsWith(day) ? atMs : undefined;
}

/** Shows the age, so that an earlier session's text is never taken for today's. */
export function renderAge(atMs: number | undefined, nowMs: number): string {
  if (atMs === undefined) return "historical, undated";
  const days = Math.floor((nowMs - atMs) / DAY_MS);
  if (days < 0) return "historical, dated in the future";
  if (days === 0) return "historical, today";
  return `historical, ${days} ${days === 1 ? "day" : "days"} ago`;
}
