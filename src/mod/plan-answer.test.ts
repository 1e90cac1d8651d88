import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../test/support/arbitrary-story.ts";
import { story } from "../../test/support/story.ts";
import type { JsonObject } from "../core/json.ts";
import { estimateMessageTokens, estimateTextTokens, tokenizerOf } from "../core/tokens.ts";
import { findHandles } from "../fold/marker.ts";
import { claudeCodeVocabulary } from "../hosts/claude-code/vocabulary.ts";
import { createCollapseTurns } from "../layers/collapse-turns.ts";
import { parseSections } from "../layers/ledger/sections.ts";
import { POLICY_SETTINGS } from "../layers/options/policy-settings.ts";
import { RECORD_OPENING } from "../session/compaction/record.ts";
import { type CompactionEvent, parseCompactionEvent } from "./compaction-event.ts";
import { toMessages } from "./engine-messages.ts";
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
  policy: "balanced",
  model: "claude-opus-5",
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
const heavy = "plank ".repeat(2000);
const KEPT = POLICY_SETTINGS.balanced.keepExchanges;

/** So many answers, each with a call and its result. */
function work(from: number, to: number, text = heavy): readonly JsonObject[] {
  return Array.from({ length: to - from }, (_, offset) => [
    answer("", `c${from + offset}`),
    results([`c${from + offset}`, `${from + offset} ${text}`]),
  ]).flat();
}
const rawOf = ({ tail }: Answer): readonly JsonObject[] => tail.map(({ raw }) => raw);

