import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decideModeInjection,
  FRESH_STARTS,
  initialModeState,
  type ModeDecision,
  type ModeEvent,
  type ModeState,
} from "./decide-mode-injection.ts";
import { MODES, type Mode, parseActiveMode } from "./parse-active-mode.ts";

const CONTEXTS = path.resolve(import.meta.dirname, "../../../contexts");
const textOf = (mode: Mode): string => readFileSync(path.join(CONTEXTS, `${mode}.md`), "utf8");

/** What a door sees: the file as it is now, and the text of the mode it names. */
function observe(own: string | undefined) {
  const active = parseActiveMode({ own, legacy: undefined });
  return { active, text: active.kind === "set" ? textOf(active.mode) : undefined };
}

const start = (source: string, own: string | undefined): ModeEvent => ({
  kind: "sessionStart",
  source,
  ...observe(own),
});
const prompt = (own: string | undefined): ModeEvent => ({ kind: "prompt", ...observe(own) });

/** Several events in a row: what each of them injects. */
function play(...events: readonly ModeEvent[]): readonly ModeDecision[] {
  let state: ModeState = initialModeState;
  return events.map((event) => {
    const decision = decideModeInjection(state, event);
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
  it.each(FRESH_STARTS)("[R3] injects the mode under its header after %s", (source) => {
    const [decision] = play(start(source, "dev\n"));
    expect(decision?.injection).toBe(`=== Active Context: dev mode ===\n${textOf("dev").trim()}`);
  });

  it("[R3] knows exactly the four kinds of start that the client tells", () => {
    expect(FRESH_STARTS).toEqual(["startup", "resume", "clear", "compact"]);
  });

  it("[R3] injects again after a compaction, which took the rules out of the window", () => {
    const decisions = play(start("startup", "dev"), prompt("dev"), start("compact", "dev"));
    expect(decisions.map(({ injection }) => injection !== undefined)).toEqual([true, false, true]);
  });

  it.each(FRESH_STARTS)("[R5] injects nothing after %s when the file is absent", (source) => {
    const [decision] = play(start(source, undefined));
    expect(decision).toEqual({ state: initialModeState, injection: undefined, warning: undefined });
  });

  it("[R6] injects nothing of an unknown mode, and warns the person", () => {
    const [decision] = play(start("startup", "../../x"));
    expect(decision?.injection).toBeUndefined();
    expect(decision?.warning).toMatch(/names no known mode/);
  });

  it("warns when the rules of a known mode cannot be read", () => {
    const active = parseActiveMode({ own: "dev", legacy: undefined });
    const decision = decideModeInjection(initialModeState, {
      kind: "sessionStart",
      source: "startup",
      active,
      text: undefined,
    });
    expect(decision).toMatchObject({ injection: undefined, warning: expect.stringMatching(/cannot be read/) });
  });
});

describe("in the middle of a session", () => {
  it("[R4] injects a changed mode once, and says what it replaces", () => {
    const [, changed, again] = play(start("startup", "dev"), prompt("research"), prompt("research"));
    expect(changed?.injection).toMatch(/^=== Active Context: research mode ===\nThis replaces dev mode\.\n/);
    expect(changed?.injection).toContain(textOf("research").trim());
    expect(again?.injection).toBeUndefined();
  });

  it("[R4] notices a mode that is set where there was none", () => {
    const [, set, again] = play(start("startup", undefined), prompt("review"), prompt("review"));
    expect(set?.injection).toBe(`=== Active Context: review mode ===\n${textOf("review").trim()}`);
    expect(again?.injection).toBeUndefined();
  });

  it("[R4] says once that the rules no longer apply when the mode is taken away", () => {
    const [, gone, again] = play(start("startup", "dev"), prompt(undefined), prompt(undefined));
    expect(gone?.injection).toBe("=== Active Context: none ===\nThe rules of dev mode no longer apply.");
    expect(again?.injection).toBeUndefined();
  });

  it("[R6] warns once of a bad file and leaves the rules already told in force", () => {
    const decisions = play(start("startup", "dev"), prompt("../x"), prompt("../x"), prompt("dev"));
    expect(decisions.map(({ warning }) => warning !== undefined)).toEqual([false, true, false, false]);
    expect(decisions.slice(1).map(({ injection }) => injection)).toEqual([undefined, undefined, undefined]);
  });

  it("treats a start of an unknown kind like a prompt", () => {
    const [, same, changed] = play(start("startup", "dev"), start("teleport", "dev"), start("teleport", "review"));
    expect(same?.injection).toBeUndefined();
    expect(changed?.injection).toContain("review mode");
  });
});

describe("whatever happens", () => {
  const anyFile = fc.option(fc.constantFrom("dev", "research", "review", "off", "../x", ""), { nil: undefined });
  const anyEvent = fc.tuple(fc.constantFrom("prompt", "startup", "compact", "other"), anyFile);
  const toEvent = ([kind, own]: readonly [string, string | undefined]): ModeEvent =>
    kind === "prompt" ? prompt(own) : start(kind, own);

  it("[R4] never injects twice for the same file within one window", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 8 }), anyFile, (events, own) => {
        const last = play(...events.map(toEvent), prompt(own), prompt(own)).at(-1);
        expect(last).toMatchObject({ injection: undefined, warning: undefined });
      }),
    );
  });

  it("keeps a state that survives JSON", () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 8 }), (events) => {
        const state = play(...events.map(toEvent)).at(-1)?.state;
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      }),
    );
  });
});
