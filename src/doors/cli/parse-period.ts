import type { StepUsage } from "../../hosts/usage.ts";
import type { ScannedFile } from "../../recorded/join-scans.ts";
import { CliError, type Invocation, type Option } from "./command.ts";

/** The first moment that counts, and the first that does not any more. */
export interface Period {
  readonly fromMs: number;
  readonly untilMs: number;
}

const FORMS = "30d, 4w, a day such as 2026-11-01 or a month such as 2026-11";

export const PERIOD_OPTIONS: readonly [Option, Option] = [
  { name: "since", value: "WHEN", help: `only requests from then on: ${FORMS}; days are those of UTC` },
  { name: "until", value: "WHEN", help: "only requests up to the end of that day or month" },
];

const DAY_MS = 86_400_000;

/** `undefined` where neither end is given. */
export function parsePeriod({ values }: Invocation, nowMs: number): Period | undefined {
  const [since, until] = [values.get("since"), values.get("until")];
  if (since === undefined && until === undefined) return undefined;
  const fromMs = since === undefined ? Number.NEGATIVE_INFINITY : parseMoment("since", since, nowMs).fromMs;
  const untilMs = until === undefined ? Number.POSITIVE_INFINITY : parseMoment("until", until, nowMs).untilMs;
  if (untilMs <= fromMs) throw new CliError(`--until ${until} lies before --since ${since}: swap them`);
  return { fromMs, untilMs };
}

function parseMoment(option: string, given: string, nowMs: number): Period {
  const back = /^(\d{1,4})([dw])$/.exec(given);
  if (back) {
    const days = Number(back[1]) * (back[2] === "w" ? 7 : 1);
    const fromMs = Math.floor((nowMs - days * DAY_MS) / DAY_MS) * DAY_MS;
    return { fromMs, untilMs: fromMs + DAY_MS };
  }
  const date = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/.exec(given);
  const [year, month, day] = [Number(date?.[1]), Number(date?.[2]), Number(date?.[3] ?? 1)];
  const fromMs = Date.UTC(year, month - 1, day);
  // The 31st of a month that has 30 days would count as the 1st of the next.
  if (!date || new Date(fromMs).toISOString().slice(0, given.length) !== given)
    throw new CliError(`--${option} takes ${FORMS}, not "${given}"`);
  return { fromMs, untilMs: date[3] === undefined ? Date.UTC(year, month, 1) : fromMs + DAY_MS };
}

/** Each file with the requests and misses of the period alone; files that have none are left out. */
export function selectPeriod(scanned: readonly ScannedFile[], period: Period | undefined): readonly ScannedFile[] {
  if (!period) return scanned;
  const isWithin = (atMs: number | undefined): boolean =>
    atMs !== undefined && atMs >= period.fromMs && atMs < period.untilMs;
  const cut = (steps: readonly StepUsage[]): readonly StepUsage[] => steps.filter(({ atMs }) => isWithin(atMs));
  return scanned
    .map((file) => ({
      ...file,
      steps: cut(file.steps),
      ownSteps: cut(file.ownSteps),
      misses: file.misses.filter(({ atMs }) => isWithin(atMs)),
      compactions: file.compactions.filter(({ atMs }) => isWithin(atMs)),
    }))
    .filter(({ steps }) => steps.length > 0);
}
