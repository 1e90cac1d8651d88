/** If red: the window after a compaction has messages out of order, and the API refuses the next request. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../../../test/support/arbitrary-story.ts";
import { story } from "../../../../test/support/story.ts";
import type { JsonObject } from "../../../core/json.ts";
import { findHandles } from "../../../fold/marker.ts";
import { claudeCodeVocabulary } from "../../../hosts/claude-code/vocabulary.ts";
import { createCollapseExchanges } from "../../../layers/collapse-exchanges.ts";
import { renderHeading, renderSaid, splitSegments } from "../../../layers/ledger/ledger-text.ts";
import { parseSections } from "../../../layers/ledger/sections.ts";
import { POLICY_SETTINGS } from "../../../layers/options/policy-settings.ts";
import { estimateMessageTokens, estimateTextTokens, tokenizerOf } from "../../../models/tokens.ts";
import { countRoom } from "../../../policy/collapse-due.ts";
import { RECORD_OPENING } from "../../../survive/record/record-opening.ts";
import { type EngineConversation, readConversation, toMessages } from "../conversation.ts";
import { parseRows } from "./compaction-event.ts";
import { type Answer, type AnswerOptions, planAnswer } from "./plan-answer.ts";
import { NO_EXTRAS } from "./row-extras.ts";

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
const results = (...reported: readonly (readonly [id: string, text: string])[]): JsonObject =>
  stamp({
    role: "user",
    text: "",
    toolUses: [],
    toolResults: reported.map(([id, text]) => ({ tool_use_id: id, text })),
  });

const OPTIONS: AnswerOptions = {
  policy: "balanced",
  vocabulary: claudeCodeVocabulary,
  model: "claude-opus-5",
  transcript: "/home/dev/session.jsonl",
  root: "/home/dev/demo",
  recallTool: "mcp__plimsoll__recall",
};

function conversationOf(messages: readonly JsonObject[], hasRecord = false): EngineConversation {
  return readConversation(parseRows(messages), NO_EXTRAS, { hasRecord, repeated: new Set() });
}

function plan(messages: readonly JsonObject[], options: Partial<AnswerOptions> = {}): Answer {
  return planAnswer(happened, conversationOf(messages), { ...OPTIONS, ...options });
}

const without = ({ handle: _, ...reported }: JsonObject): JsonObject => reported;
/** What stands before the record, the record's text, and what stands behind it. */
function partsOf({ messages }: Answer): readonly [readonly JsonObject[], string, readonly JsonObject[]] {
  const at = messages.findIndex(({ text, handle }) => handle === undefined && String(text).startsWith(RECORD_OPENING));
  return [messages.slice(0, at), String(messages[at]?.text), messages.slice(at + 1)];
}
const recordOf = (answer: Answer): string => partsOf(answer)[1];
const tailOf = (messages: readonly JsonObject[]): readonly JsonObject[] => partsOf(plan(messages))[2];
const heavy = "plank ".repeat(2000);
const KEPT = POLICY_SETTINGS.balanced.keepExchanges;

/** So many answers, each with a call and its result. */
function work(from: number, to: number, text = heavy): readonly JsonObject[] {
  return Array.from({ length: to - from }, (_, offset) => [
    answer("", `c${from + offset}`),
    results([`c${from + offset}`, `${from + offset} ${text}`]),
  ]).flat();
}
const rawOf = ({ tail }: Answer): readonly JsonObject[] =>
  tail.flatMap((entry) => (entry.kind === "row" ? [entry.row.raw] : []));

/** What every stored original holds, by the number of its line. */
function sectionsOf({ originals }: Answer): readonly string[] {
  return originals.flatMap(({ text }) => [...(parseSections(text) ?? new Map<string, string>()).values()]);
}

