import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryUnits } from "../../test/support/arbitrary-session.ts";
import { tries } from "../../test/support/depth.ts";
import { hashText } from "./hash.ts";

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
