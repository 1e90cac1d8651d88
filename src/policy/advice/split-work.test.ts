import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitrarySession } from "../../../test/support/arbitrary-session.ts";
import { assistant, call, conversation, results, system, user } from "../../../test/support/build.ts";
import { tries } from "../../../test/support/depth.ts";
import { findViolations, renderViolation } from "../../core/apply-edits.ts";
import type { Message } from "../../core/message.ts";
import { splitWork, type WorkSplit } from "./split-work.ts";

const evenly = (): number => 1;
const ids = (split: WorkSplit | undefined): readonly string[] | undefined => split?.summarise.map(({ id }) => id);

/** Ten messages: two rounds of work in which a call and its result stand at 3 and 4, then talk. */
const session = conversation(
  user("fix it"),
  assistant("I look"),
  user("go on"),
  assistant(call("Read"), call("Bash")),
  results("a", "b"),
  assistant("done"),
  user("next"),
  assistant("sure"),
  user("and?"),
  assistant("fine"),
);

describe("the split", () => {
  it("[R73] summarises three tenths and keeps seven", () => {
    expect(ids(splitWork(session, evenly))).toEqual(["m1", "m2", "m3"]);
  });

  it("[R73] goes by weight, and loses no message", () => {
    const heavy = (message: Message): number => (message.id === "m1" ? 2 : 1);
    const split = splitWork(session, heavy);
    expect(ids(split)).toEqual(["m1", "m2"]);
    expect([...(split?.summarise ?? []), ...(split?.keep ?? [])]).toEqual(session);
  });

  it("[R73] draws back to before a call rather than part it from its result", () => {
    const work = conversation(
      user("fix it"),
      assistant(call("Read")),
      system("a note"),
      results("a"),
      ...Array.from({ length: 6 }, () => user("go on")),
    );
    expect(ids(splitWork(work, evenly))).toEqual(["m1"]);
  });

  it("[R73] keeps parallel calls that were stored as several messages on one side", () => {
    const work = conversation(
      user("fix it"),
      assistant(call("Read")),
      assistant(call("Bash")),
      results("a"),
      results("b"),
      ...Array.from({ length: 5 }, () => user("go on")),
    );
    expect(ids(splitWork(work, evenly))).toEqual(["m1"]);
  });

  it("[R73] keeps an answer that was stored as several messages on one side", () => {
    const talk = Array.from({ length: 6 }, () => user("go on"));
    const work = conversation(user("fix it"), assistant("I"), assistant("look"), assistant("again"), ...talk);
    expect(ids(splitWork(work, evenly))).toEqual(["m1"]);
  });

  it("is not made where there is no clean cut", () => {
    expect(splitWork([], evenly)).toBeUndefined();
    expect(splitWork(conversation(user("fix it")), evenly)).toBeUndefined();
    expect(splitWork(conversation(user("a"), assistant(call("Read")), results("b")), evenly)).toBeUndefined();
  });
});

describe("whatever the conversation", () => {
  const findParted = (messages: readonly Message[]): readonly string[] =>
    findViolations(messages)
      .filter(({ rule }) => rule === "orphanResult" || rule === "unansweredCall" || rule === "repeatedResult")
      .map(renderViolation);

  it("[R73, R76] no call is parted from its result, and at least seven tenths of the weight stay", () => {
    let splits = 0;
    fc.assert(
      fc.property(arbitrarySession({ maxRounds: 12 }), fc.array(fc.nat(50), { minLength: 1 }), (messages, weights) => {
        const weigh = new Map(messages.map((message, index) => [message, weights[index % weights.length] ?? 0]));
        const countTokens = (message: Message): number => weigh.get(message) ?? 0;
        const split = splitWork(messages, countTokens);
        if (!split) return;
        splits++;
        const known = findParted(messages);
        for (const parted of [...findParted(split.summarise), ...findParted(split.keep)])
          expect(known).toContain(parted);
        const total = (side: readonly Message[]): number =>
          side.reduce((sum, message) => sum + countTokens(message), 0);
        expect(total(split.summarise)).toBeLessThanOrEqual(total(messages) * 0.3);
        expect([...split.summarise, ...split.keep]).toEqual(messages);
      }),
      { numRuns: tries(40, 500) },
    );
    expect(splits).toBeGreaterThan(tries(0, 100));
  });
});
