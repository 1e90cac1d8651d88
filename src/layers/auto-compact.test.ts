/** If red: a model is asked for a summary where nothing needs one, or asked again and again after failures. */
import { describe, expect, test } from "vitest";
import { assistant, call, conversation, opaque, results, user } from "../../test/support/build.ts";
import { createView } from "../../test/support/layer-contract.ts";
import { renderShape } from "../../test/support/shape.ts";
import { applyEdits } from "../core/apply-edits.ts";
import { createAutoCompact } from "./auto-compact.ts";

const GOOD = "<summary>The parser is fixed in src/parse.ts:12.</summary>\n<memories>\n- tabs, not spaces\n</memories>";
const options = { keepTokens: 0, leastTokens: 100 };
const session = conversation(
  user("fix the parser"),
  assistant("looking", call("Bash")),
  results("line of code ".repeat(300)),
  assistant("fixed"),
  user("now the docs"),
  assistant(call("Read")),
  results("text"),
);
const view = createView(session);

function ask(compact = createAutoCompact(options)) {
  const question = compact.ask(view);
  if (!question) throw new Error(`the test expects a question: ${compact.state().reason}`);
  return { compact, question };
}

describe("asking a model", () => {
  test("[R132] reserves 20,000 tokens until the person's own sizes are known", () => {
    expect(ask().question.maxOutputTokens).toBe(20_000);
    expect(ask(createAutoCompact({ ...options, summaryTokensP9999: 17_387 })).question.maxOutputTokens).toBe(17_387);
  });

  test("the question is data: what to send, what to answer, and what it will replace", () => {
    const { question } = ask();
    expect(JSON.parse(JSON.stringify(question))).toEqual(question);
    expect([question.first, question.last]).toEqual(["m1", "m5"]);
    expect(question.messages).toEqual(session.slice(0, 5));
    expect(question.instructions).toContain("<memories>");
    expect(ask().question).toEqual(question);
  });

  test("nobody is asked at or below the line, nor about too little", () => {
    expect(createAutoCompact(options).ask({ ...view, targetTokens: view.tokens })).toBeUndefined();
    expect(createAutoCompact({ ...options, leastTokens: 1e6 }).ask(view)).toBeUndefined();
    const idle = createAutoCompact(options);
    expect(idle.ask({ ...createView([]), tokens: 9, targetTokens: 0 })).toBeUndefined();
    expect(idle.state().reason).toContain("no messages are old enough");
  });

  test("leaves the newest tokens that it is told to, and no exchange more", () => {
    const work = ["a", "b", "c", "d"].flatMap((command) => [assistant(call("Bash", { command })), results("text")]);
    const messages = conversation(user("go"), ...work);
    const even = { ...createView(messages), countTokens: () => 100, tokens: 900, targetTokens: 0 };
    const last = (keepTokens: number) =>
      createAutoCompact({ keepTokens, keepExchanges: 1, leastTokens: 0 }).ask(even)?.last;
    expect([last(399), last(400), last(401)]).toEqual(["m5", "m5", "m3"]);
  });

  test("what nobody understands is not in the span", () => {
    const messages = conversation(
      user("go"),
      assistant(opaque("server_tool_use")),
      ...["a", "b"].map((word) => user(word)),
    );
    const question = createAutoCompact({ keepTokens: 0, leastTokens: 0 }).ask(createView(messages));
    expect(question?.messages).toEqual(messages.slice(0, 1));
  });
});

