/** If red: a fold is applied to the wrong one of two equal outputs, or is lost when the conversation grows. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryGrowth, arbitrarySession } from "../../test/support/arbitrary-session.ts";
import { tries } from "../../test/support/depth.ts";
import { createBlockIds, type Identity } from "./block-id.ts";
import type { Message } from "./message.ts";

const RUNS = { numRuns: tries(40, 500) };

/** Contents and call ids that try to look like ids themselves. */
const arbitraryIdentity: fc.Arbitrary<Identity> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("toolCall" as const, "toolResult" as const),
    callId: fc.constantFrom("a", "a:1", "a:1:1", "1:a", "#1:a", "a#1", "", ":", "1"),
  }),
  fc.record({
    kind: fc.constantFrom("text", "thinking", "image", "opaque", "message"),
    content: fc.constantFrom("", "ok", "ok:1", "text:ok"),
  }),
);

const arbitraryWalk = fc.array(arbitraryIdentity, { maxLength: 30 });

test("a block is recognised by the id of its call, otherwise by its content", () => {
  const createId = createBlockIds();
  expect(createId({ kind: "toolCall", callId: "toolu_1" })).toBe("toolCall:toolu_1");
  expect(createId({ kind: "toolResult", callId: "toolu_1" })).toBe("toolResult:toolu_1");
  expect(createId({ kind: "text", content: "fix it" })).toBe("text:2d2ada89545f5f19");
});

test("every block of a conversation gets an id of its own, also when contents repeat", () => {
  fc.assert(
    fc.property(arbitraryWalk, (walk) => {
      const ids = walk.map(createBlockIds());
      expect(new Set(ids).size).toBe(walk.length);
    }),
    RUNS,
  );
});

test("the blocks seen so far keep their ids when the conversation grows", () => {
  fc.assert(
    fc.property(arbitraryWalk, arbitraryWalk, (earlier, more) => {
      const ids = earlier.map(createBlockIds());
      expect([...earlier, ...more].map(createBlockIds()).slice(0, ids.length)).toEqual(ids);
    }),
    RUNS,
  );
});

test("the first of its content has the same id wherever it stands", () => {
  fc.assert(
    fc.property(arbitraryWalk, arbitraryIdentity, (others, identity) => {
      const alone = createBlockIds()(identity);
      const before = others.filter((other) => JSON.stringify(other) !== JSON.stringify(identity));
      expect([...before, identity].map(createBlockIds()).at(-1)).toBe(alone);
    }),
    RUNS,
  );
});

test("equal contents of different kinds have different ids", () => {
  const kinds = ["text", "thinking", "image", "opaque", "message"] as const;
  expect(new Set(kinds.map((kind) => createBlockIds()({ kind, content: "ok" }))).size).toBe(kinds.length);
});

test("whole conversations have unique ids, and the same ones in the next request", () => {
  fc.assert(
    fc.property(arbitraryGrowth(), ({ earlier, later }) => {
      const ids = blockIds(later);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.slice(0, blockIds(earlier).length)).toEqual(blockIds(earlier));
    }),
    RUNS,
  );
});

test("the random conversations do repeat contents", () => {
  const sessions = fc.sample(arbitrarySession(), { numRuns: 200, seed: 1 });
  expect(sessions.flatMap(blockIds).some((id) => id.startsWith("text#1:"))).toBe(true);
});

function blockIds(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => message.blocks.map((block) => block.id));
}
