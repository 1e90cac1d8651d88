/** If red: warnings come at the wrong size or number of calls, or again and again. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import {
  followLoad,
  type LoadAdvice,
  type LoadInput,
  listenToLoad as listen,
} from "../../../test/support/follow-load.ts";
import { story } from "../../../test/support/story.ts";
import { assessHealth, type Health } from "../../measure/health.ts";
import { PROFILES, type Profile } from "../../measure/level.ts";
import { emptyMeter } from "../../measure/meter.ts";
import { INITIAL_POLICY } from "../policy-state.ts";
import { DEFAULT_SETTINGS } from "../settings/settings.ts";
import { classifyRemaining, measured as follow, saved } from "./measured.ts";

it.each([
  [100, "SAFE"],
  [36, "SAFE"],
  [35.1, "SAFE"],
  [35, "WARNING"],
  [30, "WARNING"],
  [25, "WARNING"],
  [24.9, "CRITICAL"],
  [24, "CRITICAL"],
  [0, "CRITICAL"],
] as const)("[R21] %f %% left are %s", (percentLeft, level) => {
  expect(classifyRemaining(percentLeft)).toBe(level);
});

const counted = (toolCalls: number, compactions = 0, callsBefore = 0): Health => ({
  ...assessHealth({ ...emptyMeter, toolCalls, callsBefore }),
  compactions,
});
const measured = (percent: number, toolCalls: number, profile: Profile = "percent"): Health =>
  assessHealth(
    { ...emptyMeter, toolCalls },
    { client: { usedTokens: percent * 2000, windowTokens: 200_000 }, profile },
  );

const upTo = (last: number, first = 1): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);
const brief = (said: readonly LoadAdvice[]): readonly string[] =>
  said.map(({ atCalls, level }) => `${atCalls} ${level}`);
const isCritical = ({ text }: LoadAdvice): boolean => text.startsWith("Context CRITICAL");

describe("by tool calls", () => {
  it("[R25] says nothing at GREEN", () => {
    expect(listen(upTo(10).map((calls) => counted(calls)))).toEqual([]);
    expect(listen(upTo(49).map((calls) => counted(calls)))).toEqual([]);
  });

  it("[R26] speaks at call 50, labelled directional, and asks for no compaction", () => {
    expect(listen(upTo(50).map((calls) => counted(calls)))).toEqual([
      {
        atCalls: 50,
        level: "YELLOW",
        text: "50 tool calls. Load only essential files. Avoid reading full files when Grep will do.",
        note: "Tool count is a directional proxy. Check CLI status bar for actual context usage.",
      },
    ]);
  });

  it("[R27] speaks at call 80, and again only at the next level", () => {
    const said = listen(upTo(125).map((calls) => counted(calls)));
    expect(brief(said)).toEqual(["50 YELLOW", "80 ORANGE", "121 RED"]);
    expect(said[1]?.text).toBe(
      "80 tool calls. Recommend /compact at next phase boundary (after current module completes).",
    );
  });

  it("[R115] goes by the table for large files where three large reads were seen", () => {
    const large = (calls: number): Health => assessHealth({ ...emptyMeter, toolCalls: calls, largeReads: 3 });
    expect(brief(listen(upTo(101).map(large)))).toEqual(["40 YELLOW", "65 ORANGE", "101 RED"]);
  });

  it("counts anew after a compaction: to advise another one at once would be a loop", () => {
    const readings = [counted(130), ...upTo(200, 131).map((calls) => counted(calls, 1, 131))];
    const said = listen(readings);
    expect(brief(said)).toEqual(["130 RED", "181 YELLOW"]);
    expect(said[1]?.text).toMatch(/^50 tool calls\./);
  });

  it("starts anew when the count goes down: that is another conversation", () => {
    expect(brief(listen([counted(60), counted(3), counted(52)]))).toEqual(["60 YELLOW", "52 YELLOW"]);
  });
});

describe("by measured size", () => {
  it.each([
    [49.9, []],
    [50, ["Context at 50%. Load only essential files. Avoid reading full files when Grep will do."]],
    [70, ["Context at 70%. Recommend /compact at next phase boundary (after current module completes)."]],
    [85.1, ["Context CRITICAL (85%). State saved to .plimsoll/. Run /compact now."]],
  ])("[R26, R27, R32] says at %f %% of the window: %j", (percent, texts) => {
    expect(listen([measured(percent, 10)]).map(({ text }) => text)).toEqual(texts);
  });

  it("[R27] names the boundary of the work at 70 %, and shows the person what is critical", () => {
    const happened = () => story().asks("Paint the hull.").happened();
    const commandsAt = (percent: number) => {
      const event = { health: measured(percent, 10), model: () => "claude-sonnet-4-5", happened };
      const first = follow(INITIAL_POLICY, event, DEFAULT_SETTINGS);
      return [...first.commands, ...saved(first.state, { ...event, why: undefined }, DEFAULT_SETTINGS).commands];
    };
    const adviceAt = (percent: number): string =>
      commandsAt(percent)
        .flatMap((command) => (command.kind === "tell" ? [command.text] : []))
        .join("\n");
    expect(adviceAt(70)).toContain("\nboundary: ");
    expect(adviceAt(50)).not.toContain("boundary: ");
    expect(commandsAt(90)).toContainEqual({ kind: "warn", text: expect.stringContaining("Context CRITICAL") });
    expect(commandsAt(70).filter(({ kind }) => kind === "warn")).toEqual([]);
  });

  it("is exact, and never quotes an estimate", () => {
    const estimate: Health = { ...measured(60, 10), source: "estimate", confidence: "estimated" };
    expect(listen([measured(60, 10)])[0]?.note).toMatch(/^share of the window/);
    expect(listen([estimate])[0]?.note).toMatch(/^Tool count is a directional proxy/);
    expect(listen([estimate])[0]?.text).not.toContain("%");
  });
});

describe("by what remains", () => {
  const byCalls = (percent: number, calls: number): Health => measured(percent, calls, "calls");

  it.each([
    [64, []],
    [65, ["Context at ~65%. Consider /compact at next phase boundary"]],
    [75, ["Context at ~75%. Consider /compact at next phase boundary"]],
    [76, ["Context CRITICAL (76%). State saved to .plimsoll/. Run /compact now."]],
  ])("[R21] says at %i %% used: %j", (percent, texts) => {
    expect(listen([byCalls(percent, 10)]).map(({ text }) => text)).toEqual(texts);
  });

  it("quotes the calls where the calls are critical by themselves", () => {
    expect(listen([byCalls(80, 121)]).map(({ text }) => text)).toEqual([
      "Context CRITICAL (121 tool calls, likely near limit). State saved to .plimsoll/. Run /compact now.",
    ]);
  });

  it("[R21] saves before it calls anything critical", () => {
    expect(listen([byCalls(80, 10)], { saves: false })).toEqual([]);
    const isAsked = (percent: number): boolean =>
      followLoad([{ health: byCalls(percent, 10) }]).commands.some(({ kind }) => kind === "save");
    expect([isAsked(80), isAsked(70)]).toEqual([true, false]);
  });

  it("is left to the load line where that decides: a window of a million is not critical at 760k", () => {
    const large = assessHealth(emptyMeter, { client: { usedTokens: 760_000, windowTokens: 1_000_000 } });
    expect(large).toMatchObject({ profile: "measured", level: "ORANGE" });
    expect(listen([large]).map(isCritical)).toEqual([false]);
  });

  it("[R22] speaks at most twice in ten calls at 70 %, whatever the profile", () => {
    for (const profile of PROFILES) {
      const said = listen(upTo(10).map((calls) => measured(70, calls, profile)));
      expect(said.length, profile).toBeGreaterThan(0);
      expect(said.length, profile).toBeLessThanOrEqual(2);
    }
  });

  it("[R22] does not repeat in the same words a warning that still holds", () => {
    const said = listen(upTo(49).map((calls) => byCalls(70, calls)));
    expect(said.map(({ atCalls }) => atCalls)).toEqual([1]);
  });
});

describe("the debounce", () => {
  it("[R20] [R22] says a rise at once, also right after another advisory", () => {
    const readings = [measured(55, 10), ...upTo(20, 11).map((calls) => measured(72, calls))];
    expect(brief(listen(readings))).toEqual(["10 YELLOW", "11 ORANGE"]);
  });

  it("[R22] does not delay what is critical", () => {
    expect(brief(listen([measured(55, 10), measured(90, 11)]))).toEqual(["10 YELLOW", "11 RED"]);
  });

  it("[R22] says CRITICAL again as soon as it may when the load had been lower in between", () => {
    const readings = [measured(90, 10), measured(72, 12), measured(90, 13), measured(90, 15), measured(90, 16)];
    expect(brief(listen(readings))).toEqual(["10 RED", "15 RED"]);
  });

  it("[R32] uses a save up: the next CRITICAL waits for another", () => {
    const reading = (calls: number) => ({ health: measured(90, calls) });
    const countSaid = (inputs: readonly LoadInput[]): number =>
      followLoad(inputs).commands.filter(({ kind }) => kind === "tell").length;
    const first = [reading(10), { why: undefined }];
    expect(countSaid(first)).toBe(1);
    expect(countSaid([...first, reading(40)])).toBe(1);
    expect(countSaid([...first, reading(40), { why: undefined }])).toBe(2);
  });

  it("says nothing about a fall, and speaks again when the load comes back", () => {
    const readings = [measured(72, 10), measured(55, 20), measured(30, 26), measured(72, 27)];
    expect(brief(listen(readings))).toEqual(["10 ORANGE", "27 ORANGE"]);
  });

  const isRise = (before?: LoadAdvice, now?: LoadAdvice): boolean =>
    before?.level !== "ORANGE" && before?.level !== now?.level && now?.level !== "GREEN";

  const anyReading = fc
    .record({ percent: fc.integer({ min: 1, max: 100 }), step: fc.nat(2), profile: fc.constantFrom(...PROFILES) })
    .chain((reading) => fc.record({ reading: fc.constant(reading), compacts: fc.boolean() }));

  it("[R22] holds for every course of a session: in five calls one critical advisory, and of the others none that is no rise", () => {
    fc.assert(
      fc.property(fc.array(anyReading, { maxLength: 60 }), (course) => {
        let calls = 0;
        let compactions = 0;
        const readings = course.map(({ reading, compacts }) => {
          calls += reading.step;
          compactions += compacts ? 1 : 0;
          return { ...measured(reading.percent, calls, reading.profile), compactions };
        });
        const said = listen(readings);
        for (const isOfCritical of [true, false]) {
          const at = said.filter((advice) => isCritical(advice) === isOfCritical);
          for (const [index, { atCalls }] of at.entries())
            if (index > 0 && (isOfCritical || !isRise(at[index - 1], at[index])))
              expect(atCalls - (at[index - 1]?.atCalls ?? 0)).toBeGreaterThanOrEqual(5);
        }
      }),
      { numRuns: tries(40, 300) },
    );
  });

  it("[R32] never calls anything critical without a save of its own, whatever the course", () => {
    fc.assert(
      fc.property(fc.array(anyReading, { maxLength: 60 }), (course) => {
        const readings = course.map(({ reading }, index) => measured(reading.percent, index * 3, reading.profile));
        expect(listen(readings, { saves: false }).filter(isCritical)).toEqual([]);
      }),
    );
  });
});
