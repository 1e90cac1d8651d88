/** Points in time as people write them, `YYYY-MM-DD HH:MM` in UTC, and back: a file that two people share means one time. */

const DAY_MS = 86_400_000;
const LAST_MS = 253_402_300_799_999;
const STAMP = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d{3})?)?))?Z?$/;

export function renderStamp(atMs: number): string {
  return renderIso(atMs).slice(0, 16).replace("T", " ");
}

/** As JSON lines have it: `2026-01-02T10:20:30.000Z`. */
export function renderIso(atMs: number): string {
  const clamped = Math.min(LAST_MS, Math.max(0, Math.floor(Number.isFinite(atMs) ? atMs : 0)));
  return new Date(clamped).toISOString();
}

/** A day, a minute or an instant; `undefined` for what is none, such as the 31st of February. */
export function parseStamp(text: string): number | undefined {
  const [, day = "", time = "00:00"] = STAMP.exec(text) ?? [];
  const atMs = Date.parse(`${day}T${time}Z`);
  // The 31st of February is the 3rd of March to some engines, and 24:00 the next day.
  return atMs >= 0 && renderIso(atMs).startsWith(day) ? atMs : undefined;
}

/** What is loaded from an earlier session is never passed off as today's. */
export function renderAge(atMs: number | undefined, nowMs: number): string {
  if (atMs === undefined) return "historical, undated";
  const days = Math.floor((nowMs - atMs) / DAY_MS);
  if (days < 0) return "historical, dated in the future";
  if (days === 0) return "historical, today";
  return `historical, ${days} ${days === 1 ? "day" : "days"} ago`;
}

export function countDaysBetween(fromMs: number, toMs: number): number {
  return (toMs - fromMs) / DAY_MS;
}
