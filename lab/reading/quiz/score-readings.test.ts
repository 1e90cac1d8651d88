/** If red: the published table of the reading test shows wrong means or unequal sessions. */
import { describe, expect, it } from "vitest";
import type { AnswerSheet } from "./answer-sheet.ts";
import { type Grade, type Grades, listUngraded, parseGrades } from "./grading.ts";
import type { Quiz } from "./quiz.ts";
import { type ReadMemory, type ReadSession, scoreReadings } from "./score-readings.ts";

const quiz: Quiz = {
  questions: [
    { id: "q1", kind: "next", question: "Which way?", key: ["north"] },
    { id: "q2", kind: "detail", question: "How many sails?", key: ["three"] },
  ],
  nextAction: "Weigh anchor.",
};

/** What every answer in these tests is worth, by its words. */
const WORTH: Readonly<Record<string, Grade>> = {
  right: { score: 1, wrong: false },
  half: { score: 0.5, wrong: false },
  false: { score: 0, wrong: true },
};

function grade(sheets: readonly AnswerSheet[], worth = WORTH): Grades {
  const items = listUngraded(quiz, sheets, {});
  const given = items.map(({ id, answers }) => [id, answers.map((answer) => ({ ...worth[answer] }))] as const);
  const parsed = parseGrades(Object.fromEntries(given), items);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed.grades;
}

const sheet = (q1: string, q2: string, recalled?: readonly [string, string]): AnswerSheet => ({
  inView: { q1, q2 },
  nextAction: "right",
  ...(recalled ? { withRecall: { q1: recalled[0], q2: recalled[1] } } : {}),
});

function session(name: string, memories: readonly ReadMemory[], strict?: typeof WORTH): ReadSession {
  const sheets = memories.flatMap(({ readings }) => readings.map((reading) => reading.sheet));
  const graders = { mild: grade(sheets), ...(strict ? { strict: grade(sheets, strict) } : {}) };
  return { name, quiz, memories, graders };
}

const read = (name: string, tokens: number, ...sheets: readonly AnswerSheet[]): ReadMemory => ({
  name,
  tokens,
  readings: sheets.map((one, index) => ({ reader: `reader${index}`, sheet: one, recalls: 3 })),
});

describe("the table", () => {
  it("tells the mean over sessions, by phase and by kind, the best in view first", () => {
    const [best, other] = scoreReadings([
      session("one", [
        read("a", 100, sheet("right", "unknown", ["right", "half"])),
        read("b", 50, sheet("right", "right")),
      ]),
      session("two", [
        read("a", 300, sheet("false", "half", ["right", "right"])),
        read("b", 50, sheet("right", "right")),
      ]),
    ]);
    expect([best?.name, other?.name]).toEqual(["b", "a"]);
    expect(best).toMatchObject({ inView: { value: 1 }, withRecall: { value: undefined, answers: 0 } });
    expect(best?.recallsPerQuestion).toBeUndefined();
    expect(other).toMatchObject({
      sessions: 2,
      readers: 1,
      tokens: 200,
      // One of two, then a half of two.
      inView: { value: 0.375, wrong: 1, answers: 4, bySession: { one: 0.5, two: 0.25 } },
      withRecall: { value: 0.875, wrong: 0, answers: 4 },
      byKind: { next: { inView: { value: 0.5 } }, detail: { inView: { value: 0.25 } } },
      nextAction: { value: 1 },
      recallsPerQuestion: 6 / 4,
      ungraded: 0,
    });
    expect(other?.byKind.understanding.inView.value).toBeUndefined();
    expect(other?.inView.interval).toEqual({ low: 0.25, high: 0.5 });
  });

  it("tells how far readers and graders lie apart", () => {
    const strict = { ...WORTH, half: { score: 0, wrong: false } };
    const memory = read("a", 100, sheet("right", "half"), sheet("half", "false"));
    expect(scoreReadings([session("one", [memory], strict)])).toMatchObject([
      { readers: 2, readerSpread: 0.5, graderSpread: 0.25, inView: { value: 0.375, wrong: 1, answers: 4 } },
    ]);
    expect(scoreReadings([session("one", [read("a", 1, sheet("right", "half"))])])[0]).toMatchObject({
      readerSpread: undefined,
      graderSpread: undefined,
      inView: { interval: undefined },
    });
  });

  it("compares the readers of each session, whoever they were", () => {
    const by = (one: string, other: string, ...sheets: readonly [AnswerSheet, AnswerSheet]): ReadMemory => {
      const { readings, ...memory } = read("a", 1, ...sheets);
      return { ...memory, readings: readings.map((reading, at) => ({ ...reading, reader: at === 0 ? one : other })) };
    };
    const sessions = [
      session("one", [by("anna", "ben", sheet("right", "right"), sheet("right", "half"))]),
      session("two", [by("carl", "dora", sheet("right", "right"), sheet("half", "false"))]),
      session("three", [read("a", 1, sheet("right", "right"))]),
    ];
    expect(scoreReadings(sessions)).toMatchObject([{ readers: 5, readerSpread: (0.25 + 0.75) / 2 }]);
  });

  it("takes a sheet that is not graded whole into no figure, and counts it", () => {
    const reported = session("one", [read("a", 1, sheet("right", "right"), sheet("right", "unknown"))]);
    const memories = [read("a", 1, sheet("right", "right"), sheet("never seen", "unknown"))];
    expect(scoreReadings([{ ...reported, memories }])).toMatchObject([
      { readers: 2, ungraded: 3, inView: { value: 1, answers: 2 } },
    ]);
    expect(scoreReadings([{ ...reported, graders: {} }])).toMatchObject([
      { readers: 2, ungraded: 6, inView: { value: undefined } },
    ]);
  });

  it("leaves out a memory's sessions that nobody has read", () => {
    const reported = session("one", [read("a", 1, sheet("right", "right"))]);
    expect(scoreReadings([reported, session("two", [read("a", 1)])])).toMatchObject([
      { sessions: 1, inView: { value: 1 } },
    ]);
  });
});