describe("taking the answer", () => {
  test("[R130] [R131] [R140] one so-far block below a boundary marker, and the memories of the same answer", () => {
    const { compact, question } = ask();
    const verdict = compact.accept(question, GOOD, view);
    expect(verdict).toMatchObject({ kind: "accepted", memories: [{ topic: "General", text: "tabs, not spaces" }] });
    const edits = compact.plan(view);
    const { messages } = applyEdits(session, edits);
    expect(renderShape(messages)).toMatchInlineSnapshot(`
      "user host text "[COMPACT BOUNDARY: 5 messages before this point were replace"... 117 chars
      user + host text "So far:\\nThe parser is fixed in src/parse.ts:12."
      assistant call Read#1 {}
      user result Read#1 4 chars"
    `);
    expect(compact.originals(edits, session)[0]?.text).toContain("line of code");
    expect(compact.plan(createView(messages))).toEqual([]);
  });

  test("[R144] a boundary marker says how much is gone and where it is", () => {
    const { compact, question } = ask();
    compact.accept(question, GOOD, view);
    const text = JSON.stringify(applyEdits(session, compact.plan(view)).messages[0]);
    expect(text).toContain(`[COMPACT BOUNDARY: 5 messages`);
    expect(text).toContain(question.handle);
  });

  test("[R140] the next summary takes the last one in: there is never more than one", () => {
    const { compact, question } = ask();
    compact.accept(question, GOOD, view);
    const once = applyEdits(session, compact.plan(view)).messages;
    const more = conversation(user("x"), assistant("more"), user("words ".repeat(300)), assistant("end")).slice(1);
    const longer = [...once, ...more.map((message) => ({ ...message, id: `more ${message.id}` }))];
    compact.begin();
    const next = createView(longer);
    const second = compact.ask(next);
    expect(second?.messages[0]?.id).toBe(once[0]?.id);
    if (second) compact.accept(second, GOOD, next);
    const twice = applyEdits(longer, compact.plan(next)).messages;
    expect(JSON.stringify(twice).split("So far:").length - 1).toBe(1);
  });

  test.each([
    ["nonsense", "I would be happy to help!", "no <summary>"],
    ["nothing", "", "no <summary>"],
    ["an empty summary", "<summary> </summary><memories>none</memories>", "empty"],
    ["a cut-off summary", "<summary>The parser is", "no <summary>"],
    ["a summary without memories", "<summary>Done.</summary>", "no <memories>"],
    [
      "longer than it replaces",
      `<summary>${"and so on ".repeat(900)}</summary><memories>none</memories>`,
      "no fewer than",
    ],
  ])("[R129] [R131] %s is refused with a reason, and nothing changes", (_, answer, reason) => {
    const { compact, question } = ask();
    const verdict = compact.accept(question, answer, view);
    expect(verdict).toMatchObject({ kind: "rejected", reason: expect.stringContaining(reason) });
    expect(compact.state()).toMatchObject({ failures: 1, reason: expect.stringContaining(reason) });
    expect(compact.plan(view)).toEqual([]);
  });
});

describe("an answer's parts", () => {
  const read = (memories: string) => {
    const { compact, question } = ask();
    const verdict = compact.accept(question, `<summary>Done.</summary><memories>${memories}</memories>`, view);
    return verdict.kind === "accepted" ? verdict.memories.map(({ topic, text }) => `${topic}|${text}`) : verdict.reason;
  };

  test.each<[string, string, readonly string[]]>([
    [
      "one a line, with or without a sign before it",
      "- a b \r\n * c d\ne f\n",
      ["General|a b", "General|c d", "General|e f"],
    ],
    ["a topic before the first colon", "- Release: tag: then publish", ["Release|tag: then publish"]],
    ["no topic in an address", "- https://a.b/c", ["General|https://a.b/c"]],
    ["no topic without a word behind it", "- Release: ", ["General|Release:"]],
    ["no long topic", `- ${"x".repeat(41)}: y`, [`General|${"x".repeat(41)}: y`]],
    ["none", "none", []],
    ["none in brackets", "- (None).", []],
    ["nothing", " \n\n ", []],
    ["a line that only begins so", "none of the planks hold", ["General|none of the planks hold"]],
  ])("memories: %s", (_, memories, known) => {
    expect(read(memories)).toEqual(known);
  });

  test("a summary may speak of the tags, and both parts may come in any order", () => {
    const { compact, question } = ask();
    const answer =
      "<memories>none</memories> so: <summary>It names <summary> and </summary> in the text.</summary> end";
    compact.accept(question, answer, view);
    const text = JSON.stringify(applyEdits(session, compact.plan(view)).messages[0]);
    expect(text).toContain('So far:\\nIt names <summary> and </summary> in the text."');
  });

  test("what was accepted is planned as long as its messages are there, and says what it did", () => {
    const { compact, question } = ask();
    compact.accept(question, GOOD, view);
    expect(compact.plan(view)).toMatchObject([
      { first: "m1", last: "m5", by: "autoCompact", reason: "5 messages summarised, 1 memories kept" },
    ]);
    expect(compact.plan({ ...view, messages: session.slice(1) })).toEqual([]);
    expect(compact.plan({ ...view, messages: session.slice(0, 4) })).toEqual([]);
    expect(compact.state()).toMatchObject({ failures: 0, hasAsked: true, reason: "" });
    expect([compact.name, compact.cost, compact.eager]).toEqual(["autoCompact", 3, false]);
  });

  test("a summary as heavy as what it replaces is refused", () => {
    const { compact, question } = ask();
    expect(compact.accept({ ...question, tokens: 10 }, GOOD, { ...view, countTokens: () => 10 }).kind).toBe("rejected");
    expect(compact.accept({ ...question, tokens: 10.5 }, GOOD, { ...view, countTokens: () => 10 }).kind).toBe(
      "accepted",
    );
  });
});

