import { isQuestion } from "./is-question.ts";

/** Work that changes nothing: looking, checking, handing in. */
const ROUTINE =
  /^(?:(?:step|phase) \d+\W*)?(?:re-?)?(?:run|verify|check|test|look|read|explore|understand|analy[sz]e|research|find|clean ?up|commit|push|log)\b/i;

/** Whether finished work left something that later work stands on. An answer and a check that passed did not. */
export function isLasting(subject: string): boolean {
  return !isQuestion(subject) && !ROUTINE.test(subject);
}
