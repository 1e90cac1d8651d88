import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Level } from "../../measure/level.ts";
import { estimateTextTokens, SEED_ERROR } from "../../models/tokens.ts";
import type { DensityEvent } from "./density-state.ts";
import {
  type DensitySignal,
  type DensityState,
  type DensityStep,
  decideDensity,
  initialDensityState,
} from "./density-state.ts";
import { REMINDER_MAX_TOKENS, renderDensityReminder } from "./render-density.ts";
import { stepDensity } from "./step-density.ts";

/** As the load is told where the person lets it switch terse writing on. */
const level = (value: Level): DensitySignal => ({ kind: "level", level: value, isAuto: true });
/** As it is told where nobody has asked for that. */
const load = (value: Level): DensitySignal => ({ kind: "level", level: value });
const compaction = (after?: Level): DensitySignal => ({ kind: "compaction", level: after });
const says = (text: string): DensitySignal => ({ kind: "prompt", text, startsTask: false });
const newTask = (text: string): DensitySignal => ({ kind: "prompt", text, startsTask: true });
const responded: DensitySignal = { kind: "responded" };
const worker = (id: string): DensitySignal => ({ kind: "workstream", id, mode: "caveman" });

interface Played extends DensityStep {
  readonly last: DensityStep;
}

/** A session told signal by signal: everything it emitted, and its last step. */
function play(...signals: readonly DensitySignal[]): Played {
  let last: DensityStep = { state: initialDensityState, events: [], injections: [], warnings: [] };
  const all: { events: DensityEvent[]; injections: string[]; warnings: string[] } = {
    events: [],
    injections: [],
    warnings: [],
  };
  for (const signal of signals) {
    last = stepDensity(last.state, signal);
    all.events.push(...last.events);
    all.injections.push(...last.injections);
    all.warnings.push(...last.warnings);
  }
  return { ...all, state: last.state, last };
}

const modeOf = (state: DensityState): string => decideDensity(state);

describe("by nobody's word", () => {
  it("[R29] [R30] [R89] never switches itself on, however full the window and however often it is compacted", () => {
    const { events, injections, state } = play(
      responded,
      load("ORANGE"),
      load("RED"),
      compaction(),
      load("RED"),
      compaction("RED"),
    );
    expect({ events, injections, mode: modeOf(state) }).toEqual({ events: [], injections: [], mode: "normal" });
  });

  it("lets go of what an earlier setting had switched on", () => {
    const { last } = play(responded, level("ORANGE"), load("ORANGE"));
    expect(modeOf(last.state)).toBe("normal");
    expect(last.injections.join()).toContain("Caveman mode released");
  });

  it("[R92] still warns who stops it at RED", () => {
    expect(play(says("caveman"), load("RED"), says("stop caveman")).warnings).toHaveLength(1);
  });
});

describe("by the level, where the person lets it", () => {
  it("[R29] switches on once at ORANGE, for the session", () => {
    const { events, injections } = play(
      level("YELLOW"),
      level("ORANGE"),
      level("ORANGE"),
      level("YELLOW"),
      level("ORANGE"),
    );
    expect(events).toEqual([
      { type: "output.density.set", mode: "caveman", scope: "session", source: "context-orange" },
    ]);
    expect(injections).toEqual([renderDensityReminder()]);
  });

  it("[R30] switches on at RED when ORANGE did not", () => {
    expect(play(level("GREEN"), level("RED"), level("RED")).events).toEqual([
      { type: "output.density.set", mode: "caveman", scope: "session", source: "context-red" },
    ]);
  });

  it("[R30] says nothing more at RED when ORANGE did", () => {
    expect(play(level("ORANGE"), level("RED")).events).toHaveLength(1);
  });

  it("[R89] is released at GREEN after a compaction, and says so", () => {
    const { last, state } = play(responded, level("ORANGE"), compaction(), level("GREEN"));
    expect(last.events).toEqual([
      { type: "output.density.set", mode: "normal", scope: "session", source: "context-green" },
    ]);
    expect(last.injections.join()).toContain("Caveman mode released");
    expect(modeOf(state)).toBe("normal");
  });

  it("[R89] is released by the compaction itself where the level after it is known", () => {
    expect(play(level("RED"), compaction("GREEN")).last.injections.join()).toContain("Caveman mode released");
  });

  it.each<readonly [string, readonly DensitySignal[]]>([
    ["GREEN without a compaction", [level("GREEN")]],
    ["a compaction that leads to YELLOW only", [compaction("YELLOW"), level("YELLOW")]],
    ["a fall to YELLOW", [level("YELLOW")]],
  ])("[R89] stays on after %s", (_, signals) => {
    expect(modeOf(play(responded, level("ORANGE"), ...signals).state)).toBe("caveman");
  });

  it("[R97] is not repeated by a compaction after which nobody knows the load, but by the next measure if it is still heavy", () => {
    const { last } = play(responded, level("ORANGE"), compaction());
    expect(last.injections).toEqual([]);
    expect(stepDensity(last.state, level("RED")).injections).toEqual([renderDensityReminder()]);
    expect(play(responded, level("ORANGE"), compaction(), level("RED"), level("ORANGE")).last.injections).toEqual([]);
  });

  it("[R89] can switch on again after a release", () => {
    expect(play(level("ORANGE"), compaction("GREEN"), level("RED")).events.map(({ source }) => source)).toEqual([
      "context-orange",
      "context-green",
      "context-red",
    ]);
  });
});

