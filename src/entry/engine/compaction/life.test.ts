/** If red: the engine waits for ever for a compaction that was called off, or starts a second one. */
import { describe, expect, it } from "vitest";
import { diffSummary } from "../../../survive/receipt/diff-summary.ts";
import {
  answerGiven,
  compactionSettled,
  IDLE,
  type Life,
  type PendingCompaction,
  repairChecked,
  repairWaits,
  windowBegan,
} from "./life.ts";
import { NO_EXTRAS } from "./row-extras.ts";

const pending: PendingCompaction = {
  by: "client",
  trigger: "auto",
  tokensBefore: 90_000,
  expectedTokens: 20_000,
  ms: 1,
  why: "",
  steeredBy: undefined,
  landmark: "",
  before: { beside: NO_EXTRAS, keptAnswers: [], load: undefined },
};
const diff = diffSummary("", []);
const lost = { compaction: 1, diff };
const due = "Never touch the chain.";

/** Every state that there is, by what is in it. */
const STATES = {
  idle: IDLE,
  answering: { kind: "answering", pending },
  "answering, lost": { kind: "answering", pending, repair: { due: "", lost } },
  "answering, lost, due": { kind: "answering", pending, repair: { due, lost } },
  "answering, measured": { kind: "answering", pending: undefined },
  "answering, measured, lost": { kind: "answering", pending: undefined, repair: { due: "", lost } },
  "answering, measured, due": { kind: "answering", pending: undefined, repair: { due, lost: undefined } },
  "answering, measured, lost, due": { kind: "answering", pending: undefined, repair: { due, lost } },
  "answering, due": { kind: "answering", pending, repair: { due, lost: undefined } },
  answered: { kind: "answered", pending },
  "answered, lost": { kind: "answered", pending, repair: { due: "", lost } },
  "answered, due": { kind: "answered", pending, repair: { due, lost: undefined } },
  "answered, lost, due": { kind: "answered", pending, repair: { due, lost } },
  "repairing, lost": { kind: "repairing", repair: { due: "", lost } },
  "repairing, due": { kind: "repairing", repair: { due, lost: undefined } },
  "repairing, lost, due": { kind: "repairing", repair: { due, lost } },
} as const satisfies Readonly<Record<string, Life>>;
type State = keyof typeof STATES;

const EVENTS = {
  "we answer": (life: Life) => answerGiven(life, pending),
  "the client answers": (life: Life) => answerGiven(life, pending, lost),
  "the window begins": windowBegan,
  "a request is measured": compactionSettled,
  "a repair waits": (life: Life) => repairWaits(life, due),
  "the repair is placed": (life: Life) => repairWaits(life, ""),
  "the repair is checked": repairChecked,
} as const;

/** What follows each state at each event, in the order of EVENTS; the same state where the event cannot happen in it. */
const TABLE: Readonly<Record<State, readonly State[]>> = {
  idle: ["answering", "answering, lost", "idle", "idle", "repairing, due", "idle", "idle"],
  answering: [
    "answering",
    "answering, lost",
    "answered",
    "answering, measured",
    "answering, due",
    "answering",
    "answering",
  ],
  "answering, lost": [
    "answering, lost",
    "answering, lost",
    "answered, lost",
    "answering, measured, lost",
    "answering, lost, due",
    "answering, lost",
    "answering",
  ],
  "answering, lost, due": [
    "answering, lost, due",
    "answering, lost, due",
    "answered, lost, due",
    "answering, measured, lost, due",
    "answering, lost, due",
    "answering, lost",
    "answering, due",
  ],
  "answering, due": [
    "answering, due",
    "answering, lost, due",
    "answered, due",
    "answering, measured, due",
    "answering, due",
    "answering",
    "answering, due",
  ],
  "answering, measured": [
    "answering",
    "answering, lost",
    "idle",
    "answering, measured",
    "answering, measured, due",
    "answering, measured",
    "answering, measured",
  ],
  "answering, measured, lost": [
    "answering, lost",
    "answering, lost",
    "repairing, lost",
    "answering, measured, lost",
    "answering, measured, lost, due",
    "answering, measured, lost",
    "answering, measured",
  ],
  "answering, measured, due": [
    "answering, due",
    "answering, lost, due",
    "repairing, due",
    "answering, measured, due",
    "answering, measured, due",
    "answering, measured",
    "answering, measured, due",
  ],
  "answering, measured, lost, due": [
    "answering, lost, due",
    "answering, lost, due",
    "repairing, lost, due",
    "answering, measured, lost, due",
    "answering, measured, lost, due",
    "answering, measured, lost",
    "answering, measured, due",
  ],
  answered: ["answering", "answering, lost", "answered", "idle", "answered, due", "answered", "answered"],
  "answered, lost": [
    "answering, lost",
    "answering, lost",
    "answered, lost",
    "repairing, lost",
    "answered, lost, due",
    "answered, lost",
    "answered",
  ],
  "answered, due": [
    "answering, due",
    "answering, lost, due",
    "answered, due",
    "repairing, due",
    "answered, due",
    "answered",
    "answered, due",
  ],
  "answered, lost, due": [
    "answering, lost, due",
    "answering, lost, due",
    "answered, lost, due",
    "repairing, lost, due",
    "answered, lost, due",
    "answered, lost",
    "answered, due",
  ],
  "repairing, lost": [
    "answering, lost",
    "answering, lost",
    "repairing, lost",
    "repairing, lost",
    "repairing, lost, due",
    "repairing, lost",
    "idle",
  ],
  "repairing, due": [
    "answering, due",
    "answering, lost, due",
    "repairing, due",
    "repairing, due",
    "repairing, due",
    "idle",
    "repairing, due",
  ],
  "repairing, lost, due": [
    "answering, lost, due",
    "answering, lost, due",
    "repairing, lost, due",
    "repairing, lost, due",
    "repairing, lost, due",
    "repairing, lost",
    "repairing, due",
  ],
};

describe("the life around a compaction", () => {
  const events = Object.entries(EVENTS);
  const cases = Object.entries(TABLE).flatMap(([from, row]) =>
    events.map(([event, happen], at) => ({ from, event, to: row[at] ?? "", happen })),
  );
  const states: Readonly<Record<string, Life>> = STATES;

  it.each(cases)("is $to where it was $from and $event", ({ from, to, happen }) => {
    expect(happen(states[from] ?? IDLE)).toEqual(states[to]);
  });

  it.each([
    ["idle", "the window begins"],
    ["idle", "a request is measured"],
    ["answered", "the window begins"],
    ["repairing, lost", "the window begins"],
    ["repairing, due", "a request is measured"],
  ] as const)("stays %s, the very same, where %s: that cannot be", (state, event) => {
    expect(EVENTS[event](STATES[state])).toBe(STATES[state]);
  });
});
