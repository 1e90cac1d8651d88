/** If red: the rules of the person's mode are not given to the model, or are repeated. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideModeInjection, initialModeState, type ModeDecision, type ModeState } from "./decide-mode-injection.ts";
import { MODES, type Mode, parseActiveMode } from "./parse-active-mode.ts";

const CONTEXTS = path.resolve(import.meta.dirname, "../../../contexts");
const textOf = (mode: Mode): string => readFileSync(path.join(CONTEXTS, `${mode}.md`), "utf8");

interface ModeEvent {
  readonly own: string | undefined;
  readonly isFresh: boolean;
}

const start = (own: string | undefined): ModeEvent => ({ own, isFresh: true });
const prompt = (own: string | undefined): ModeEvent => ({ own, isFresh: false });

/** Several events in a row: what each of them injects, by the file as it is then and the text of the mode it names. */
function play(...events: readonly ModeEvent[]): readonly ModeDecision[] {
  let state: ModeState = initialModeState;
  return events.map(({ own, isFresh }) => {
    const active = parseActiveMode({ own, legacy: undefined });
    const text = active.kind === "set" ? textOf(active.mode) : undefined;
    const decision = decideModeInjection(isFresh ? initialModeState : state, active, text);
    state = decision.state;
    return decision;
  });
}

describe("the texts of the modes", () => {
  it("[R1] are one file per mode, dev, research and review", () => {
    expect(readdirSync(CONTEXTS).sort()).toEqual(["dev.md", "research.md", "review.md"]);
  });

  it.each(MODES)("[R1] keep %s below 2,000 characters", (mode) => {
    expect(textOf(mode).length).toBeGreaterThan(500);
    expect(textOf(mode).length).toBeLessThan(2000);
  });

  it.each([
    ["dev", [/80 %/, /code first/i, /two attempts at one error/, /Edit, Write and Bash before Read and Grep/, /Glob/]],
    ["research", [/read-only/, /three independent sources/, /Confirmed/, /Likely/, /Uncertain/]],
    ["review", [/six dimensions/, /BLOCK/, /HIGH/, /MEDIUM/, /LOW/, /PRAISE/, /At least one/]],
  ] as const)("[R1] say what %s mode stands for", (mode, words) => {
    for (const word of words) expect(textOf(mode)).toMatch(word);
  });

  it("[R1] number six dimensions of a review", () => {
    expect(textOf("review").match(/^\d\. \*\*\w+\*\*/gm)).toHaveLength(6);
  });
});

describe("at the start of a session", () => {
  it("[R3] injects the mode under its header", () => {
    const [decision] = play(start("dev\n"));
    expect(decision?.injection).toBe(`=== Active Context: dev mode ===\n${textOf("dev").trim()}`);
  });

  it("[R3] injects again after a compaction, which took the rules out of the window", () => {
    const decisions = play(start("dev"), prompt("dev"), start("dev"));
    expect(decisions.map(({ injection }) => injection !== undefined)).toEqual([true, false, true]);
  });

  it("[R5] injects nothing when the file is absent", () => {
    const [decision] = play(start(undefined));
    expect(decision).toEqual({ state: initialModeState, injection: undefined, warning: undefined });
  });

  it("[R6] injects nothing of an unknown mode, and warns the person", () => {
    const [decision] = play(start("../../x"));
    expect(decision?.injection).toBeUndefined();
    expect(decision?.warning).toMatch(/names no known mode/);
  });

  it("warns when the rules of a known mode cannot be read", () => {
    const active = parseActiveMode({ own: "dev", legacy: undefined });
    const decision = decideModeInjection(initialModeState, active, undefined);
    expect(decision).toMatchObject({ injection: undefined, warning: expect.stringMatching(/cannot be read/) });
  });
});

describe("in the middle of a session", () => {
  it("[R4] injects a changed mode once, and says what it replaces", () => {
    const [, changed, again] = play(start("dev"), prompt("research"), prompt("research"));
    expect(changed?.injection).toMatch(/^=== Active Context: research mode ===\nThis replaces dev mode\.\n/);
    expect(changed?.injection).toContain(textOf("research").trim());
    expect(again?.injection).toBeUndefined();
  });

  it("[R4] notices a mode that is set where there was none", () => {
    const [, set, again] = play(start(undefined), prompt("review"), prompt("review"));
    expect(set?.injection).toBe(`=== Active Context: review mode ===\n${textOf("review").trim()}`);
    expect(again?.injection).toBeUndefined();
  });

  it("[R4] says once that the rules no longer apply when the mode is taken away", () => {
    const [, gone, again] = play(start("dev"), prompt(undefined), prompt(undefined));
    expect(gone?.injection).toBe("=== Active Context: none ===\nThe rules of dev mode no longer apply.");
    expect(again?.injection).toBeUndefined();
  });

  it("[R6] warns once of a bad file and leaves the rules already told in force", () => {
    const decisions = play(start("dev"), prompt("../x"), prompt("../x"), prompt("dev"));
    expect(decisions.map(({ warning }) => warning !== undefined)).toEqual([false, true, false, false]);
    expect(decisions.slice(1).map(({ injection }) => injection)).toEqual([undefined, undefined, undefined]);
  });
});

describe("whatever happens", () => {
  const anyFile = fc.option(fc.constantFrom("dev", "research", "review", "off", "../x", ""), { nil: undefined });
  const anyEvent: fc.Arbitrary<ModeEvent> = fc.record({ own: anyFile, isFresh: fc.boolean() });

  it("[R4] never injects twice for the same file within one window", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 8 }), anyFile, (events, own) => {
        const last = play(...events, prompt(own), prompt(own)).at(-1);
        expect(last).toMatchObject({ injection: undefined, warning: undefined });
      }),
    );
  });

  it("keeps a state that survives JSON", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 8 }), (events) => {
        const state = play(...events).at(-1)?.state;
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
    );
  });
});
