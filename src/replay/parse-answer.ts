import { isObject, type Json, listField } from "../core/json.ts";
import { SET_CACHE_LIVES } from "./policy-names.ts";
import type { PolicyTotals, ReplayReport, ReportedSession, ReportGroup, SessionFigures } from "./report.ts";

/** What is shown of an answer of `plimsoll replay --json`. */
export interface ReplayAnswer extends Pick<ReplayReport, "minSteps" | "leftOut" | "installed" | "loss"> {
  /** What was asked about, and how much of it is in the answer. */
  readonly asked: AskedFiles;
  readonly policies: readonly AnsweredPolicy[];
  readonly groups: readonly Pick<ReportGroup, "name" | "sessions" | "repositories">[];
  readonly clients: readonly Answered<ReplayReport["clients"][number]>[];
  readonly cacheLives: ReplayReport["cacheLives"] | null;
  readonly sessions: readonly AnsweredSession[];
  readonly shortSessions: readonly AnsweredSession[];
}

export interface AskedFiles {
  /** The days, as words; every recorded session if absent. */
  readonly days?: string | null | undefined;
  readonly files: number;
  /** Files that the time did not suffice for; the next run continues there. */
  readonly waiting: number;
}

/** In JSON, what is unknown is null. */
type Answered<Row> = {
  readonly [Field in keyof Row]: undefined extends Row[Field] ? Row[Field] | null : Row[Field];
};

type ShownFigure = "name" | "about" | "netUsd" | "recoveryUsd" | "rereadUsd" | "coldRecoverable" | "coldLost";
type ShownBounds = { readonly heldAsRecorded?: { readonly coldLost?: number | null | undefined } | null | undefined };

export interface AnsweredPolicy extends Answered<Pick<PolicyTotals, ShownFigure>> {
  readonly relative: Answered<Pick<PolicyTotals["relative"], "netUsd" | "netInterval">>;
  /** Absent if all words of the summaries are known. */
  readonly bounds?: ShownBounds | null | undefined;
}

export interface AnsweredSession extends Pick<ReportedSession, "name" | "recordedUsd"> {
  readonly loss?: ReportedSession["loss"] | null;
  readonly policies: readonly Pick<SessionFigures, "name" | "netUsd">[];
}

const LOSS = { summaries: 0, facts: 0, lost: 0 };
const SESSION = { name: "", recordedUsd: 0, "loss?": LOSS, policies: [{ name: "", netUsd: 0 }] };
const RELATIVE = { "netUsd?": 0, "netInterval?": { low: 0, high: 0 } };
const BOUNDS = { "heldAsRecorded?": { "coldLost?": 0 } };
const OFTEN_UNKNOWN = { "coldRecoverable?": 0, "coldLost?": 0, "bounds?": BOUNDS, relative: RELATIVE };
/** What every answer has; a field with a question mark may be null or absent. */
const EXAMPLE = {
  minSteps: 0,
  asked: { "days?": "", files: 0, waiting: 0 },
  installed: "",
  loss: LOSS,
  policies: [{ name: "", about: "", netUsd: 0, recoveryUsd: 0, rereadUsd: 0, ...OFTEN_UNKNOWN }],
  groups: [{ name: "", sessions: 0, repositories: 0 }],
  clients: [{ client: "", sessions: 0, "billedUsd?": 0, recordedUsd: 0, simulatedUsd: 0, ownUsd: 0, savedUsd: 0 }],
  sessions: [SESSION],
  shortSessions: [SESSION],
  leftOut: [{ name: "", why: "" }],
};
const LIFE = { life: "", usd: 0, shortUsd: 0, uncachedTokens: 0 };
const LIVES = {
  sessions: 0,
  pauses: 0,
  recordedUsd: 0,
  shortUsd: 0,
  clientUncachedTokens: 0,
  isSubscription: false,
  lives: [LIFE],
};

/** `undefined` for anything else, such as an answer of a version with other fields. */
export function parseAnswer(text: string): ReplayAnswer | undefined {
  const answer: unknown = JSON.parse(text);
  return isAnswer(answer) ? answer : undefined;
}

function isAnswer(value: unknown): value is ReplayAnswer {
  if (!isObject(value) || !isLike(value, EXAMPLE)) return false;
  const { cacheLives = null } = value;
  return cacheLives === null || (isLike(cacheLives, LIVES) && hasKnownLives(cacheLives));
}

/** Other lifetimes are those of another version. */
function hasKnownLives(cacheLives: Json): boolean {
  const lives = isObject(cacheLives) ? listField(cacheLives, "lives") : [];
  const isKnown = (one: Json): boolean => isObject(one) && SET_CACHE_LIVES.some((life) => life === one.life);
  return lives.length > 0 && lives.every(isKnown);
}

/** Whether it has at least the example's fields, of the same types. */
function isLike(value: Json | undefined, example: Json | undefined): boolean {
  if (Array.isArray(example)) return Array.isArray(value) && value.every((one) => isLike(one, example[0]));
  if (!isObject(example)) return typeof value === typeof example;
  if (!isObject(value)) return false;
  return Object.entries(example).every(([name, field]) => {
    const own = value[name.replace("?", "")] ?? null;
    return (own === null && name.endsWith("?")) || isLike(own, field);
  });
}
