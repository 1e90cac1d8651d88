/** If red: an answer of a reader is lost or half an answer is counted. */
import { describe, expect, it } from "vitest";
import { findJson, isUnknown, parseAnswers, parseSheet } from "./answer-sheet.ts";
import { parseQuiz, type Quiz } from "./quiz.ts";

function requireQuiz(value: unknown): Quiz {
  const quiz = parseQuiz(value);
  if ("problem" in quiz) throw new Error(quiz.problem);
  return quiz;
}

const question = { kind: "detail", question: "How many sails?", key: ["three"] };
const quiz = requireQuiz({ questions: [question, { ...question, kind: "next" }], nextAction: "Set the sails." });

describe("the JSON of an answer", () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['Gladly!\n```json\n{"a": {"b": 2}}\n```\n', { a: { b: 2 } }],
    ['The set {x} is empty.\n\n{"a":\n {"b": 3}}', { a: { b: 3 } }],
  ])("is found in %j", (text, value) => {
    expect(findJson(text)).toEqual(value);
  });

  it.each(["", "unknown", "[1, 2]", "{ not: json }", "}{", "{".repeat(10_000)])("is not made up out of %j", (text) => {
    expect(findJson(text)).toBeUndefined();
  });
});

describe("answers", () => {
  it("are complete, or it is said which are missing", () => {
    expect(parseAnswers({ answers: { q1: "three", q2: 4 }, nextAction: "sail" }, quiz)).toEqual({
      answers: { q1: "three", q2: "4" },
      nextAction: "sail",
    });
    expect(parseAnswers({ answers: { q1: "three" } }, quiz)).toEqual({ problem: "no answer to q2" });
    expect(parseAnswers({}, quiz)).toEqual({ problem: "no answer to q1, q2" });
  });

  it("of a phase that was never finished count as not given", () => {
    const inView = { q1: "three", q2: "unknown" };
    expect(parseSheet({ inView, nextAction: "sail", withRecall: { q1: "three" } }, quiz)).toEqual({
      inView,
      nextAction: "sail",
    });
    expect(parseSheet({ inView: { q1: "three" } }, quiz)).toBeUndefined();
  });

  it.each(["", "unknown", "Unknown.", ' "unknown" ', "I don't know"])("say nothing with %j", (answer) => {
    expect(isUnknown(answer)).toBe(true);
  });

  it.each(["three", "unknown, but perhaps three", "0"])("say something with %j", (answer) => {
    expect(isUnknown(answer)).toBe(false);
  });
});

describe("a quiz", () => {
  it.each([
    [null, "a quiz is a JSON object"],
    [{ questions: [], nextAction: "sail" }, "no questions"],
    [{ questions: [question] }, "lacks nextAction"],
    [{ questions: [{ ...question, kind: "hard" }], nextAction: "sail" }, "q1 has none of the kinds"],
    [{ questions: [{ ...question, key: [] }], nextAction: "sail" }, "q1 lacks"],
    [{ questions: [question, { ...question, id: "q1" }], nextAction: "sail" }, "the id q1 is taken"],
    [{ questions: ["q"], nextAction: "sail" }, "question 1 is no object"],
  ])("is refused with its fault: %j", (value, problem) => {
    expect(parseQuiz(value)).toMatchObject({ problem: expect.stringContaining(problem) });
  });
});
