import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sayOtherwise } from "../../test/support/arbitrary-edits.ts";
import { arbitrarySession } from "../../test/support/arbitrary-session.ts";
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
import { hashBlocks, hashMessages } from "./content-hash.ts";
import { encodeUtf8 } from "./utf8.ts";

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
