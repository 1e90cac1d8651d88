/**
 * Points in time as people write them, `YYYY-MM-DD HH:MM` in UTC, and back. By arithmetic: pure folders have no clock, and a file
 * that two people share must not mean two times.
 */

const DAY_MS = 86_400_000;
const LAST_MS = 253_402_300_799_999;
const STAMP = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{3}))?)?)?Z?$/;

export function renderStamp(atMs: number): string {
  const { day, rest } = splitDay(atMs);
  return `${day} ${rest.slice(0, 5)}`;
}

/** As JSON lines have it: `2026-01-02T10:20:30.000Z`. */
export function renderIso(atMs: number): string {
  const { day, rest } = splitDay(atMs);
  return `${day}T${rest}Z`;
}

/** A day, a minute or an instant; `undefined` for what is none, such as the 31st of February. */
export function parseStamp(text: string): number | undefined {
  const match = STAMP.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, milli = 0] = match
    .slice(1)
    .map((digits) => Number(digits ?? 0));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const atMs = countDays(year, month, day) * DAY_MS + ((hour * 60 + minute) * 60 + second) * 1000 + milli;
  return atMs >= 0 && splitDay(atMs).day === text.slice(0, 10) ? atMs : undefined;
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

function splitDay(atMs: number): { readonly day: string; readonly rest: string } {
  const clamped = Math.min(LAST_MS, Math.max(0, Math.floor(Number.isFinite(atMs) ? atMs : 0)));
  const inDay = clamped % DAY_MS;
  const rest = [inDay / 3_600_000, (inDay / 60_000) % 60, (inDay / 1000) % 60].map((value) =>
    pad(Math.floor(value), 2),
  );
  return { day: renderDay(Math.floor(clamped / DAY_MS)), rest: `${rest.join(":")}.${pad(inDay % 1000, 3)}` };
}

/** Days since 1970 of the proleptic Gregorian calendar, by eras of 400 years that begin on the first of March. */
function countDays(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

function renderDay(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1, 2)}`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
