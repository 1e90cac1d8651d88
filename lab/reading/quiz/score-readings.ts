import { drawResamples, findInterval, type Interval } from "../../../src/replay/compare-sessions.ts";
import type { AnswerSheet } from "./answer-sheet.ts";
import { findGrade, type Grade, type Grades, listGraded } from "./grading.ts";
import { NEXT_ACTION, QUESTION_KINDS, type QuestionKind, type Quiz } from "./quiz.ts";

/** A session with everything that was read and graded of it. */
export interface ReadSession {
  readonly name: string;
  readonly quiz: Quiz;
  readonly memories: readonly ReadMemory[];
  readonly graders: Readonly<Record<string, Grades>>;
}

export interface ReadMemory {
  readonly name: string;
  readonly tokens: number;
  readonly readings: readonly {
    readonly reader: string;
    readonly sheet: AnswerSheet;
    readonly recalls: number;
  }[];
}

/** What is known of one memory over all sessions that it was read in. Shares are from 0 to 1, `undefined` where nothing was graded. */
export interface MemoryFigures {
  readonly name: string;
  readonly sessions: number;
  readonly readers: number;
  /** Mean size of the memory. */
  readonly tokens: number;
  readonly inView: Share;
  readonly withRecall: Share;
  readonly byKind: Readonly<Record<QuestionKind, { readonly inView: Share; readonly withRecall: Share }>>;
  readonly nextAction: Share;
  /** Recalls for one question, where recalls were possible. */
  readonly recallsPerQuestion: number | undefined;
  /** How far the most and the least successful reader of a session, or its mildest and strictest grader, lie apart in view: the mean. */
  readonly readerSpread: number | undefined;
  readonly graderSpread: number | undefined;
  /** Answers of readers whose sheet a grader has not graded whole: they are in no figure. */
  readonly ungraded: number;
}

export interface Share {
  readonly value: number | undefined;
  /** Over sessions, drawn again and again; not of a single one. */
  readonly interval: Interval | undefined;
  /** Answers that say something materially wrong, of so many; a mean over graders. */
  readonly wrong: number;
  readonly answers: number;
  /** Each session's own value, for who compares two memories on the same ones. */
  readonly bySession: Readonly<Record<string, number>>;
}

type Phase = "inView" | "withRecall";

/** One graded answer. */
interface Mark {
  readonly session: string;
  readonly reader: string;
  readonly grader: string;
  readonly id: string;
  readonly kind: QuestionKind | undefined;
  readonly phase: Phase;
  readonly grade: Grade | undefined;
}

/** The table: every memory's figures, in the order of what is known in view. */
export function scoreReadings(sessions: readonly ReadSession[]): readonly MemoryFigures[] {
  const names = [...new Set(sessions.flatMap(({ memories }) => memories.map(({ name }) => name)))];
  const figures = names.map((name) => scoreMemory(name, sessions));
  return figures.sort((left, right) => (right.inView.value ?? -1) - (left.inView.value ?? -1));
}

function scoreMemory(name: string, sessions: readonly ReadSession[]): MemoryFigures {
  const found = sessions.flatMap((session) => {
    const memory = session.memories.find((each) => each.name === name);
    return memory && memory.readings.length > 0 ? [{ session, memory }] : [];
  });
  const marks = found.flatMap(({ session, memory }) => listMarks(session, memory));
  const graded = marks.filter(({ grade }) => grade !== undefined);
  const quizMarks = graded.filter(({ kind }) => kind !== undefined);
  const inView = quizMarks.filter(({ phase }) => phase === "inView");
  const recalled = found.flatMap(({ session, memory }) =>
    memory.readings
      .filter(({ sheet }) => sheet.withRecall)
      .map(({ recalls }) => ({ recalls, questions: session.quiz.questions.length })),
  );
  const ofKind = (kind: QuestionKind) => quizMarks.filter((mark) => mark.kind === kind);
  const byKind = (kind: QuestionKind) => ({
    inView: share(ofKind(kind).filter(({ phase }) => phase === "inView")),
    withRecall: share(ofKind(kind).filter(({ phase }) => phase === "withRecall")),
  });
  const [next, understanding, detail] = QUESTION_KINDS;
  return {
    name,
    sessions: found.length,
    readers: new Set(marks.map(({ reader }) => reader)).size,
    tokens: Math.round(mean(found.map(({ memory }) => memory.tokens)) ?? 0),
    inView: share(inView),
    withRecall: share(quizMarks.filter(({ phase }) => phase === "withRecall")),
    byKind: { next: byKind(next), understanding: byKind(understanding), detail: byKind(detail) },
    nextAction: share(graded.filter(({ id }) => id === NEXT_ACTION)),
    recallsPerQuestion: recalled.length === 0 ? undefined : sum(recalled, "recalls") / sum(recalled, "questions"),
    readerSpread: spread(inView, ({ reader }) => reader),
    graderSpread: spread(inView, ({ grader }) => grader),
    ungraded: marks.length - graded.length,
  };
}

