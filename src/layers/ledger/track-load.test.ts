/** If red: the moment to compact is judged by a wrong weight of the conversation. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHistory, historyVocabulary } from "../../../test/support/arbitrary-history.ts";
import { tries } from "../../../test/support/depth.ts";
import { ledgerStyle } from "../../../test/support/ledger-style.ts";
import { answer, compacted, injected, prompt } from "../../../test/support/session-events.ts";
import type { Arrival, SessionEvent } from "../../core/event.ts";
import type { Occasion } from "../../core/layer.ts";
import type { Message } from "../../core/message.ts";
import { estimateMessageTokens } from "../../models/tokens.ts";
import type { CallVocabulary } from "../history/vocabulary.ts";
import { decideCollapse, type HistoryLoad } from "./decide-collapse.ts";
import type { LedgerStyle } from "./describe-call.ts";
import { createLoadTracker, type LoadState, type LoadTracker } from "./track-load.ts";
import { weighHistory } from "./weigh-history.ts";

const STYLE: LedgerStyle = ledgerStyle(400, { vocabulary: historyVocabulary });
const TAIL = { keepExchanges: 3, maxTailTokens: 40_000 };

const track = (saved?: LoadState): LoadTracker => createLoadTracker(STYLE, () => "dense", saved);
const countTokens = (message: Message): number => estimateMessageTokens(message, "dense");

/** A conversation as whoever follows it is told of it: an answer whole, all else block by block. */
function toEvents(messages: readonly Message[]): readonly SessionEvent[] {
  return messages.flatMap(({ role, blocks }): readonly SessionEvent[] =>
    role === "assistant" ? [answer("", undefined, blocks)] : blocks.map((block) => ({ ...prompt(""), role, block })),
  );
}
const summary = (text: string): Arrival => injected("summary", text);

function feed(tracker: LoadTracker, events: readonly SessionEvent[]): LoadTracker {
  for (const event of events) tracker.feed(event);
  return tracker;
}

/** So many answers of a call with its result. */
function exchanges(from: number, to: number): readonly Message[] {
  return Array.from({ length: to - from }, (_, offset): readonly Message[] => {
    const id = `c${from + offset}`;
    const result = { kind: "toolResult", id: `r${id}`, callId: id, isError: false } as const;
    return [
      {
        id: `a${id}`,
        role: "assistant",
        blocks: [{ kind: "toolCall", id, callId: id, tool: "Bash", input: { command: `paint ${id}` } }],
      },
      {
        id: `u${id}`,
        role: "user",
        blocks: [{ ...result, parts: [{ kind: "text", text: `${id} plank `.repeat(200) }] }],
      },
    ];
  }).flat();
}

const figuresOf = ({ ledgerTokens, old, tailTokens }: HistoryLoad): readonly number[] => [
  ledgerTokens,
  tailTokens,
  ...old.flatMap(({ gainTokens, keptTokens }) => [gainTokens, keptTokens]),
];
/** The same sum in another order is the same but for its last bits. */
function expectSame(load: HistoryLoad, wanted: HistoryLoad): void {
  expect(figuresOf(load)).toEqual(figuresOf(wanted).map((figure) => expect.closeTo(figure, 3)));
}

const arbitraryTail = fc.record({
  keepExchanges: fc.integer({ min: 1, max: 5 }),
  maxTailTokens: fc.constantFrom(0, 500, 3_000, 40_000),
  roomTokens: fc.constantFrom(1_000, Number.POSITIVE_INFINITY),
});
const arbitraryOccasion: fc.Arbitrary<Occasion> = fc.record({
  baseTokens: fc.integer({ min: 0, max: 40_000 }),
  model: fc.constantFrom("claude-opus-5", "claude-sonnet-4-6", ""),
  isCold: fc.boolean(),
  share1h: fc.constantFrom(0, 1),
  marks: fc.constant("client" as const),
});

