import { quantile } from "../measure/quantile.ts";
import { REFERENCE } from "./catalogue.ts";
import { type FigureName, type Figures, planMsP95, type Row, sumRows, toFigures, toRow } from "./figures.ts";
import { drawResamples, findInterval, type Interval } from "./resample.ts";
import type { LeftOut } from "./session.ts";
import type { Walk } from "./walk.ts";

/** A session that was walked through under every policy. */
export interface WalkedSession {
  readonly name: string;
  readonly steps: number;
  readonly walks: ReadonlyMap<string, Walk>;
}

export interface PolicyTotals extends Figures {
  readonly name: string;
  readonly about: string;
  readonly planMsP95: number | undefined;
  /** Sessions in which a summary stood that nobody recorded: priced, but no need is told of them. */
  readonly wordlessSessions: number;
  readonly relative: Relative;
  readonly intervals: Readonly<Partial<Record<FigureName | "relativeNetUsd", Interval>>>;
}

/** Compared with what the client did. */
export interface Relative {
  readonly netUsd: number | undefined;
  readonly sendUsd: number | undefined;
  readonly tokensSent: number | undefined;
  /** The middle session, and the one that nineteen of twenty stay below. */
  readonly sessionMedian: number | undefined;
  readonly sessionP95: number | undefined;
}

export interface SessionRow {
  readonly name: string;
  readonly steps: number;
  readonly policies: readonly SessionFigures[];
}

export interface SessionFigures extends Figures {
  readonly name: string;
  readonly planMsP95: number | undefined;
  readonly isWordless: boolean;
  readonly relativeNetUsd: number | undefined;
}

export interface Report {
  readonly steps: number;
  /** The cheapest first. */
  readonly policies: readonly PolicyTotals[];
  readonly sessions: readonly SessionRow[];
  readonly leftOut: readonly LeftOut[];
}

interface Subject {
  readonly sessions: readonly WalkedSession[];
  readonly leftOut: readonly LeftOut[];
  readonly policies: readonly { readonly name: string; readonly about: string }[];
}

export function createReport({ sessions, leftOut, policies }: Subject): Report {
  const draws = drawResamples(sessions.length);
  const reference = collectRows(sessions, REFERENCE);
  const drawnReference = draws.map((times) => toFigures(sumRows(reference, times)).netUsd);
  const totals = policies.map(({ name, about }): PolicyTotals => {
    const walks = sessions.flatMap(({ walks }) => walks.get(name) ?? []);
    const rows = walks.map(toRow);
    const figures = toFigures(sumRows(rows));
    const drawn = draws.map((times) => toFigures(sumRows(rows, times)));
    const ratios = drawn.map(({ netUsd }, index) => divide(netUsd, drawnReference[index] ?? 0));
    return {
      name,
      about,
      ...figures,
      planMsP95: planMsP95(walks),
      wordlessSessions: walks.filter(({ isWordless }) => isWordless).length,
      relative: compare(figures, rows, reference),
      intervals: { ...findIntervals(figures, drawn), ...named("relativeNetUsd", findInterval(ratios)) },
    };
  });
  return {
    steps: sessions.reduce((sum, { steps }) => sum + steps, 0),
    policies: totals.sort((left, right) => left.netUsd - right.netUsd || (left.name < right.name ? -1 : 1)),
    sessions: sessions.map((session) => describeSession(session, policies)),
    leftOut,
  };
}

function collectRows(sessions: readonly WalkedSession[], policy: string): readonly Row[] {
  return sessions.flatMap(({ walks }) => {
    const walk = walks.get(policy);
    return walk ? [toRow(walk)] : [];
  });
}

function compare(figures: Figures, rows: readonly Row[], reference: readonly Row[]): Relative {
  const whole = toFigures(sumRows(reference));
  const bySession = rows.flatMap((row, index) => {
    const beside = reference[index];
    const ratio = beside && divide(toFigures(row).netUsd, toFigures(beside).netUsd);
    return ratio === undefined ? [] : [ratio];
  });
  return {
    netUsd: divide(figures.netUsd, whole.netUsd),
    sendUsd: divide(figures.sendUsd, whole.sendUsd),
    tokensSent: divide(figures.tokensSent, whole.tokensSent),
    sessionMedian: quantile(bySession, 0.5),
    sessionP95: quantile(bySession, 0.95),
  };
}

function findIntervals(figures: Figures, drawn: readonly Figures[]): PolicyTotals["intervals"] {
  const intervals: Partial<Record<FigureName, Interval>> = {};
  for (const name of listNames(figures)) {
    const interval = findInterval(drawn.map((one) => one[name]));
    if (interval) intervals[name] = interval;
  }
  return intervals;
}

function listNames(figures: Figures): readonly FigureName[] {
  const isName = (name: string): name is FigureName => name in figures;
  return Object.keys(figures).filter(isName);
}

function named(name: "relativeNetUsd", interval: Interval | undefined): PolicyTotals["intervals"] {
  return interval ? { [name]: interval } : {};
}

function describeSession({ name, steps, walks }: WalkedSession, policies: Subject["policies"]): SessionRow {
  const beside = walks.get(REFERENCE);
  const whole = beside && toFigures(toRow(beside)).netUsd;
  return {
    name,
    steps,
    policies: policies.flatMap((policy): readonly SessionFigures[] => {
      const walk = walks.get(policy.name);
      if (!walk) return [];
      const figures = toFigures(toRow(walk));
      const { isWordless } = walk;
      const relativeNetUsd = divide(figures.netUsd, whole ?? 0);
      return [{ name: policy.name, ...figures, planMsP95: planMsP95([walk]), isWordless, relativeNetUsd }];
    }),
  };
}

function divide(part: number, whole: number): number | undefined {
  return whole > 0 ? part / whole : undefined;
}