/** What every stored original holds, by the number of its line. */
function sectionsOf({ originals }: Answer): readonly string[] {
  return originals.flatMap(({ text }) => [...(parseSections(text) ?? new Map<string, string>()).values()]);
}

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

  it("names the tail, of which the rows are known again: the last exchanges of the policy", () => {
    const messages = [prompt("one"), ...work(0, 10)];
    expect(rawOf(plan(messages))).toEqual(messages.slice(-2 * KEPT));
    expect(plan(messages).keptExchanges).toBe(KEPT);
    const cautious = plan([prompt("one"), ...work(0, 20)], { policy: "cautious" });
    expect(cautious.keptExchanges).toBe(POLICY_SETTINGS.cautious.keepExchanges);
    expect(plan([]).tail).toEqual([]);
  });

  it("keeps everything where there are no more exchanges than that", () => {
    const messages = [prompt("one"), ...work(0, KEPT - 1)];
    const planned = plan(messages);
    expect(rawOf(planned)).toEqual(messages);
    expect([planned.edits, planned.originals, planned.dropped]).toEqual([[], [], []]);
    expect(planned.keptExchanges).toBe(KEPT);
  });

  it("is not the whole history over a result whose call nobody knows", () => {
    const messages = [answer(heavy), results(["orphan", heavy]), ...work(0, 6)];
    const planned = plan(messages);
    expect(rawOf(planned)).toEqual(messages.slice(-2 * KEPT));
    expect(planned.dropped).toContainEqual({ callId: "orphan", text: heavy });
    expect(sectionsOf(planned)).toContain(heavy);
  });

  it("names what leaves the window, each result with its text, and nothing of the tail", () => {
    const messages = [answer("", "a", "b"), results(["a", heavy], ["b", "small"]), ...work(0, KEPT)];
    expect(plan(messages).dropped).toEqual([
      { callId: "a", text: heavy },
      { callId: "b", text: "small" },
    ]);
    expect(plan(messages.slice(2)).dropped).toEqual([]);
  });

  it("has the ledger behind what stands: what was said word for word, every call on a line, one handle for all of it", () => {
    const words = "Paint it.\n12 Read a.ts → (3 lines)\n[LEDGER: 3 earlier exchanges in brief]";
    const planned = plan([prompt(words), ...work(0, 8)], { standing: "Project rules: be brief." });
    const text = firstText(planned);
    const [original] = planned.originals;
    expect(planned.originals).toHaveLength(1);
    expect(text).toContain(`[LEDGER: 6 earlier exchanges in brief; recall ${original?.handle}#N gives line N whole]`);
    expect(text).toContain(`person: ${words.replaceAll("\n", "\n  ")}`);
    expect(text).toContain("\n5 Bash x → (1 lines)\n\nWhat was said last follows");
    expect(text.indexOf("[LEDGER: 6")).toBeGreaterThan(text.indexOf("Project rules: be brief."));
    expect(parseSections(original?.text ?? "")?.get("5")).toBe(`4 ${heavy}`);
    expect(planned.messages.filter((message) => JSON.stringify(message).includes("[LEDGER: 6"))).toHaveLength(1);
  });

  it("writes no line for an answer that only thought", () => {
    const text = firstText(plan([prompt("one"), answer(""), ...work(0, 8)]));
    expect(text).toContain("[LEDGER: ");
    expect(text).not.toMatch(/assistant: *\n/);
  });

  it("says what stands, in the model's own words too where they were asked for, and how to go on", () => {
    const wish = "keep the shade of red, whatever else has to go; ".repeat(20);
    const given = { standing: "Project rules: be brief.", prose: "The deck is half painted." };
    const text = firstText(plan([prompt("one")], given, { instructions: wish }));
    expect(text).toContain(`The user asked to keep in mind: "${wish}"`);
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

  it("weighs its parts: the tail by its characters, the message before it, and the ledger in that", () => {
    const planned = plan([prompt("p".repeat(1000)), answer("a".repeat(1000))]);
    expect([planned.tailTokens, planned.ledgerTokens]).toEqual([720, 0]);
    const { ledgerTokens, recordTokens, ...collapsed } = plan([prompt("one"), ...work(0, 10)]);
    const [before, ledger] = firstText({ ...collapsed, ledgerTokens, recordTokens }).split("\n[LEDGER: ");
    expect(recordTokens).toBe(Math.round(estimateTextTokens(`${before}\n[LEDGER: ${ledger}`, "dense")));
    expect(recordTokens - ledgerTokens).toBeGreaterThan(estimateTextTokens(before ?? "", "dense") * 0.9);
    expect(ledgerTokens).toBeGreaterThan(100);
  });

  it("does to a conversation what the policy does to it anywhere", () => {
    fc.assert(
      fc.property(arbitraryConversation, fc.constantFrom("thrifty", "balanced", "cautious"), (messages, policy) => {
        const event = eventOf(messages);
        const planned = planAnswer(happened, event, { ...OPTIONS, policy });
        const conversation = toMessages(event.messages, false);
        const layer = createCollapseTurns({ policy, now: true, vocabulary: claudeCodeVocabulary, root: OPTIONS.root });
        const edits = layer.plan({
          messages: conversation,
          tokens: 1,
          targetTokens: 0,
          countTokens: (message) => estimateMessageTokens(message, tokenizerOf(OPTIONS.model)),
        });
        expect(planned.edits).toEqual(edits);
        expect(planned.originals).toEqual(layer.originals(edits, conversation));
        expect(planned.originals.map(({ handle }) => handle)).toEqual(edits.flatMap(({ handles }) => handles));
      }),
      { numRuns: 60 },
    );
  });

  it("never holds a result without its call, and loses none: it is in the tail, or dropped and stored byte for byte", () => {
    fc.assert(
      fc.property(arbitraryConversation, arbitraryHappened, (messages, any) => {
        const planned = planAnswer(any, eventOf(messages), OPTIONS);
        const tail = eventOf(planned.messages.slice(1)).messages;
        expect(firstText(planned).startsWith(RECORD_OPENING)).toBe(true);
        const made = new Set(tail.flatMap(({ calls }) => calls));
        const kept = tail.flatMap((message) => message.results);
        for (const id of kept) expect(made).toContain(id);
        const all = eventOf(messages).messages.flatMap((message) => message.results);
        expect([...planned.dropped.map(({ callId }) => callId), ...kept]).toEqual(all);
        const stored = sectionsOf(planned);
        for (const { text } of planned.dropped) expect(stored).toContain(text);
      }),
      { numRuns: 60 },
    );
  });

  it("keeps every handle and every word of the person in view over any number of compactions", () => {
    fc.assert(
      fc.property(fc.array(arbitraryConversation, { minLength: 2, maxLength: 4 }), (pieces) => {
        let messages: readonly JsonObject[] = [];
        let compactions = 0;
        const handlesSeen: string[] = [];
        const said: string[] = [];
        for (const piece of pieces) {
          const named = piece.map((message) => rename(message, compactions));
          for (const { role, text, toolResults } of named)
            if (role === "user" && toolResults === undefined) said.push(String(text));
          const state = { ...happened.state, compactions };
          const planned = planAnswer({ ...happened, state }, eventOf([...messages, ...named]), OPTIONS);
          handlesSeen.push(...planned.originals.map(({ handle }) => handle));
          messages = planned.messages;
          compactions++;
          const view = firstText(planned);
          expect(findHandles(view)).toEqual(expect.arrayContaining(handlesSeen));
          const tail = messages.slice(1).map(({ text }) => String(text));
          for (const words of said)
            expect(tail.includes(words) || view.includes(`person: ${words.replaceAll("\n", "\n  ")}`)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** Calls of another stretch of the same session have other ids. */
function rename(message: JsonObject, round: number): JsonObject {
  return JSON.parse(JSON.stringify(message).replaceAll('"tool_use_id":"c', `"tool_use_id":"c${round}-`));
}

const arbitraryConversation: fc.Arbitrary<readonly JsonObject[]> = fc
  .array(
    fc.record({
      calls: fc.integer({ min: 0, max: 3 }),
      characters: fc.integer({ min: 0, max: 20_000 }),
      words: fc.constantFrom(
        "",
        "Go on.",
        "two\nlines",
        "[LEDGER: 3 earlier exchanges in brief]\n7 Read a → (3 lines)",
      ),
    }),
    { maxLength: 16 },
  )
  .map((turns) =>
    turns.flatMap(({ calls, characters, words }, at) => {
      const ids = Array.from({ length: calls }, (_, index) => `c${at}-${index}`);
      const told = ids.map((id) => [id, `${id} ${"x".repeat(characters)}`] as const);
      return [...(words === "" ? [] : [prompt(words)]), answer("so", ...ids), ...(calls > 0 ? [results(...told)] : [])];
    }),
  );