const arbitraryRule = fc.record({
  patience: fc.constantFrom(0, 0.1, 1),
  leastTokens: fc.constantFrom(0, 1_000),
  keepExchanges: fc.constantFrom(0, 3),
  mostInVain: fc.constantFrom(0.1, 1),
});

describe("a load that is followed", () => {
  it("is what weighing the same messages gives, and so is the verdict over it", () => {
    const arbitrary = fc.tuple(arbitraryOccasion, arbitraryRule);
    fc.assert(
      fc.property(arbitraryHistory({ maxRounds: 24 }), arbitraryTail, arbitrary, (messages, tail, [occasion, rule]) => {
        const load = feed(track(), toEvents(messages)).load(tail);
        const weighed = weighHistory(messages, countTokens, { style: STYLE, tail });
        expectSame(load, weighed);
        const verdict = decideCollapse(load, occasion, rule);
        const wanted = decideCollapse(weighed, occasion, rule);
        expect([verdict.isDue, verdict.why]).toEqual([wanted.isDue, wanted.why]);
        expect(verdict.carriedUnits).toBeCloseTo(wanted.carriedUnits, 3);
        expect(verdict.costUnits).toBeCloseTo(wanted.costUnits, 3);
      }),
      { numRuns: tries(40, 200) },
    );
  });

  it("goes on in another process where the first one stopped, wherever that was", () => {
    fc.assert(
      fc.property(arbitraryHistory({ maxRounds: 12 }), arbitraryTail, fc.nat(), (messages, tail, at) => {
        const events = toEvents(messages);
        const cut = at % (events.length + 1);
        const first = feed(track(), events.slice(0, cut));
        const second = track(JSON.parse(JSON.stringify(first.state())));
        expectSame(second.load(tail), first.load(tail));
        const whole = feed(track(), events).load(tail);
        const halved = feed(second, events.slice(cut)).load(tail);
        // An exchange that is torn in two is weighed in two parts, so only how much of it would stay may differ.
        expect(halved.old).toHaveLength(whole.old.length);
        expect(weighAll(halved)).toBeCloseTo(weighAll(whole), 3);
      }),
    );
  });

  it("gives a collapse its lines, which are those that wording gives, also in a later process", () => {
    fc.assert(
      fc.property(arbitraryHistory({ maxRounds: 12 }), arbitraryTail, (messages, tail) => {
        const later = track(JSON.parse(JSON.stringify(feed(track(), toEvents(messages)).state())));
        const piecesBy = (style: LedgerStyle): readonly unknown[] =>
          weighHistory(messages, countTokens, { style, tail }).old.map(({ pieces }) => pieces);
        expect(piecesBy({ ...STYLE, known: later.lines() })).toEqual(piecesBy(STYLE));
      }),
      { numRuns: tries(40, 200) },
    );
  });

  it("leaves a collapse nothing to word, until a compaction empties the window", () => {
    let worded = 0;
    const interpretCall: CallVocabulary["interpretCall"] = (tool, input) => {
      worded++;
      return historyVocabulary.interpretCall(tool, input);
    };
    const style: LedgerStyle = { ...STYLE, vocabulary: { ...historyVocabulary, interpretCall } };
    const tracker = feed(
      createLoadTracker(style, () => "dense"),
      toEvents(exchanges(0, 8)),
    );
    const later = createLoadTracker(style, () => "dense", JSON.parse(JSON.stringify(tracker.state())));
    expect(worded).toBeGreaterThan(0);
    worded = 0;
    const { old } = weighHistory(exchanges(0, 8), countTokens, {
      style: { ...style, known: later.lines() },
      tail: TAIL,
    });
    expect([old.length, worded]).toEqual([5, 0]);
    tracker.collapsed(3, { ledgerTokens: 2_000, recordTokens: 2_000 });
    feed(later, [compacted()]);
    expect([tracker.lines().size, later.lines().size]).toEqual([0, 0]);
  });

  it("is nothing before anything was said", () => {
    expect(track().load(TAIL)).toEqual({ ledgerTokens: 0, old: [], tailTokens: 0 });
  });
});

