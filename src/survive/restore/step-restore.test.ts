/** If red: what a summary lost is put back twice, too late, or never. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import type { Fact } from "../receipt/fact.ts";
import { MAX_INJECTED_CHARACTERS } from "../receipt/plan-repair.ts";
import {
  initialRestoreState,
  isRestoring,
  MAX_TRIES,
  type RestoreEvent,
  type RestoreState,
  type RestoreStep,
  stepRestore,
} from "./step-restore.ts";

const AT = Date.UTC(2026, 0, 2, 10, 20);

function constraint(sentence: string): Fact {
  return { kind: "constraint", importance: 3, text: `The user said: "${sentence}"`, request: 4, sentence };
}

const MIGRATIONS = constraint("Never touch the migrations folder.");
const HARBOUR = constraint("Round every harbour fee to whole cents.");
const ROPES = constraint("Name the mooring ropes after admirals.");
const FACTS = [MIGRATIONS, HARBOUR, ROPES];

function asked(facts: readonly Fact[] = FACTS, kept = ""): RestoreEvent {
  return { kind: "asked", trigger: "auto", request: 7, atMs: AT, facts, kept };
}

function summarised(summary: string, isOver = true, isSealed = false): RestoreEvent {
  return { kind: "summarised", summary, isSealed, isOver, atMs: AT, request: 7, facts: FACTS };
}

function offered(event = "SessionStart", maxCharacters: number = MAX_INJECTED_CHARACTERS): RestoreEvent {
  return { kind: "offered", event, atMs: AT + 1, maxCharacters };
}

/** The last step of a story. */
function play(...events: readonly RestoreEvent[]): RestoreStep {
  let step: RestoreStep = { state: initialRestoreState, injection: "", receipt: undefined };
  for (const event of events) step = stepRestore(step.state, event);
  return step;
}

const SUMMARY = "<summary>\nRound every harbour fee to whole cents.\n</summary>";

