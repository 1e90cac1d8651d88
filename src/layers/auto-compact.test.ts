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
