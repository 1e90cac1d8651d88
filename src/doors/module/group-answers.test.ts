import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../test/support/depth.ts";
import type { JsonObject } from "../../core/json.ts";
import { parseMessages } from "./compaction-event.ts";
import { groupByAnswer } from "./group-answers.ts";

const say = (text: string): JsonObject => ({ role: "user", text, toolUses: [] });
const speak = (text: string): JsonObject => ({ role: "assistant", text, toolUses: [] });
const call = (id: string): JsonObject => ({
  role: "assistant",
  text: "",
  toolUses: [{ tool_use_id: id, tool: "Bash", input: {} }],
});
const result = (id: string): JsonObject => ({
  ...say(""),
  toolResults: [{ tool_use_id: id, text: `result of ${id}` }],
});
/** An answer as the API was sent it: words, and calls as `#id`. */
const sent = (...parts: readonly string[]): JsonObject => ({
  role: "assistant",
  content: parts.map((part) =>
    part.startsWith("#") ? { type: "tool_use", id: part.slice(1) } : { type: "text", text: part },
  ),
});

function group(rows: readonly JsonObject[], answers: readonly JsonObject[]): string {
  return groupByAnswer(parseMessages(rows), answers)
    .map(({ text, calls, results }) =>
      [text, ...calls.map((id) => `#${id}`), ...results.map((id) => `=${id}`)].join(""),
    )
    .join(" ");
}

describe("rows grouped by answer", () => {
  it("puts results behind the last call of their answer, in the order of the calls", () => {
    const rows = [say("go"), speak("look"), call("5"), call("6"), result("6"), call("7"), result("7"), result("5")];
    expect(group(rows, [sent("look", "#5", "#6", "#7")])).toBe("go look #5 #6 #7 =5 =6 =7");
  });

  it("knows an answer whose calls returned one by one for one answer, and its last words for its own", () => {
    const rows = [call("1"), result("1"), call("2"), result("2"), speak("and on"), call("3"), result("3")];
    expect(group(rows, [sent("#1", "#2", "and on"), sent("#3")])).toBe("#1 #2 and on =1 =2 #3 =3");
  });

  it("takes the same words for another answer once the first has had its own", () => {
    const rows = [speak("done"), call("1"), result("1"), speak("done"), say("more")];
    expect(group(rows, [sent("done", "#1"), sent("done")])).toBe("done #1 =1 done more");
  });

  it("leaves what a person said in its place, though a call never returned", () => {
    const rows = [call("1"), say("stop"), speak("stopped"), say("go on")];
    expect(group(rows, [sent("#1"), sent("stopped")])).toBe("#1 stop stopped go on");
  });

  it("keeps open answers together where nothing says what was sent", () => {
    const rows = [call("5"), call("6"), result("6"), call("7"), result("5"), result("7"), call("8"), result("8")];
    expect(group(rows, [])).toBe("#5 #6 #7 =5 =6 =7 #8 =8");
  });

  it("brings every interleaving of a conversation into one order", () => {
    const answers = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(answers, fc.infiniteStream(fc.nat({ max: 2 })), (counts, choices) => {
        const whole = counts.map((count, at) => Array.from({ length: count }, (_, order) => `${at}.${order}`));
        const rows = whole.flatMap((ids) => interleave(ids, () => choices.next().value ?? 0));
        const expected = whole.map((ids) => [...ids.map((id) => `#${id}`), ...ids.map((id) => `=${id}`)].join(" "));
        expect(
          group(
            rows,
            whole.map((ids) => sent(...ids.map((id) => `#${id}`))),
          ),
        ).toBe(expected.join(" "));
      }),
      { numRuns: tries(100, 2000) },
    );
  });
});

/** The rows of one answer as a client might keep them: each result anywhere behind its call. */
function interleave(ids: readonly string[], choose: () => number): readonly JsonObject[] {
  const rows: JsonObject[] = [];
  const running: string[] = [];
  for (const id of ids) {
    rows.push(call(id));
    running.push(id);
    for (let many = choose(); many > 0 && running.length > 0; many--)
      rows.push(...running.splice(choose() % running.length, 1).map(result));
  }
  return [...rows, ...running.toReversed().map(result)];
}
