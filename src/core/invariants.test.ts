/** If red: a compaction leaves a call without its result and the API refuses the request. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitrarySession } from "../../test/support/arbitrary-session.ts";
import {
  assistant,
  call,
  conversation,
  failed,
  type MessageDraft,
  reminder,
  replacement,
  resultOf,
  results,
  system,
  user,
} from "../../test/support/build.ts";
import { tries } from "../../test/support/depth.ts";
import { findNewViolation, findViolations, renderViolation } from "./apply-edits.ts";
import type { Block, Message } from "./message.ts";

const RUNS = { numRuns: tries(40, 500) };
const ls = call("Bash", { command: "ls" });
const read = call("Read", { path: "a.ts" });

const sound: Record<string, readonly MessageDraft[]> = {
  "a single question": [user("fix it")],
  "parallel calls answered in one message": [user("fix it"), assistant(ls, read), results("a.ts", failed("gone"))],
  "parallel calls answered in another order": [
    user("fix it"),
    assistant(ls, read),
    user(resultOf("Read#1", "code"), resultOf("Bash#1", "a.ts")),
  ],
  "parallel calls answered message by message": [user("fix it"), assistant(ls, read), results("a.ts"), results("code")],
  "parallel calls asked message by message": [user("fix it"), assistant(ls), assistant(read), results("a.ts", "code")],
  "a system message between a call and its result": [user("fix it"), assistant(ls), system("note"), results("a.ts")],
  "the person's words between two results": [
    user("fix it"),
    assistant(ls, read),
    results("a.ts"),
    user("hurry"),
    results("code"),
  ],
  "a system message before the first question": [system("rules"), user("fix it")],
};

test.each(Object.entries(sound))("%s breaks no rule", (_, drafts) => {
  expect(findViolations(conversation(...drafts))).toEqual([]);
});

const broken: Record<string, { drafts: readonly MessageDraft[]; rules: readonly string[] }> = {
  "no message at all": { drafts: [], rules: ["emptyConversation:"] },
  "nothing but system messages": { drafts: [system("rules")], rules: ["emptyConversation:"] },
  "a result without its call": { drafts: [user("fix it"), user(resultOf("x", "a.ts"))], rules: ["orphanResult:x"] },
  "a result before its call": {
    drafts: [user("fix it"), user(resultOf("Bash#1", "a.ts")), assistant(ls)],
    rules: ["orphanResult:Bash#1", "unansweredCall:Bash#1"],
  },
  "a result that comes after the next answer": {
    drafts: [user("fix it"), assistant(ls), user("wait"), assistant("sure"), results("a.ts")],
    rules: ["unansweredCall:Bash#1", "orphanResult:Bash#1"],
  },
  "an interrupted call": {
    drafts: [user("fix it"), assistant(ls), user("stop"), assistant("stopped")],
    rules: ["unansweredCall:Bash#1"],
  },
  "one of two parallel calls interrupted": {
    drafts: [user("fix it"), assistant(ls, read), results("a.ts"), assistant("hm")],
    rules: ["unansweredCall:Read#1"],
  },
  "a call still open at the end": { drafts: [user("fix it"), assistant(ls)], rules: ["unansweredCall:Bash#1"] },
  "a call open behind the person's last words": {
    drafts: [user("fix it"), assistant(ls), user("stop")],
    rules: ["unansweredCall:Bash#1"],
  },
  "a call answered twice": {
    drafts: [user("fix it"), assistant(ls), results("a.ts"), user(resultOf("Bash#1", "b.ts"))],
    rules: ["repeatedResult:Bash#1"],
  },
  "a call answered again a round later": {
    drafts: [user("fix it"), assistant(ls), results("a.ts"), assistant("done"), user(resultOf("Bash#1", "b.ts"))],
    rules: ["orphanResult:Bash#1"],
  },
  "an assistant that speaks first": { drafts: [system("rules"), assistant("hi")], rules: ["leadingAssistant:m2"] },
  "a message without blocks": { drafts: [user("fix it"), assistant()], rules: ["emptyMessage:m2"] },
};

test.each(Object.entries(broken))("%s breaks a rule", (_, { drafts, rules }) => {
  expect(findViolations(conversation(...drafts)).map(renderViolation)).toEqual(rules);
});

test("a message or block id that occurs twice breaks a rule, in system messages too", () => {
  const messages = conversation(user("fix it"), assistant("sure"));
  const [again] = replacement("", system("fix it"));
  const twice = [...messages, ...(again ? [{ ...again, blocks: [...again.blocks] }] : [])];
  expect(findViolations(twice).map(renderViolation)).toEqual(["repeatedId:m1", "repeatedId:text:2d2ada89545f5f19"]);
});

test("a conversation of whole rounds breaks no rule", () => {
  fc.assert(
    fc.property(arbitrarySession({ isWhole: true }), (messages) => {
      expect(findViolations(messages)).toEqual([]);
    }),
    RUNS,
  );
});

test("taking any one result out of a whole conversation leaves exactly its call unanswered", () => {
  fc.assert(
    fc.property(arbitrarySession({ isWhole: true }), fc.nat(), (messages, pick) => {
      const taken = pickBlock(messages, "toolResult", pick);
      if (taken?.kind !== "toolResult") return;
      const left = findViolations(without(messages, taken)).map(renderViolation);
      expect(left).toEqual([`unansweredCall:${taken.callId}`]);
    }),
    RUNS,
  );
});

test("taking any one call out of a whole conversation leaves exactly its result an orphan", () => {
  fc.assert(
    fc.property(arbitrarySession({ isWhole: true }), fc.nat(), (messages, pick) => {
      const taken = pickBlock(messages, "toolCall", pick);
      if (taken?.kind !== "toolCall") return;
      const left = findViolations(without(messages, taken)).map(renderViolation);
      expect(left).toEqual([`orphanResult:${taken.callId}`]);
    }),
    RUNS,
  );
});

test("no conversation has a new violation compared with itself", () => {
  fc.assert(
    fc.property(arbitrarySession(), (messages) => {
      expect(findNewViolation(messages, messages)).toBeUndefined();
    }),
    RUNS,
  );
});

test("a violation that was there before is not new, one more of the same is", () => {
  const before = conversation(user("fix it"), user(resultOf("x", "a.ts")));
  const after = conversation(user("fix it"), user(reminder("note"), resultOf("x", "a.ts")));
  expect(findNewViolation(before, after)).toBeUndefined();
  const more = conversation(user("fix it"), user(resultOf("x", "a.ts"), resultOf("x", "b.ts")));
  expect(findNewViolation(before, more)).toEqual({ rule: "orphanResult", subject: "x" });
});

function pickBlock(messages: readonly Message[], kind: Block["kind"], pick: number): Block | undefined {
  const blocks = messages.flatMap((message) => message.blocks.filter((block) => block.kind === kind));
  return blocks[pick % Math.max(1, blocks.length)];
}

/** The conversation without the block, and without its message if that holds nothing else. */
function without(messages: readonly Message[], taken: Block): readonly Message[] {
  return messages
    .map((message) => ({ ...message, blocks: message.blocks.filter((block) => block !== taken) }))
    .filter((message) => message.blocks.length > 0);
}