describe("stepRestore", () => {
  it("gives exactly what the summary lost, dated, at the first event that can know it", () => {
    const { injection } = play(asked(), summarised(SUMMARY, false), offered());
    expect(injection.split("\n")).toEqual([
      expect.stringMatching(/^\[restored .* of 2026-01-02 10:20 UTC, request 7, before compaction 1: historical/),
      `- ${MIGRATIONS.text}`,
      `- ${ROPES.text}`,
    ]);
  });

  it("claims nothing of a summary that nobody can read: neither what it left out nor a receipt", () => {
    const sealed = summarised("Round every harbour fee to whole cents.", true, true);
    expect(play(asked(), sealed).receipt).toBeUndefined();
    const { injection, receipt } = play(asked(), sealed, offered());
    expect(injection).toContain(
      "Plimsoll cannot read the compaction's summary, so it cannot tell which of these facts the summary kept.]",
    );
    expect(injection).not.toContain("left this out");
    expect(injection.split("\n").slice(1)).toEqual([`- ${MIGRATIONS.text}`, `- ${ROPES.text}`]);
    expect(receipt).toBeUndefined();
  });

  it("[R112] carries a date and says that it is historical", () => {
    const { injection } = play(asked(), summarised(SUMMARY), offered());
    expect(injection).toMatch(/2026-01-02 10:20 UTC.*historical/);
  });

  it("says in the receipt what was lost, that it was injected, and that it landed", () => {
    const given = play(asked(), summarised(SUMMARY, false), offered());
    const over = stepRestore(given.state, summarised(SUMMARY));
    expect(over.receipt).toMatchObject({ compaction: 1, held: 1, landing: "unknown" });
    const seen = stepRestore(over.state, { kind: "looked", text: `before ${given.injection} after`, isOver: false });
    expect(seen.receipt).toMatchObject({
      landing: "landed",
      lost: [
        { line: `- ${MIGRATIONS.text}`, isInjected: true },
        { line: `- ${ROPES.text}`, isInjected: true },
      ],
    });
    expect(seen.state.stage).toBe("settled");
    expect(isRestoring(seen.state)).toBe(false);
    expect(stepRestore(seen.state, offered("UserPromptSubmit")).injection).toBe("");
  });

  it("[R166] counts up to four questions before one compaction once", () => {
    const { state } = play(asked(), asked(), asked(), asked(), summarised(SUMMARY));
    expect(state.compaction).toBe(1);
    expect(play(asked(), asked(), summarised(SUMMARY), asked()).state.compaction).toBe(2);
  });

  it("falls back to the next event when an answer came without it, and then sends only what is missing", () => {
    const first = play(asked(), summarised(SUMMARY), offered());
    const half = stepRestore(first.state, { kind: "looked", text: `- ${ROPES.text}`, isOver: true });
    expect(half.receipt?.landing).toBe("unknown");
    const second = stepRestore(half.state, offered("UserPromptSubmit"));
    expect(second.injection).toContain(MIGRATIONS.text);
    expect(second.injection).not.toContain(ROPES.text);
  });

  it("waits while nothing proves that the answer was given without it", () => {
    const first = play(asked(), summarised(SUMMARY), offered());
    const looked = stepRestore(first.state, { kind: "looked", text: "", isOver: false });
    expect(stepRestore(looked.state, offered("UserPromptSubmit")).injection).toBe("");
  });

  it("gives up after three tries, and the receipt says that it is missing", () => {
    const lost: RestoreEvent = { kind: "looked", text: "", isOver: true };
    const { state, receipt } = play(
      asked(),
      summarised(SUMMARY),
      ...["SessionStart", "UserPromptSubmit", "PostToolUse"].flatMap((event) => [offered(event), lost]),
    );
    expect(receipt?.landing).toBe("missing");
    expect(stepRestore(state, offered("PostToolUse")).injection).toBe("");
  });

  it("does not try a fourth time either while the end of the compaction is not told", () => {
    const lost: RestoreEvent = { kind: "looked", text: "", isOver: true };
    const tried = Array.from({ length: MAX_TRIES }, () => [offered(), lost]).flat();
    const { state } = play(asked(), summarised(SUMMARY, false), ...tried);
    expect(stepRestore(state, offered()).injection).toBe("");
  });

  it("injects nothing where the summary holds everything, and says so", () => {
    const { receipt, state } = play(asked(), summarised(FACTS.map(({ text }) => text).join("\n")));
    expect(receipt).toMatchObject({ held: 3, lost: [], landing: "landed" });
    expect(stepRestore(state, offered()).injection).toBe("");
  });

  it("does not put back what stands in messages that the client keeps", () => {
    const { injection } = play(
      asked(FACTS, "user: Never touch the migrations folder. And hurry."),
      summarised(SUMMARY),
      offered(),
    );
    expect(injection).toContain(ROPES.text);
    expect(injection).not.toContain(MIGRATIONS.text);
  });

  it("takes the analysis of the summariser, which the client throws away, for no summary", () => {
    const { injection } = play(asked(), summarised(`<analysis>${MIGRATIONS.text}</analysis>${SUMMARY}`), offered());
    expect(injection).toContain(MIGRATIONS.text);
  });

  it("judges by the summary that was really used when a first one was replaced", () => {
    const { injection } = play(
      asked(),
      summarised("<summary>nothing</summary>", false),
      summarised(SUMMARY),
      offered("UserPromptSubmit"),
    );
    expect(injection).not.toContain(HARBOUR.text);
  });

  it("remembers what landed when a second summary replaces the first: it is not sent again, and the receipt names it", () => {
    const first = play(asked(), summarised("<summary>nothing</summary>", false), offered());
    const seen = stepRestore(first.state, { kind: "looked", text: first.injection, isOver: true });
    // The second summary loses one of the three again, and keeps the others.
    const kept = `<summary>\n${[HARBOUR, ROPES].map(({ text }) => text).join("\n")}\n</summary>`;
    const second = stepRestore(seen.state, summarised(kept));
    expect(stepRestore(second.state, offered("UserPromptSubmit")).injection).toBe("");
    expect(second.receipt).toMatchObject({ held: 2, landing: "landed" });
    expect(second.receipt?.lost.map(({ line }) => line)).toEqual(FACTS.map(({ text }) => `- ${text}`));
  });

  it("knows a compaction that nobody asked about by what is known when it is over", () => {
    expect(play(summarised(SUMMARY), offered("UserPromptSubmit")).injection).toContain(MIGRATIONS.text);
    expect(play(summarised(SUMMARY, false), offered()).injection).toBe("");
  });

  it("names instruction files that the window lost once that can be seen", () => {
    const line = "- Instructions no longer in the window: read pkg/CLAUDE.md again";
    const { state } = play(asked([]), summarised("x"));
    expect(state.stage).toBe("settled");
    const named = stepRestore(stepRestore(state, { kind: "missed", lines: [line] }).state, offered("PostToolUse"));
    expect(named.injection.split("\n").slice(1)).toEqual([line]);
    const again = stepRestore(named.state, { kind: "missed", lines: [line] });
    expect(again.state).toEqual(named.state);
  });

  it("leaves out what has no room, the least important first, and says so", () => {
    const { state, injection } = play(asked(), summarised("x"), offered("SessionStart", 260));
    expect(injection.length).toBeLessThanOrEqual(260);
    expect(injection).toContain(MIGRATIONS.text);
    const over = stepRestore(state, { kind: "looked", text: injection, isOver: false });
    expect(over.receipt?.lost).toEqual(FACTS.map(({ text }, at) => ({ line: `- ${text}`, isInjected: at === 0 })));
    expect(over.receipt?.landing).toBe("landed");
  });
});

const word = fc.constantFrom("migrations", "harbour", "rope", "invoice", "ledger", "tide", "anchor", "beacon");
const anyFact = fc
  .array(word, { minLength: 3, maxLength: 60 })
  .map((words) => constraint(`Never ${words.join(" ")} ${words.length}.`));
const anyEvent: fc.Arbitrary<RestoreEvent> = fc.oneof(
  fc.array(anyFact, { maxLength: 40 }).map((facts) => asked(facts)),
  fc
    .tuple(fc.array(word, { maxLength: 20 }), fc.boolean())
    .map(([words, isOver]) => summarised(words.join(" "), isOver)),
  fc.array(word, { maxLength: 3 }).map((words): RestoreEvent => ({ kind: "missed", lines: words })),
  fc
    .tuple(fc.constantFrom("SessionStart", "UserPromptSubmit", "PostToolUse"), fc.integer({ min: 0, max: 20_000 }))
    .map(([event, most]) => offered(event, most)),
);

/** A client that shows each injection whole, not at all, or late. */
const anyStory = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: anyEvent },
    { weight: 2, arbitrary: fc.constantFrom("shown" as const, "lost" as const, "late" as const) },
  ),
  { maxLength: 40 },
);

