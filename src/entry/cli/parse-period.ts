import { type Calendar, createCalendar } from "../../recorded/calendar.ts";
import type { Period } from "../../recorded/join-scans.ts";
import { CliError, type Invocation, type Options, type Terminal } from "./command.ts";

const FORMS = "a number of days or weeks such as 30d or 4w, a day such as 2026-11-01, or a month such as 2026-11";

export const ZONE_OPTION: Options = {
  timezone: {
    value: "ZONE",
    help: "the time zone for days, weeks and months (for example Europe/Zurich); by default, TZ or the machine's time zone",
  },
};

export const PERIOD_OPTIONS: Options = {
  since: { value: "WHEN", help: `only requests since this time: ${FORMS}; days are in your time zone` },
  until: { value: "WHEN", help: "only requests up to the end of this day or month" },
  ...ZONE_OPTION,
};

/** The calendar set by `--timezone`, `TZ` or the machine. */
export function chooseCalendar({ values }: Pick<Invocation, "values">, { environment }: Terminal): Calendar {
  const zone = values.get("timezone");
  try {
    return createCalendar(environment, zone);
  } catch {
    throw new CliError(`--timezone takes a zone such as Europe/Zurich, America/New_York or UTC, not "${zone}"`);
  }
}

export function parsePeriod({ values }: Invocation, nowMs: number, calendar: Calendar): Period | undefined {
  const parse = (option: string, given: string): Period => {
    const back = /^(\d{1,4})([dw])$/.exec(given);
    if (back) {
      const days = Number(back[1]) * (back[2] === "w" ? 7 : 1);
      return { fromMs: calendar.shiftDay(nowMs, -days), untilMs: calendar.shiftDay(nowMs, 1 - days) };
    }
    const isMonth = /^\d{4}-\d{2}$/.test(given);
    const fromMs = calendar.startOfDay(isMonth ? `${given}-01` : given);
    if (fromMs === undefined) throw new CliError(`--${option} takes ${FORMS}, not "${given}"`);
    return calendar.spanOf(isMonth ? "month" : "day", fromMs);
  };
  const [since, until] = [values.get("since"), values.get("until")];
  if (since === undefined && until === undefined) return undefined;
  const fromMs = since === undefined ? Number.NEGATIVE_INFINITY : parse("since", since).fromMs;
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : parse("until", until).untilMs;
  if (untilMs <= fromMs) throw new CliError(`--until ${until} is before --since ${since}: swap them`);
  return { fromMs, untilMs };
}