describe("by the person", () => {
  it("[R90] switches on and off by their words, from the source user", () => {
    const { events } = play(says("be brief"), says("normal mode"));
    expect(events.map(({ mode, source, scope }) => [mode, source, scope])).toEqual([
      ["caveman", "user", "session"],
      ["normal", "user", "session"],
    ]);
  });

  it("[R90] says nothing when they ask for what they have", () => {
    expect(play(says("caveman"), says("/caveman")).events).toHaveLength(1);
  });

  it("[R92] stays on by their word when a compaction leads back to GREEN", () => {
    const { state, injections } = play(responded, level("ORANGE"), says("caveman"), compaction("GREEN"));
    expect(modeOf(state)).toBe("caveman");
    expect(injections.join()).not.toContain("Caveman mode released");
  });

  it("[R92] stays off by their word, at ORANGE and at RED", () => {
    const { state, events } = play(responded, says("normal mode"), level("ORANGE"), level("RED"));
    expect(modeOf(state)).toBe("normal");
    expect(events.map(({ source }) => source)).toEqual(["user"]);
  });

  it("[R92] obeys stop caveman at RED, with a warning", () => {
    const { last } = play(responded, level("RED"), says("stop caveman"));
    expect(modeOf(last.state)).toBe("normal");
    expect(last.warnings).toEqual([expect.stringContaining("nearly full")]);
    expect(last.injections.join()).toContain("Caveman mode released");
  });

  it("[R92] warns of nothing below RED", () => {
    expect(play(level("ORANGE"), says("stop caveman")).warnings).toEqual([]);
  });
});

describe("by workstream", () => {
  it("[R91] keeps a workstream's density to that workstream", () => {
    const { state, events } = play(responded, worker("api"));
    expect(events).toEqual([
      { type: "output.density.set", mode: "caveman", scope: "workstream:api", source: "workstream" },
    ]);
    expect(decideDensity(state, "workstream:api")).toBe("caveman");
    expect(decideDensity(state, "workstream:web")).toBe("normal");
    expect(decideDensity(state, "session")).toBe("normal");
  });

  it("[R91] writes the team's summary densely from the third such worker on, and announces it once", () => {
    const { state, events, injections } = play(responded, worker("a"), worker("b"), worker("c"), worker("d"));
    expect(events.filter(({ scope }) => scope === "team")).toHaveLength(1);
    expect(injections).toHaveLength(1);
    expect(decideDensity(state, "team")).toBe("caveman");
    expect(decideDensity(play(responded, worker("a"), worker("b")).state, "team")).toBe("normal");
  });

  it("[R91] reverts after phase 5, not before", () => {
    const team = [responded, worker("a"), worker("b"), worker("c")];
    expect(decideDensity(play(...team, { kind: "phaseEnded", phase: 4 }).state, "team")).toBe("caveman");
    const { last } = play(...team, { kind: "phaseEnded", phase: 5 });
    expect(decideDensity(last.state, "team")).toBe("normal");
    expect(last.events).toMatchObject([{ mode: "normal", scope: "team" }]);
  });

  it("[R92] yields to the person in every scope", () => {
    const { state, events } = play(responded, says("normal mode"), worker("a"), worker("b"), worker("c"));
    expect(decideDensity(state, "workstream:a")).toBe("normal");
    expect(decideDensity(state, "team")).toBe("normal");
    expect(events.some(({ scope }) => scope === "team")).toBe(false);
  });

  it("takes no built-in name for a workstream", () => {
    expect(decideDensity(play(responded).state, "workstream:constructor")).toBe("normal");
  });
});