function listMarks(session: ReadSession, { readings }: ReadMemory): readonly Mark[] {
  const graders = Object.keys(session.graders);
  return (graders.length === 0 ? [""] : graders).flatMap((grader) =>
    readings.flatMap(({ reader, sheet }) => [
      ...markPhase(session, sheet, { reader, grader, phase: "inView" }),
      ...(sheet.withRecall ? markPhase(session, sheet, { reader, grader, phase: "withRecall" }) : []),
    ]),
  );
}

/** All of it, or nothing: what says nothing has its grade before anybody looks, and would stand alone. */
function markPhase(
  { name, quiz, graders }: ReadSession,
  sheet: AnswerSheet,
  by: Pick<Mark, "reader" | "grader" | "phase">,
): readonly Mark[] {
  const grades = graders[by.grader] ?? {};
  const marks = listGraded(quiz).flatMap((item): readonly Mark[] => {
    const kind = quiz.questions.find(({ id }) => id === item.id)?.kind;
    if (kind === undefined && by.phase === "withRecall") return [];
    const said = kind === undefined ? sheet.nextAction : sheet[by.phase]?.[item.id];
    return [{ ...by, session: name, id: item.id, kind, grade: findGrade(grades, item, said ?? "") }];
  });
  return marks.every(({ grade }) => grade) ? marks : marks.map((mark) => ({ ...mark, grade: undefined }));
}

/** Sessions weigh the same, however many readers and graders each had. */
function share(marks: readonly Mark[]): Share {
  const sessions = groupBy(marks, ({ session }) => session);
  const names = [...sessions.keys()];
  const values = names.map((name) => mean((sessions.get(name) ?? []).map(({ grade }) => grade?.score ?? 0)) ?? 0);
  const draws = drawResamples(names).map((often) => {
    const times = often.reduce((total, count) => total + count, 0);
    return values.reduce((total, value, index) => total + value * (often[index] ?? 0), 0) / times;
  });
  const graders = groupBy(marks, ({ grader }) => grader).size;
  const wrong = marks.filter(({ grade }) => grade?.wrong).length;
  return {
    value: mean(values),
    interval: draws.length === 0 ? undefined : findInterval(draws),
    wrong: graders === 0 ? 0 : wrong / graders,
    answers: graders === 0 ? 0 : marks.length / graders,
    bySession: Object.fromEntries(names.map((name, index) => [name, values[index] ?? 0])),
  };
}

/** Session by session, because others would differ for other reasons; over those that at least two of them judged. */
function spread(marks: readonly Mark[], by: (mark: Mark) => string): number | undefined {
  const apart = [...groupBy(marks, ({ session }) => session).values()].flatMap((own) => {
    const values = [...groupBy(own, by).values()].map(
      (group) => mean(group.map(({ grade }) => grade?.score ?? 0)) ?? 0,
    );
    return values.length < 2 ? [] : [Math.max(...values) - Math.min(...values)];
  });
  return mean(apart);
}

function groupBy(marks: readonly Mark[], by: (mark: Mark) => string): ReadonlyMap<string, readonly Mark[]> {
  const groups = new Map<string, Mark[]>();
  for (const mark of marks) {
    const group = groups.get(by(mark)) ?? [];
    group.push(mark);
    groups.set(by(mark), group);
  }
  return groups;
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((total, value) => total + value, 0) / values.length;
}

function sum<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return rows.reduce((total, row) => total + row[key], 0);
}
