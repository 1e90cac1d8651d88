import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../test/support/arbitrary-story.ts";
import { story } from "../../test/support/story.ts";
import type { JsonObject } from "../core/json.ts";
import { planBudget } from "../session/compaction/plan-budget.ts";
import { MIN_RECORD_TOKENS, RECORD_OPENING, RECORD_TOKENS } from "../session/compaction/record.ts";
import { type CompactionEvent, parseCompactionEvent } from "./compaction-event.ts";
import { type Answer, type AnswerOptions, planAnswer } from "./plan-answer.ts";

const happened = story()
  .asks("Paint the load line. Never touch the anchor chain.")
  .calls("Bash", { command: "paint" }, "painted")
  .happened();

let handles = 0;
const stamp = (message: JsonObject): JsonObject => ({ ...message, handle: `h${++handles}` });
const prompt = (text: string): JsonObject => stamp({ role: "user", text, toolUses: [] });
const answer = (text: string, ...ids: readonly string[]): JsonObject =>
  stamp({
    role: "assistant",
    text,
    toolUses: ids.map((id) => ({ tool_use_id: id, tool: "Bash", input: { command: "x" } })),
  });
const results = (...told: readonly (readonly [id: string, text: string])[]): JsonObject =>
  stamp({ role: "user", text: "", toolUses: [], toolResults: told.map(([id, text]) => ({ tool_use_id: id, text })) });

const OPTIONS: AnswerOptions = {
  contextTokens: 100_000,
  baseTokens: 20_000,
  transcript: "/home/dev/session.jsonl",
  root: "/home/dev/demo",
  recallTool: "mcp__plimsoll__recall",
};

function eventOf(messages: readonly JsonObject[], more: JsonObject = {}): CompactionEvent {
  return parseCompactionEvent({ trigger: "auto", messages, ...more });
}

function plan(messages: readonly JsonObject[], options: Partial<AnswerOptions> = {}, more: JsonObject = {}): Answer {
  return planAnswer(happened, eventOf(messages, more), { ...OPTIONS, ...options });
}

const without = ({ handle: _, ...told }: JsonObject): JsonObject => told;
const firstText = ({ messages }: Answer): string => String(messages[0]?.text);
const heavy = "plank ".repeat(12_000);