describe("what is summarised", () => {
  test("the heavier of two runs that something unknown parts", () => {
    const run = (word: string, many: number) =>
      Array.from({ length: many }, () => [assistant(word), user(word)]).flat();
    const messages = conversation(
      user("go"),
      ...run("a", 1),
      assistant(opaque("new")),
      user("x"),
      ...run("b", 3),
      assistant("end"),
    );
    const even = { ...createView(messages), countTokens: () => 100, tokens: 900, targetTokens: 0 };
    const question = createAutoCompact({ keepTokens: 0, leastTokens: 0 }).ask(even);
    expect(question).toMatchObject({ first: "m6", last: "m11", tokens: 600 });
    expect(createAutoCompact({ keepTokens: 0, leastTokens: 600 }).ask(even)).toBeDefined();
    expect(createAutoCompact({ keepTokens: 0, leastTokens: 601 }).ask(even)).toBeUndefined();
  });

  test("not the last summary alone", () => {
    const { compact, question } = ask();
    compact.accept(question, GOOD, view);
    const once = applyEdits(session, compact.plan(view)).messages;
    compact.begin();
    expect(compact.ask({ ...createView(once), targetTokens: 0 })).toBeUndefined();
    expect(compact.state().reason).toBe("no messages are old enough to be worth a summary");
  });

  test("why nothing is asked is said", () => {
    const { compact } = ask();
    compact.ask(view);
    expect(compact.state().reason).toBe("a summary was already requested in this iteration");
    compact.ask({ ...view, targetTokens: view.tokens });
    expect(compact.state().reason).toBe("the messages are within the target");
  });
});

describe("the circuit breaker", () => {
  test("[R129] a failing model is asked exactly once per iteration", () => {
    const { compact } = ask();
    compact.fail("no answer within 60 s");
    expect(compact.ask(view)).toBeUndefined();
    expect(compact.state()).toMatchObject({ failures: 1, hasAsked: true });
    compact.begin();
    expect(compact.ask(view)).toBeDefined();
  });

  test("[R129] after three failures in a row nobody is asked any more; a success starts the count anew", () => {
    const { compact } = ask();
    for (let attempt = 0; attempt < 3; attempt++) {
      compact.fail("down");
      compact.begin();
    }
    expect(compact.ask(view)).toBeUndefined();
    expect(compact.state().reason).toContain("3 summaries failed in a row");
    // The next process knows.
    expect(createAutoCompact(options, JSON.parse(JSON.stringify(compact.state()))).ask(view)).toBeUndefined();

    const recovered = ask(createAutoCompact(options, { failures: 2, hasAsked: false, reason: "", accepted: [] }));
    recovered.compact.accept(recovered.question, GOOD, view);
    expect(recovered.compact.state().failures).toBe(0);
  });

  test.each(["summaryTokensP9999", "keepExchanges", "keepTokens", "leastTokens", "maxFailures"])(
    "bad options are named: %s",
    (name) => {
      expect(() => createAutoCompact({ [name]: -1 })).toThrow(new RegExp(`^${name} must be a number of at least`));
    },
  );

  test("empty instructions are refused with the fix", () => {
    expect(() => createAutoCompact({ instructions: " " })).toThrow(/^instructions must .+leave the option out/);
  });
});