describe("stepRestore, whatever the order of events", () => {
  it("never gives again what landed, never more than the limit, and never after three tries", () => {
    fc.assert(
      fc.property(anyStory, (story) => {
        let state: RestoreState = initialRestoreState;
        let pending = "";
        let compaction = 0;
        let given = 0;
        let landed = new Set<string>();
        for (const entry of story) {
          const event: RestoreEvent =
            typeof entry === "string"
              ? { kind: "looked", text: entry === "shown" ? pending : "", isOver: entry !== "late" }
              : entry;
          if (entry === "shown") for (const line of pending.split("\n").slice(1)) landed.add(line);
          if (typeof entry === "string" && entry !== "late") pending = "";
          const step = stepRestore(JSON.parse(JSON.stringify(state)), event);
          state = step.state;
          if (state.compaction !== compaction) {
            compaction = state.compaction;
            given = 0;
            landed = new Set();
            // Another window: what was handed to the last one is no part of it.
            pending = "";
          }
          if (step.injection === "") continue;
          given++;
          pending = step.injection;
          const lines = step.injection.split("\n").slice(1);
          expect(lines.filter((line) => landed.has(line))).toEqual([]);
          expect(event.kind === "offered" && step.injection.length <= event.maxCharacters).toBe(true);
          const total = [...landed, ...lines].reduce((sum, line) => sum + line.length + 1, 0);
          expect(total).toBeLessThanOrEqual(MAX_INJECTED_CHARACTERS);
          expect(given).toBeLessThanOrEqual(MAX_TRIES);
        }
      }),
      { numRuns: tries(40, 1000) },
    );
  });
});
