import type { Step } from "./list-steps.ts";
import type { Untruth } from "./verdict.ts";

/**
 * An answer stays one answer: whichever of its calls is in view, all of them are, in one message and in their order. A
 * conversation that shows it in pieces claims that the model saw a result before it made the next call.
 */
export function createAnswerChecker(): (step: Step) => readonly Untruth[] {
  /** The calls of the answer that a call was made in. */
  const together = new Map<string, readonly string[]>();
  return ({ index, fresh }) =>
    fresh.flatMap(({ role, things }): readonly Untruth[] => {
      if (role !== "assistant") return [];
      const calls = things.flatMap(({ what, callId = "" }) => (what === "input" ? [callId] : []));
      const known = together.get(calls[0] ?? "");
      if (known === undefined) {
        for (const call of calls) together.set(call, calls);
        return [];
      }
      if (known.join() === calls.join()) return [];
      const [said, truth] = [calls, known].map((list) => `an answer with ${list.join(", ")}`);
      return [{ what: "answer", request: index, said: said ?? "", truth: truth ?? "" }];
    });
}