describe("the answer to a compaction", () => {
  it("is the record first, as the person's side of the conversation, then the last messages in their order", () => {
    const messages = [prompt("one"), answer("two"), prompt("three"), answer("four")];
    const planned = plan(messages);
    expect(planned.messages[0]).toMatchObject({ role: "user", toolUses: [] });
    expect(planned.messages[0]).not.toHaveProperty("handle");
    expect(firstText(planned).startsWith(RECORD_OPENING)).toBe(true);
    expect(firstText(planned)).toContain("Never touch the anchor chain.");
    expect(planned.messages.slice(1).map(({ text }) => text)).toEqual(["one", "two", "three", "four"]);
  });

  it("tells prompts, answers and results anew, without a handle, and keeps that of a prompt with a picture", () => {
    const messages = [
      prompt("one"),
      answer("two", "a"),
      results(["a", "ok"]),
      prompt("[Image #1] this?"),
      answer("done"),
    ];
    const [, ...tail] = plan(messages).messages;
    expect(tail).toEqual(messages.map((message, index) => (index === 3 ? message : without(message))));
  });

  it("keeps the handle of an answer whose results end the tail, in all its messages, and of no other", () => {
    const messages = [
      answer("early", "a"),
      results(["a", "ok"]),
      answer("thinks"),
      answer("", "b", "c"),
      results(["b", "1"]),
      results(["c", "2"]),
    ];
    const [, ...tail] = plan(messages).messages;
    expect(tail.map((message) => "handle" in message)).toEqual([false, false, true, true, false, false]);
    expect(tail.map(({ text }) => text)).toEqual(["early", "", "thinks", "", "", ""]);
  });

  it("keeps it too where the person has spoken after the results: they are answered together", () => {
    const messages = [answer("early", "a"), results(["a", "ok"]), answer("", "b"), results(["b", "1"]), prompt("wait")];
    const [, ...tail] = plan(messages).messages;
    expect(tail.map((message) => "handle" in message)).toEqual([false, false, true, false, false]);
    expect(tail[2]).toBe(messages[2]);
  });

  it("keeps no answer's handle where the last one made no call", () => {
    const messages = [answer("early", "a"), results(["a", "ok"]), answer("done"), prompt("and now?")];
    const [, ...tail] = plan(messages).messages;
    expect(tail.map((message) => "handle" in message)).toEqual([false, false, false, false]);
  });

  it("leaves out answers that say and do nothing, but not those of the open answer", () => {
    const messages = [prompt("zero"), answer(""), prompt("one"), answer(""), answer("", "a"), results(["a", "ok"])];
    const [, ...tail] = plan(messages).messages;
    const [zero = {}, , one = {}, thought, call, result = {}] = messages;
    expect(tail).toEqual([without(zero), without(one), thought, call, without(result)]);
  });

  it("keeps a prompt that is a picture alone, which has no text for us", () => {
    const picture = prompt("");
    const [, ...tail] = plan([picture, answer("A hull."), prompt("Paint it.")]).messages;
    expect(tail[0]).toBe(picture);
  });

  it("names the tail, of which the rows are known again", () => {
    const messages = [answer("", "a"), results(["a", heavy]), prompt("next"), answer("", "b"), results(["b", "kept"])];
    const { tail } = plan(messages, { contextTokens: 60_000 });
    expect(tail.map(({ raw }) => raw)).toEqual(messages.slice(2));
    expect(plan([]).tail).toEqual([]);
  });

  it("is not the whole history over a result whose call nobody knows", () => {
    const messages = [answer(heavy), results(["orphan", "lost"]), answer("short"), prompt("next")];
    const { tail } = plan(messages, { contextTokens: 60_000 });
    expect(tail.map(({ raw }) => raw)).not.toContain(messages[0]);
  });

  it("names what leaves the window, each result with its text, and nothing of the tail", () => {
    const messages = [
      answer("", "a", "b"),
      results(["a", heavy], ["b", "small"]),
      prompt("next"),
      answer("", "c"),
      results(["c", "kept"]),
    ];
    const planned = plan(messages, { contextTokens: 60_000 });
    expect(planned.dropped).toEqual([
      { callId: "a", text: heavy },
      { callId: "b", text: "small" },
    ]);
    expect(planned.messages.slice(1).map(({ text }) => text)).toEqual(["next", "", ""]);
    expect(plan(messages.slice(2)).dropped).toEqual([]);
  });

  it("says what stands, in the model's own words too where they were asked for, and how to go on", () => {
    const given = { standing: "Project rules: be brief.", prose: "The deck is half painted." };
    const text = firstText(plan([prompt("one")], given, { instructions: "keep the shade of red" }));
    expect(text).toContain('The user asked to keep in mind: "keep the shade of red"');
    expect(text).toContain("mcp__plimsoll__recall");
    expect(text).toContain("/home/dev/session.jsonl");
    const [prose, standing, closing] = [
      "## In the model's words\nThe deck is half painted.",
      "\n\nProject rules: be brief.",
      "What was said last follows",
    ];
    expect(text.indexOf(prose)).toBeGreaterThan(0);
    expect(text.indexOf(standing)).toBeGreaterThan(text.indexOf(prose));
    expect(text.indexOf(closing)).toBeGreaterThan(text.indexOf(standing));
  });

  it("promises no tail and no words of the model where there are none", () => {
    const { messages, tailTokens } = plan([], { prose: "", standing: "" });
    expect(messages).toHaveLength(1);
    expect(tailTokens).toBe(0);
    expect(String(messages[0]?.text)).not.toMatch(/follows word for word|In the model's words/);
  });

  it("weighs its parts, the tail by its characters", () => {
    const { tailTokens, recordTokens } = plan([prompt("p".repeat(1000)), answer("a".repeat(1000))]);
    expect(tailTokens).toBe(720);
    expect(recordTokens).toBeGreaterThan(100);
    expect(recordTokens).toBeLessThanOrEqual(planBudget(100_000).recordTokens);
  });

  it("never holds a result without its call, and loses none: it is in the tail or named as dropped", () => {
    const turn = fc.record({
      calls: fc.integer({ min: 0, max: 3 }),
      characters: fc.integer({ min: 0, max: 20_000 }),
      isPrompt: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(turn, { maxLength: 12 }),
        arbitraryHappened,
        fc.integer({ min: 0, max: 300_000 }),
        (turns, any, contextTokens) => {
          const messages = turns.flatMap(({ calls, characters, isPrompt }, at) => {
            const ids = Array.from({ length: calls }, (_, index) => `c${at}-${index}`);
            const told = ids.map((id) => [id, "x".repeat(characters)] as const);
            return [
              ...(isPrompt ? [prompt("go")] : []),
              answer("so", ...ids),
              ...(calls > 0 ? [results(...told)] : []),
            ];
          });
          const planned = planAnswer(any, eventOf(messages), { ...OPTIONS, contextTokens });
          const tail = eventOf(planned.messages.slice(1)).messages;
          const made = new Set(tail.flatMap(({ calls }) => calls));
          const kept = tail.flatMap((message) => message.results);
          for (const id of kept) expect(made).toContain(id);
          const all = eventOf(messages).messages.flatMap((message) => message.results);
          expect([...planned.dropped.map(({ callId }) => callId), ...kept]).toEqual(all);
          expect(planned.recordTokens).toBeLessThanOrEqual(planBudget(contextTokens).recordTokens);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("the budget of an answer", () => {
  it.each([
    [0, 6000, 3000],
    [60_000, 6000, 4800],
    [100_000, 10_000, 8000],
    [150_000, 15_000, 12_000],
    [1_000_000, 16_000, 12_000],
  ])(
    "for a window of %d tokens is %d for the tail and %d for the record",
    (contextTokens, tailTokens, recordTokens) => {
      expect(planBudget(contextTokens)).toEqual({ tailTokens, recordTokens });
    },
  );

  it("is always one that a record can be made of", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_000_000 }), (contextTokens) => {
        const { tailTokens, recordTokens } = planBudget(contextTokens);
        expect(recordTokens).toBeGreaterThanOrEqual(MIN_RECORD_TOKENS);
        expect(recordTokens).toBeLessThanOrEqual(RECORD_TOKENS);
        expect(tailTokens + recordTokens).toBeLessThanOrEqual(28_000);
      }),
    );
  });
});
