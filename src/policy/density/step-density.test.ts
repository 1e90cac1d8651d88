/** If red: terse writing switches itself on, or stays on against the person's word. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Level } from "../../measure/level.ts";
import { estimateTextTokens, SEED_ERROR } from "../../models/tokens.ts";
import { type OwnAction, parseAction, renderAction } from "../actions/own-action.ts";
import { INITIAL_POLICY, type PolicyState } from "../policy-state.ts";
import type { DensityEvent, DensitySignal, DensityState } from "./density-state.ts";

import { followDensity, renderDensityReminder } from "./step-density.ts";

/** As the load is told where the person lets it switch terse writing on. */
const level = (value: Level): DensitySignal => ({ kind: "level", level: value, isAuto: true });
/** As it is told where nobody has asked for that. */
const load = (value: Level): DensitySignal => ({ kind: "level", level: value });
const compaction = (after?: Level): DensitySignal => ({ kind: "compaction", level: after });
const says = (text: string): DensitySignal => ({ kind: "prompt", text, startsTask: false });
const newTask = (text: string): DensitySignal => ({ kind: "prompt", text, startsTask: true });
const responded: DensitySignal = { kind: "responded" };
const worker = (id: string): DensitySignal => ({ kind: "workstream", id, mode: "caveman" });

interface Heard {
  readonly events: readonly DensityEvent[];
  readonly injections: readonly string[];
  readonly warnings: readonly string[];
}

function hear(before: PolicyState, signal: DensitySignal): Heard & { readonly policy: PolicyState } {
  const { state: policy, list, commands } = followDensity(before, signal, "test");
  const events = commands.flatMap((each) =>
    each.kind === "note" && each.action.kind === "signal" ? [each.action.signal] : [],
  );
  const warnings = commands.flatMap((each) => (each.kind === "warn" ? [each.text] : []));
  return { policy, events, injections: list.map(({ text }) => text), warnings };
}

/** A session told signal by signal: everything it emitted, and its last step. */
function play(...signals: readonly DensitySignal[]): Heard & { readonly last: Heard; readonly state: DensityState } {
  let policy = INITIAL_POLICY;
  const steps = signals.map((signal) => {
    const heard = hear(policy, signal);
    policy = heard.policy;
    return heard;
  });
  return {
    events: steps.flatMap(({ events }) => events),
    injections: steps.flatMap(({ injections }) => injections),
    warnings: steps.flatMap(({ warnings }) => warnings),
    last: steps.at(-1) ?? { events: [], injections: [], warnings: [] },
    state: policy.red.density,
  };
}

const modeOf = ({ manual, auto }: DensityState): string => manual ?? (auto === null ? "normal" : "caveman");
const IN_FULL = expect.stringContaining("this one response");

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
    const { last, state } = play(responded, level("ORANGE"), load("ORANGE"));
    expect(modeOf(state)).toBe("normal");
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
    const compacted = [responded, level("ORANGE"), compaction()];
    expect(play(...compacted).last.injections).toEqual([]);
    expect(play(...compacted, level("RED")).last.injections).toEqual([renderDensityReminder()]);
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
    const { last, state } = play(responded, level("RED"), says("stop caveman"));
    expect(modeOf(state)).toBe("normal");
    expect(last.warnings).toEqual([expect.stringContaining("nearly full")]);
    expect(last.injections.join()).toContain("Caveman mode released");
  });

  it("[R92] warns of nothing below RED", () => {
    expect(play(level("ORANGE"), says("stop caveman")).warnings).toEqual([]);
  });
});

describe("by workstream", () => {
  it("[R91] [R93] keeps a workstream's density to that workstream, and names it", () => {
    const { state, events } = play(responded, worker("api"));
    expect(events).toEqual([
      { type: "output.density.set", mode: "caveman", scope: "workstream:api", source: "workstream" },
    ]);
    expect(modeOf(state)).toBe("normal");
    expect(play(worker("api"), worker("api")).events).toHaveLength(1);
  });

  it("[R91] writes the team's summary densely from the third such worker on, and announces it once", () => {
    const { events, injections } = play(responded, worker("a"), worker("b"), worker("c"), worker("d"));
    expect(events.filter(({ scope }) => scope === "team")).toMatchObject([{ mode: "caveman" }]);
    expect(injections).toEqual([expect.stringContaining("team summary")]);
    expect(play(responded, worker("a"), worker("b")).injections).toEqual([]);
  });

  it("[R91] reverts when the team's phases end", () => {
    const { last, state } = play(worker("a"), worker("b"), worker("c"), { kind: "teamEnded" });
    expect(last.events).toMatchObject([{ mode: "normal", scope: "team" }]);
    expect([state.isTeamDense, state.workstreams]).toEqual([false, {}]);
    expect(play(worker("a"), { kind: "teamEnded" }).last.events).toEqual([]);
  });

  it("[R92] yields to the person in every scope", () => {
    const { state, events } = play(responded, says("normal mode"), worker("a"), worker("b"), worker("c"));
    expect(modeOf(state)).toBe("normal");
    expect(events.some(({ scope }) => scope === "team")).toBe(false);
  });

  it("takes no built-in name for a workstream", () => {
    expect(play(worker("constructor")).events).toMatchObject([{ scope: "workstream:constructor" }]);
  });
});

describe("response by response", () => {
  it("[R95] never begins with the first response of a task", () => {
    const first = play(level("ORANGE"), newTask("fix the parser"));
    expect(first.last.injections).toEqual([expect.stringContaining("first response of a task")]);
    expect(play(level("ORANGE"), newTask("fix the parser"), responded, says("go on")).last.injections).toEqual([]);
    const nextTask = play(level("ORANGE"), newTask("fix the parser"), responded, newTask("now the lexer"));
    expect(nextTask.last.injections).toEqual(first.last.injections);
  });

  it("[R94] reverts for one response, tells the model, and resumes", () => {
    const asked = play(responded, level("ORANGE"), says("explain that"));
    expect(asked.state.exception).toBe("clarify");
    expect(asked.last.injections).toEqual([IN_FULL]);
    const resumed = play(responded, level("ORANGE"), says("explain that"), responded);
    expect([modeOf(resumed.state), resumed.state.exception]).toEqual(["caveman", null]);
  });

  it("[R94] reverts for a question asked twice", () => {
    const { state } = play(responded, level("ORANGE"), says("which port?"), responded, says("Which  port?\n"));
    expect(state.exception).toBe("clarify");
  });

  it("[R94] reverts for what a caller tells, such as a command that waits for consent", () => {
    const { last } = play(responded, level("ORANGE"), { kind: "exception", exception: "irreversible" });
    expect(last.injections).toEqual([IN_FULL]);
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
      expect(tokens).toBeLessThanOrEqual(400);
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
    fc.constant<DensitySignal>({ kind: "teamEnded" }),
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
        const { state, last } = play(...signals, newTask("x"));
        if (modeOf(state) === "caveman") expect(last.injections).toEqual([IN_FULL]);
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

  it("[R93] every event carries mode, scope and source, and comes back from the journal as it was", () => {
    fc.assert(
      fc.property(fc.array(anySignal), (signals) => {
        for (const signal of play(...signals).events) {
          expect(Object.keys(signal)).toEqual(["type", "mode", "scope", "source"]);
          const action: OwnAction = { atMs: 1, door: "module", event: "x", client: "", kind: "signal", signal };
          expect(parseAction(renderAction(action))).toEqual(action);
        }
      }),
    );
  });
});
