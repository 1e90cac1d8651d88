import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import type { AccountRow } from "../wire.ts";
import { renderLowerUsd } from "./format.ts";

/** The parts of a cost: their field, name, colour and meaning. */
export const PARTS = [
  ["cacheReadUsd", "Cache reads", "day-read", "sent again, at a fraction of the full price"],
  ["cacheWriteUsd", "Cache writes", "day-write", "stored in the cache, for the first time or again"],
  ["outputUsd", "Output", "day-output", "written by the model"],
  ["inputUsd", "Uncached input", "day-input", "sent at the full price"],
] as const;

const HEIGHT = 180;
/** More bars would be too thin to point at. */
const MOST_DAYS = 120;
const MOST_DAYS_ON_A_PHONE = 45;
/** Older weeks are in the sums: about two years. */
const MOST_BARS = 120;

interface DayChartProperties {
  readonly rows: readonly AccountRow[];
  readonly unit: "day" | "week";
  /** Shows the sessions behind a bar, by its days as a query string. */
  readonly onChoose: (range: string) => void;
}

const DAY_MS = 86_400_000;

/** The days of a bar, as a query string. */
function nameRange(first: string, unit: DayChartProperties["unit"]): string {
  const last = unit === "day" ? first : new Date(Date.parse(first) + 6 * DAY_MS).toISOString().slice(0, 10);
  return `${new URLSearchParams({ from: first, to: last })}`;
}

/** The bars that fit: a day each, or else a week. */
export function chooseUnit(days: readonly AccountRow[]): DayChartProperties["unit"] {
  const most = globalThis.matchMedia("(max-width: 640px)").matches ? MOST_DAYS_ON_A_PHONE : MOST_DAYS;
  return days.length > most ? "week" : "day";
}

export function DayChart({ rows, unit, onChoose }: DayChartProperties): ComponentChild {
  const [pointed, point] = useState<AccountRow>();
  const days = rows.filter(({ key }) => key !== "undated").slice(-MOST_BARS);
  const most = days.reduce((largest, { totalUsd }) => Math.max(largest, totalUsd), 1e-9);
  const costliest = days.find(({ totalUsd }) => totalUsd === most);
  const shown = pointed ?? costliest;
  if (days.length === 0) return <p class="quiet">No request has a date.</p>;
  const label = `Dollars by ${unit}, from ${days[0]?.key} to ${days.at(-1)?.key}; the most expensive is ${costliest?.key} with ${renderLowerUsd(most, costliest?.isAtLeast === true)}`;
  return (
    <>
      <p class="chart-reading">
        <b>{shown?.key}</b> {renderLowerUsd(shown?.totalUsd ?? 0, shown?.isAtLeast === true)}
        <span class="meta">{pointed ? "" : `the most expensive ${unit}`}</span>
      </p>
      <section class="day-chart" aria-label={label} onPointerLeave={() => point(undefined)}>
        {days.map((row) => (
          // Not in the order of the Tab key: the fields above the chart choose the same days.
          <button
            key={row.key}
            class="day"
            type="button"
            tabIndex={-1}
            aria-label={`${row.key}: ${renderLowerUsd(row.totalUsd, row.isAtLeast)}. Show its sessions`}
            onPointerEnter={() => point(row)}
            onClick={() => onChoose(nameRange(row.key, unit))}
          >
            <svg viewBox={`0 0 10 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
              {stackDay(row, most).map(({ part, y, height }) => (
                <rect key={part} class={part} x="0" y={y} width="10" height={height} />
              ))}
            </svg>
          </button>
        ))}
      </section>
      <p class="day-ends">
        <span>{days[0]?.key}</span>
        <span class="note-between">
          {days.filter(({ requests }) => requests > 0).length} of {days.length} {unit}s with work
        </span>
        <span>{days.at(-1)?.key}</span>
      </p>
      <ul class="day-legend">
        {PARTS.map(([field, name, part]) => (
          <li key={field}>
            <i class={`swatch ${part}`} /> {name}{" "}
            <span class="number">{shown ? renderPart(shown, field) : renderLowerUsd(0, false)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** If an answer was not recorded to its end, only the input cost is exact. */
export function renderPart(row: AccountRow, field: (typeof PARTS)[number][0]): string {
  return renderLowerUsd(row[field], row.unpriced > 0 || (field === "outputUsd" && row.unfinal > 0));
}

function stackDay(row: AccountRow, most: number) {
  let top = HEIGHT;
  return PARTS.map(([field, , part]) => {
    const height = (row[field] / most) * HEIGHT;
    top -= height;
    return { part, y: top, height };
  });
}

/** What the page begins with. */
export const LAST_MONTH = "last=30";

const RANGES = [
  ["last=7", "7 days"],
  [LAST_MONTH, "30 days"],
  ["last=90", "90 days"],
  ["", "All time"],
] as const;

interface RangeProperties {
  /** As a query string. */
  readonly range: string;
  readonly onChoose: (range: string) => void;
}

export function RangeChoice({ range, onChoose }: RangeProperties): ComponentChild {
  const chosen = new URLSearchParams(range);
  const days = { from: chosen.get("from") ?? "", to: chosen.get("to") ?? "" };
  return (
    <fieldset class="toolbar range">
      <legend class="unseen">Which days</legend>
      {RANGES.map(([value, name]) => (
        <button key={name} type="button" aria-pressed={range === value} onClick={() => onChoose(value)}>
          {name}
        </button>
      ))}
      {(["from", "to"] as const).map((name) => (
        <label key={name}>
          {name === "from" ? "From" : "to"}{" "}
          <input
            type="date"
            value={days[name]}
            onChange={({ currentTarget }) =>
              onChoose(`${new URLSearchParams({ ...days, [name]: currentTarget.value })}`)
            }
          />
        </label>
      ))}
    </fieldset>
  );
}
