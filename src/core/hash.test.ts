/** If red: a folded output comes back as another one because two texts share a hash, or an unchanged message counts as changed. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sayOtherwise } from "../../test/support/arbitrary-edits.ts";
import { arbitrarySession, arbitraryUnits } from "../../test/support/arbitrary-session.ts";
import {
  assistant,
  call,
  conversation,
  failed,
  image,
  type MessageDraft,
  opaque,
  results,
  thinking,
  user,
} from "../../test/support/build.ts";
import { tries } from "../../test/support/depth.ts";
import { hashBlocks, hashMessages, hashText } from "./hash.ts";
import { encodeUtf8 } from "./utf8.ts";

const RUNS = { numRuns: tries(40, 500) };

// Computed by an independent implementation. Ids made of these are stored in ledgers: a changed hash forgets every decision.
test.each([
  ["", "46f9186546f91865"],
  ["a", "01f23969487cb00b"],
  ["fix it", "2d2ada89545f5f19"],
  ["The quick brown fox jumps over the lazy dog", "f581ad770ea7bfbe"],
  ["naïve ☃ 𝒳", "e605739b3350e056"],
  ["\ud800", "5d3a8eec86d5beb9"],
  [" line\n".repeat(1000), "3318ff540a8a1717"],
])("the hash of %j is known", (text, known) => {
  expect(hashText(text)).toBe(known);
});

test("a seed gives another hash, the same every time", () => {
  expect(hashText("a", 1)).toBe("faebe71e6b643d22");
});

test("any text at all hashes to sixteen hexadecimal digits", () => {
  fc.assert(
    fc.property(arbitraryUnits(50), (text) => {
      expect(hashText(text)).toMatch(/^[0-9a-f]{16}$/);
    }),
    RUNS,
  );
});

test("three hundred thousand texts of a coding session do not collide", () => {
  const seen = new Set<string>();
  for (let n = 0; n < 60_000; n++) {
    seen.add(hashText(`${n}`));
    seen.add(hashText(`src/layer-${n % 1000}/file-${n}.ts`));
    seen.add(hashText(`${n}\tconst value${n} = ${n};`));
    seen.add(hashText(String.fromCharCode(n, (n * 7) % 65_536, n >> 4, 0)));
    seen.add(hashText("ab".repeat(8) + n.toString(2).padStart(16, "0")));
  }
  expect(seen.size).toBe(300_000);
});

test("texts of one repeated character differ by their length alone", () => {
  for (const unit of ["\0", " ", "a", "\uffff"]) {
    const hashes = Array.from({ length: 4000 }, (_, length) => hashText(unit.repeat(length)));
    expect(new Set(hashes).size).toBe(hashes.length);
  }
});

test("a text differs from itself with one character changed, added, dropped or moved", () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 200 }),
      fc.nat(200),
      fc.string({ minLength: 1 }),
      (text, at, other) => {
        const index = at % text.length;
        const [head, tail] = [text.slice(0, index), text.slice(index + 1)];
        const rotated = text.slice(1) + text.slice(0, 1);
        for (const changed of [head + other + tail, head + other + text.slice(index), head + tail, rotated]) {
          if (changed !== text) expect(hashText(changed)).not.toBe(hashText(text));
        }
      },
    ),
    RUNS,
  );
});

const asked = assistant(call("Bash", { command: "ls" }));
const hashOf = (...drafts: readonly MessageDraft[]): string => hashMessages(conversation(...drafts));

describe("the hash of what is said", () => {
  test("is another one for anything that a model would read otherwise", () => {
    const hashes = [
      hashOf(user("a")),
      hashOf(user("b")),
      hashOf(assistant("a")),
      hashOf(user("a"), user("b")),
      hashOf(user("a", "b")),
      hashOf(user("ab")),
      hashOf(user(image("AAAA"))),
      hashOf(user(image("AAAB"))),
      hashOf(user(opaque("future", { a: 1 }))),
      hashOf(user(opaque("future", { a: 2 }))),
      hashOf(assistant(thinking("a"))),
      hashOf(assistant(thinking("b"))),
      hashOf(asked),
      hashOf(assistant(call("Bash", { command: "rm" }))),
      hashOf(assistant(call("Read", { command: "ls" }))),
      hashOf(assistant(call("Bash", { command: "ls" }, "another call"))),
      hashOf(asked, results("")),
      hashOf(asked, results("ab")),
      hashOf(asked, results(["a", "b"])),
      hashOf(asked, results(["", "ab"])),
      hashOf(asked, results(failed("ab"))),
      hashOf(asked, results([image("AAAA")])),
      hashOf(asked, results([image("AAAB")])),
      hashOf(asked, results([opaque("future", { a: 1 })])),
      hashOf(asked, results([opaque("future", { a: 2 })])),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashes[0]).toMatch(/^[0-9a-f]{64}$/);
  });

  test("is the same wherever the client sets its breakpoints, and whatever we call the blocks", () => {
    const mark = { cache_control: { type: "ephemeral" } };
    const plain = image();
    const marked = { ...plain, raw: { ...plain.raw, ...mark } };
    expect(hashOf(user(marked))).toBe(hashOf(user(plain)));
    expect(hashOf(asked, results([marked]))).toBe(hashOf(asked, results([plain])));
    expect(hashOf(user(opaque("future", { inner: mark })))).toBe(hashOf(user(opaque("future", { inner: {} }))));
    const [first, second] = conversation(user("a"), user("a"));
    expect(first?.blocks[0]?.id).not.toBe(second?.blocks[0]?.id);
    expect(hashBlocks(first?.blocks ?? [])).toBe(hashBlocks(second?.blocks ?? []));
  });

  test("counts a field of a call's input as what it says, whatever its name", () => {
    expect(hashOf(assistant(call("Edit", { cache_control: "a" })))).not.toBe(
      hashOf(assistant(call("Edit", { cache_control: "b" }))),
    );
  });

  test("is the same for a copy, with a native hash, and only for the same", () => {
    const native = (text: string): string => createHash("sha256").update(encodeUtf8(text)).digest("hex");
    fc.assert(
      fc.property(arbitrarySession(), (messages) => {
        const hash = hashMessages(messages);
        expect(hashMessages(structuredClone(messages), native)).toBe(hash);
        const hasWords = messages.some(({ blocks }) => blocks.some(({ kind }) => kind === "text"));
        if (hasWords) expect(hashMessages(sayOtherwise(messages))).not.toBe(hash);
      }),
    );
  });
});