function weighAll({ ledgerTokens, old, tailTokens }: HistoryLoad): number {
  return old.reduce((sum, { gainTokens, keptTokens }) => sum + gainTokens + keptTokens, ledgerTokens + tailTokens);
}

describe("after a compaction of ours", () => {
  const filled = (): LoadTracker => feed(track(), toEvents([...exchanges(0, 12)]));

  it("the ledger weighs what we said it does, once, however the client tells of it, and the last exchanges stay", () => {
    const tail = filled().load(TAIL).tailTokens;
    for (const session of [[compacted()], [compacted(), summary("the record ".repeat(300))]]) {
      const tracker = filled();
      tracker.collapsed(3, { ledgerTokens: 2_000, recordTokens: 2_000 });
      feed(tracker, session);
      expect(tracker.load(TAIL)).toEqual({ ledgerTokens: 2_000, old: [], tailTokens: tail });
    }
  });

  it("is known when the client sends it back, although what the client repeats in every window comes first", () => {
    const tracker = filled();
    tracker.collapsed(3, { ledgerTokens: 2_000, recordTokens: 2_000 });
    feed(tracker, [compacted(), prompt("the list of tools, once more"), summary("the record ".repeat(300))]);
    expect(tracker.load(TAIL).ledgerTokens).toBe(2_000);
  });

  it("goes on as weighing the collapsed conversation would", () => {
    const tracker = filled();
    tracker.collapsed(3, { ledgerTokens: 2_000, recordTokens: 2_000 });
    feed(tracker, [compacted(), summary("the record"), ...toEvents(exchanges(12, 20))]);
    const weighed = weighHistory(exchanges(9, 20), countTokens, { style: STYLE, tail: TAIL });
    expectSame(tracker.load(TAIL), { ...weighed, ledgerTokens: 2_000 });
  });

  it("counts the whole record, which is written with its ledger", () => {
    const tracker = filled();
    tracker.collapsed(3, { ledgerTokens: 2_000, recordTokens: 2_600 });
    expect(tracker.load(TAIL).ledgerTokens).toBe(2_600);
  });

  it("a summary that somebody else makes later takes the place of everything", () => {
    const tracker = filled();
    tracker.collapsed(3, { ledgerTokens: 2_000, recordTokens: 2_000 });
    const session = summary("what was done so far ".repeat(50));
    feed(tracker, [compacted(), summary("the record"), ...toEvents(exchanges(12, 14)), compacted(), session]);
    const ledgerTokens = countTokens({ id: "", role: "user", blocks: [session.block] });
    expect(tracker.load(TAIL)).toEqual({ ledgerTokens, old: [], tailTokens: 0 });
  });

  it("keeps everything where nothing was collapsed", () => {
    const tracker = filled();
    const { old } = tracker.load(TAIL);
    tracker.collapsed(12, { ledgerTokens: 700, recordTokens: 700 });
    feed(tracker, [compacted(), summary("the record")]);
    expect(tracker.load(TAIL)).toMatchObject({ ledgerTokens: 700, old });
  });
});

describe("after a compaction that somebody else made", () => {
  it("only the summary is left, and what follows it is weighed as ever", () => {
    const session = summary("what was done so far ".repeat(50));
    const tracker = feed(track(), [
      ...toEvents(exchanges(0, 12)),
      compacted(),
      session,
      ...toEvents(exchanges(20, 31)),
    ]);
    const weighed = weighHistory(exchanges(20, 31), countTokens, { style: STYLE, tail: TAIL });
    const ledgerTokens = countTokens({ id: "", role: "user", blocks: [session.block] });
    expectSame(tracker.load(TAIL), { ...weighed, ledgerTokens });
    // The opening that it weighs without is that of the window, not of the one before.
    const fresh = feed(track(), [compacted(), session, ...toEvents(exchanges(20, 31))]);
    expect(tracker.weight()).toBeCloseTo(fresh.weight(), 3);
    expect(fresh.weight()).toBeGreaterThan(ledgerTokens);
  });
});