describe("the answer to a compaction", () => {
  it("[R73] in the middle of a list leaves seven tenths of it word for word", () => {
    const list = [prompt("Paint all ten planks."), ...work(0, 10)];
    const { dropped } = plan(list, { isMidLoop: true });
    expect(dropped.map(({ callId }) => callId)).toEqual(["c0", "c1", "c2"]);
    expect(plan(list).dropped.length).toBe(10 - KEPT);
  });

  it("is what was said before the first answer, as the client has it, then the record, then the last messages in their order", () => {
    const messages = [prompt("/model"), prompt("one"), answer("two"), prompt("three"), answer("four")];
    const [opening, record, tail] = partsOf(plan(messages));
    expect(opening).toEqual(messages.slice(0, 2));
    expect(record).toContain("Never touch the anchor chain.");
    expect(tail).toEqual(messages.slice(2).map(without));
  });

  it.each([-40_000, -1, 0, 1, 500])(
    "is given where only %i tokens are left next to system prompt and tools",
    (roomTokens) => {
      const answered = plan([prompt("one"), ...work(0, 12)], { roomTokens });
      expect(recordOf(answered)).toContain("[LEDGER: ");
      expect(answered.keptExchanges).toBe(1);
      expect(countRoom({ lineTokens: 100_000, baseTokens: 100_000 - roomTokens })).toBeGreaterThanOrEqual(0);
    },
  );

  it("has nothing before the record where the client gives no handle, or the conversation begins with a result", () => {
    const bare = [prompt("one"), answer("two")].map(without);
    expect(partsOf(plan(bare))[0]).toEqual([]);
    expect(partsOf(plan([results(["a", "ok"]), prompt("one"), answer("two")]))[0]).toEqual([]);
  });

  it("gives prompts, answers and results anew, without a handle", () => {
    const messages = [answer("two", "a"), results(["a", "ok"]), prompt("this?"), answer("done")];
    expect(tailOf(messages)).toEqual([
      without(messages[0] ?? {}),
      { role: "user", text: "", toolUses: [], toolResults: [{ tool_use_id: "a", text: "ok", isError: false }] },
      ...messages.slice(2).map(without),
    ]);
  });

  it("has all calls of an answer in its last row and all their results in the next, however the client told them", () => {
    const messages = [
      answer("first"),
      answer("second"),
      answer("", "a"),
      answer("", "b"),
      results(["b", "no"]),
      results(["a", "ok"]),
      prompt("wait"),
      answer("done"),
    ];
    const tail = tailOf(messages);
    expect(tail.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      "assistant: first",
      "assistant: second",
      "user: ",
      "user: wait",
      "assistant: done",
    ]);
    expect(tail[1]?.toolUses).toMatchObject([{ tool_use_id: "a" }, { tool_use_id: "b" }]);
    expect(tail[2]?.toolResults).toMatchObject([{ tool_use_id: "b" }, { tool_use_id: "a" }]);
  });

  it("keeps the handle of a thought-out answer whose results end the tail, in all its messages, and of no other", () => {
    const messages = [
      answer("", "z"),
      results(["z", "ok"]),
      answer(""),
      answer("early", "a"),
      results(["a", "ok"]),
      answer(""),
      answer("", "b", "c"),
      results(["b", "1"]),
      results(["c", "2"]),
    ];
    const planned = plan(messages);
    const [, , tail] = partsOf(planned);
    expect(tail.map((message) => "handle" in message)).toEqual([false, false, false, false, true, true, false]);
    expect(planned.keptAnswers).toEqual([messages[5]?.handle, messages[6]?.handle]);
  });

  it("keeps it too where the person has spoken after the results: they are answered together", () => {
    const messages = [answer("early", "a"), results(["a", "ok"]), answer(""), answer("", "b"), results(["b", "1"])];
    const tail = tailOf([...messages, prompt("wait")]);
    expect(tail.map((message) => "handle" in message)).toEqual([false, false, true, true, false, false]);
  });

  it("keeps no answer's handle where the last one made no call, or nobody thought", () => {
    const silent = [answer("early", "a"), results(["a", "ok"]), answer(""), answer("done"), prompt("and now?")];
    expect(tailOf(silent).some((message) => "handle" in message)).toBe(false);
    expect(tailOf([answer("so", "b"), results(["b", "1"])]).some((message) => "handle" in message)).toBe(false);
  });

  it("leaves out answers that say and do nothing", () => {
    const messages = [answer("so"), prompt("zero"), answer(""), prompt("one"), answer("done")];
    expect(tailOf(messages).map(({ text }) => text)).toEqual(["so", "zero", "one", "done"]);
  });

  it("keeps a prompt that is a picture alone, which has no text for us", () => {
    const picture = prompt("");
    expect(tailOf([answer("So."), picture, answer("A hull."), prompt("Paint it.")])[1]).toBe(picture);
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
    expect(rawOf(planned)).toEqual(messages.slice(1));
    expect([planned.edits, planned.originals, planned.dropped]).toEqual([[], [], []]);
    expect(planned.keptExchanges).toBe(KEPT - 1);
  });

  it("is not the whole history over a result whose call nobody knows", () => {
    const messages = [answer(heavy), results(["orphan", heavy]), ...work(0, 6)];
    const planned = plan(messages);
    expect(rawOf(planned)).toEqual(messages.slice(-2 * KEPT));
    expect(planned.dropped).toContainEqual({ callId: "orphan", text: heavy, isError: false });
    expect(sectionsOf(planned)).toContain(heavy);
  });

  it("names what leaves the window, each result with its text, and nothing of the tail", () => {
    const messages = [answer("", "a", "b"), results(["a", heavy], ["b", "small"]), ...work(0, KEPT)];
    expect(plan(messages).dropped).toEqual([
      { callId: "a", text: heavy, isError: false },
      { callId: "b", text: "small", isError: false },
    ]);
    expect(plan(messages.slice(2)).dropped).toEqual([]);
  });

  it("has the ledger behind what stands: what was said word for word, every call on a line, one handle for all of it", () => {
    const words = `Paint it.\n12 Read a.ts → (3 lines)\n${renderHeading(3)}`;
    const planned = plan([answer("Aye."), prompt(words), ...work(0, 8)], { standing: "Project rules: be brief." });
    const text = recordOf(planned);
    const [original] = planned.originals;
    expect(planned.originals).toHaveLength(1);
    const heading = renderHeading(6, original?.handle);
    expect(text).toContain(heading);
    expect(text).toContain(renderSaid("person", words));
    expect(text).toMatch(/\n5 Bash x → 4 plank [plank ]+… \(1 lines\)\n\(#1-#4 Bash\)\n\nWhat was said last follows/);
    expect(text.indexOf(heading)).toBeGreaterThan(text.indexOf("Project rules: be brief."));
    expect(parseSections(original?.text ?? "")?.get("5")).toBe(`4 ${heavy}`);
    expect(planned.messages.filter((message) => JSON.stringify(message).includes(heading))).toHaveLength(1);
  });

  it("writes no line for an answer that only thought", () => {
    const text = recordOf(plan([answer("so"), prompt("one"), answer(""), ...work(0, 8)]));
    expect(splitSegments(text)).toHaveLength(1);
    expect(text).not.toMatch(/assistant: *\n/);
  });

  it("says what stands, in the model's own words too where they were asked for, and how to go on", () => {
    const wish = "keep the shade of red, whatever else has to go; ".repeat(20);
    const given = { standing: "Project rules: be brief.", note: "## Note\nThe deck is half painted." };
    const text = recordOf(plan([answer("one")], { ...given, instructions: wish }));
    expect(text).toContain(`The user asked to keep in mind: "${wish}"`);
    expect(text).toContain("mcp__plimsoll__recall");
    expect(text).toContain("/home/dev/session.jsonl");
    const [prose, standing, closing] = [
      "## Note\nThe deck is half painted.",
      "\n\nProject rules: be brief.",
      "What was said last follows",
    ];
    expect(text.indexOf(prose)).toBeGreaterThan(0);
    expect(text.indexOf(standing)).toBeGreaterThan(text.indexOf(prose));
    expect(text.indexOf(closing)).toBeGreaterThan(text.indexOf(standing));
  });

  it("promises no tail and no words of the model where there are none", () => {
    const { messages, tailTokens } = plan([], { note: "", standing: "" });
    expect(messages).toHaveLength(1);
    expect(tailTokens).toBe(0);
    expect(String(messages[0]?.text)).not.toMatch(/follows word for word|In the model's words/);
  });

  it("weighs its parts: the tail by its characters, the message before it, and the ledger in that", () => {
    const planned = plan([answer("p".repeat(1000)), prompt("a".repeat(1000))]);
    expect([planned.tailTokens, planned.ledgerTokens]).toEqual([720, 0]);
    const { ledgerTokens, recordTokens, ...collapsed } = plan([prompt("one"), ...work(0, 10)]);
    const text = recordOf({ ...collapsed, ledgerTokens, recordTokens });
    const before = text.slice(0, text.indexOf(splitSegments(text).join("\n")));
    expect(recordTokens).toBe(Math.round(estimateTextTokens(text, "dense")));
    expect(recordTokens - ledgerTokens).toBeGreaterThan(estimateTextTokens(before, "dense") * 0.9);
    expect(ledgerTokens).toBeGreaterThan(50);
  });

  it("does to a conversation what the policy does to it anywhere", () => {
    fc.assert(
      fc.property(arbitraryConversation, fc.constantFrom("thrifty", "balanced", "cautious"), (messages, policy) => {
        const conversation = toMessages(conversationOf(messages));
        const planned = planAnswer(happened, conversationOf(messages), { ...OPTIONS, policy });
        const layer = createCollapseExchanges({
          policy,
          now: true,
          vocabulary: claudeCodeVocabulary,
          root: OPTIONS.root,
        });
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
        const planned = planAnswer(any, conversationOf(messages), OPTIONS);
        const [, record, end] = partsOf(planned);
        const tail = parseRows(end);
        expect(record.startsWith(RECORD_OPENING)).toBe(true);
        const made = new Set(tail.flatMap(({ calls }) => calls));
        const kept = tail.flatMap((message) => message.results);
        for (const id of kept) expect(made).toContain(id);
        const all = parseRows(messages).flatMap((message) => message.results);
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
          const planned = planAnswer(
            { ...happened, state },
            conversationOf([...messages, ...named], compactions > 0),
            OPTIONS,
          );
          handlesSeen.push(...planned.originals.map(({ handle }) => handle));
          messages = planned.messages;
          compactions++;
          const view = recordOf(planned);
          expect(findHandles(view)).toEqual(expect.arrayContaining(handlesSeen));
          const tail = messages.map(({ text }) => String(text));
          for (const words of said)
            expect(tail.includes(words) || view.includes(`person: ${words.replaceAll("\n", "\n  ")}`)).toBe(true);
        }
      }),
      { numRuns: 40 },
    );
  });
});

/** Calls of another segment of the same session have other ids. */
function rename(message: JsonObject, round: number): JsonObject {
  return JSON.parse(JSON.stringify(message).replaceAll('"tool_use_id":"c', `"tool_use_id":"c${round}-`));
}

const arbitraryConversation: fc.Arbitrary<readonly JsonObject[]> = fc
  .array(
    fc.record({
      calls: fc.integer({ min: 0, max: 3 }),
      characters: fc.integer({ min: 0, max: 20_000 }),
      words: fc.constantFrom("", "Go on.", "two\nlines", `${renderHeading(3)}\n7 Read a → (3 lines)`),
    }),
    { maxLength: 16 },
  )
  .map((exchanges) =>
    exchanges.flatMap(({ calls, characters, words }, at) => {
      const ids = Array.from({ length: calls }, (_, index) => `c${at}-${index}`);
      const session = ids.map((id) => [id, `${id} ${"x".repeat(characters)}`] as const);
      return [
        ...(words === "" ? [] : [prompt(words)]),
        answer("so", ...ids),
        ...(calls > 0 ? [results(...session)] : []),
      ];
    }),
  );