describe("response by response", () => {
  it("[R95] never begins with the first response of a task", () => {
    const first = play(level("ORANGE"), newTask("fix the parser"));
    expect(decideDensity(first.state)).toBe("normal");
    const second = play(level("ORANGE"), newTask("fix the parser"), responded);
    expect(modeOf(second.state)).toBe("caveman");
    const nextTask = play(level("ORANGE"), newTask("fix the parser"), responded, newTask("now the lexer"));
    expect(modeOf(nextTask.state)).toBe("normal");
  });

  it("[R94] reverts for one response, tells the model, and resumes", () => {
    const asked = play(responded, level("ORANGE"), says("explain that"));
    expect(decideDensity(asked.state)).toBe("normal");
    expect(asked.state.exception).toBe("clarify");
    expect(asked.last.injections).toEqual([expect.stringContaining("this one response")]);
    expect(modeOf(play(responded, level("ORANGE"), says("explain that"), responded).state)).toBe("caveman");
  });

  it("[R94] reverts for a question asked twice", () => {
    const { state } = play(responded, level("ORANGE"), says("which port?"), responded, says("Which  port?\n"));
    expect(state.exception).toBe("clarify");
  });

  it("[R94] reverts for what a caller tells, such as a command that waits for consent", () => {
    const { state } = play(responded, level("ORANGE"), { kind: "exception", exception: "irreversible" });
    expect(modeOf(state)).toBe("normal");
  });

  it("[R94] says nothing of exceptions while everything is written in full anyway", () => {
    expect(play(responded, says("explain that")).injections).toEqual([]);
  });
});

describe("the reminder", () => {
  it("[R97] comes again after every compaction while the mode lasts", () => {
    const { injections } = play(says("caveman mode"), compaction(), compaction("YELLOW"));
    expect(injections).toEqual([renderDensityReminder(), renderDensityReminder(), renderDensityReminder()]);
    expect(play(compaction()).injections).toEqual([]);
  });

  it("[R97] comes again after a compaction to GREEN when the person asked for the mode", () => {
    expect(play(level("ORANGE"), says("caveman"), compaction("GREEN")).last.injections).toEqual([
      renderDensityReminder(),
    ]);
  });

  it("[R97] is not repeated with every prompt", () => {
    expect(play(says("caveman mode"), says("next"), responded, says("go on")).injections).toHaveLength(1);
  });

  it.each([
    [/articles, filler, pleasantries, empty hedging, connectives, restating/, "what dies"],
    [/fragments, short synonyms, common abbreviations, arrows.*bullets/, "what is allowed"],
    [/code, errors, paths, identifiers, numbers, units, versions/, "what is never touched"],
    [/Keep a hedge that expresses real uncertainty/, "that real hedges stay"],
    [/calibration > evidence > a skill's output format > safety > actionability > economy/, "the precedence"],
    [/first response of every task/, "that a task begins in full"],
  ] as const)("[R98] matches %s: it says %s", (pattern, what) => {
    expect(renderDensityReminder(), what).toMatch(pattern);
  });

  it("[R98] stays within its budget at the upper bound of the estimate, whatever the tokenizer", () => {
    for (const tokenizer of ["classic", "dense"] as const) {
      const tokens = estimateTextTokens(renderDensityReminder(), tokenizer) * (1 + SEED_ERROR);
      expect(tokens).toBeLessThanOrEqual(REMINDER_MAX_TOKENS);
    }
  });
});

describe("whatever happens", () => {
  const anySignal: fc.Arbitrary<DensitySignal> = fc.oneof(
    fc.constantFrom<Level[]>("GREEN", "YELLOW", "ORANGE", "RED").map(level),
    fc.constantFrom<(Level | undefined)[]>("GREEN", "RED", undefined).map(compaction),
    fc.constantFrom("caveman", "stop caveman", "explain", "go on").map(says),
    fc.string({ unit: "binary" }).map(newTask),
    fc.constantFrom("a", "b", "c", "__proto__").map(worker),
    fc.constant(responded),
    fc.constant<DensitySignal>({ kind: "phaseEnded", phase: 5 }),
  );

  it("[R92] the last word of the person decides", () => {
    fc.assert(
      fc.property(fc.array(anySignal), (signals) => {
        const { state, events } = play(...signals);
        const word = events.findLast(({ source }) => source === "user")?.mode;
        if (word !== undefined) expect(state.manual).toBe(word);
        if (state.manual === "normal") expect(modeOf(state)).toBe("normal");
      }),
    );
  });

  it("[R95] the first response of a task is in full", () => {
    fc.assert(
      fc.property(fc.array(anySignal), (signals) => {
        expect(modeOf(play(...signals, newTask("x")).state)).toBe("normal");
      }),
    );
  });

  it("[R29] the level never says the same twice in a row", () => {
    fc.assert(
      fc.property(fc.array(anySignal), (signals) => {
        const own = play(...signals).events.filter(({ source }) => source.startsWith("context-"));
        for (const [index, event] of own.entries()) expect(event.mode).not.toBe(own[index - 1]?.mode);
      }),
    );
  });

  it("the state survives JSON", () => {
    fc.assert(
      fc.property(fc.array(anySignal), (signals) => {
        const { state } = play(...signals);
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
    );
  });
});
