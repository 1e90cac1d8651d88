/** Days, weeks and months in one time zone. */
export interface Calendar {
  /** Such as `Europe/Zurich`; `local` for the machine's zone. */
  readonly zone: string;
  /** `2026-11-16`. */
  nameDay(atMs: number): string;
  /** The Monday of its week. */
  nameWeek(atMs: number): string;
  /** `2026-11`. */
  nameMonth(atMs: number): string;
  /** `16:40`. */
  nameTime(atMs: number): string;
  /** The first moment of a day; `undefined` for a day that does not exist. */
  startOfDay(day: string): number | undefined;
  /** The first moment of the day that is so many days after, or before, the day of `atMs`. */
  shiftDay(atMs: number, days: number): number;
  /** The unit that contains `atMs`, from its first moment to the first one after it. */
  spanOf(unit: CalendarUnit, atMs: number): { readonly fromMs: number; readonly untilMs: number };
}

export type CalendarUnit = "day" | "week" | "month";

const DAY_MS = 86_400_000;
/** Zones change their offset at multiples of this. */
const QUARTER_MS = 900_000;

/** The requested zone, else that of `TZ`, else the machine's. Throws a `RangeError` for a requested zone that does not exist. */
export function createCalendar(environment: { readonly TZ?: string | undefined } = {}, asked?: string): Calendar {
  if (asked !== undefined) return calendarOf(asked);
  try {
    return calendarOf(environment.TZ || undefined);
  } catch {
    // TZ may have forms that only the C library knows; the machine's own zone follows them.
    return calendarOf(undefined);
  }
}

function calendarOf(zone: string | undefined): Calendar {
  const offsetOf = zone === undefined ? offsetOfMachine : createOffsets(zone);
  const local = (atMs: number): number => atMs + offsetOf(atMs);
  const nameDay = (atMs: number): string => new Date(local(atMs)).toISOString().slice(0, 10);
  const mondayOf = (atMs: number): number => -((new Date(local(atMs)).getUTCDay() + 6) % 7);
  const beginDay = (utcMs: number): number => {
    const guess = utcMs - offsetOf(utcMs);
    const found = utcMs - offsetOf(guess);
    // If the clocks go forward at midnight, the day begins an hour later.
    return local(found) < utcMs ? found + (utcMs - local(found)) : found;
  };
  const shiftDay = (atMs: number, days: number): number => beginDay((Math.floor(local(atMs) / DAY_MS) + days) * DAY_MS);
  return {
    zone: zone ?? "local",
    nameDay,
    nameWeek: (atMs) => nameDay(shiftDay(atMs, mondayOf(atMs))),
    nameMonth: (atMs) => nameDay(atMs).slice(0, 7),
    nameTime: (atMs) => new Date(local(atMs)).toISOString().slice(11, 16),
    startOfDay(day) {
      const utcMs = Date.parse(`${day}T00:00:00Z`);
      const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(utcMs);
      // Otherwise the 31st of a month with 30 days would count as the 1st of the next.
      return isDay && new Date(utcMs).toISOString().startsWith(day) ? beginDay(utcMs) : undefined;
    },
    shiftDay,
    spanOf(unit, atMs) {
      if (unit === "day") return { fromMs: shiftDay(atMs, 0), untilMs: shiftDay(atMs, 1) };
      const monday = mondayOf(atMs);
      if (unit === "week") return { fromMs: shiftDay(atMs, monday), untilMs: shiftDay(atMs, monday + 7) };
      const date = new Date(local(atMs));
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
      return { fromMs: beginDay(Date.UTC(year, month)), untilMs: beginDay(Date.UTC(year, month + 1)) };
    },
  };
}

function offsetOfMachine(atMs: number): number {
  return -new Date(atMs).getTimezoneOffset() * 60_000;
}

/** Asking the system is slow, so each quarter of an hour is asked once. */
function createOffsets(zone: string): (atMs: number) => number {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" });
  const known = new Map<number, number>();
  return (atMs) => {
    const quarter = Math.floor(atMs / QUARTER_MS);
    let offset = known.get(quarter);
    if (offset === undefined) {
      offset = parseOffset(format.format(quarter * QUARTER_MS));
      known.set(quarter, offset);
    }
    return offset;
  };
}

/** From a text that ends in `GMT`, `GMT+05:30` or, long ago, `GMT-00:01:15`. */
function parseOffset(text: string): number {
  const [, sign, hours, minutes, seconds = "0"] = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds);
  return (sign === "-" ? -offset : offset) * 1000;
}
