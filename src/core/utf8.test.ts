/** If red: an original with broken characters comes back with other bytes than were stored. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryUnits } from "../../test/support/arbitrary-session.ts";
import { tries } from "../../test/support/depth.ts";
import { expectProportional } from "../../test/support/expect-proportional.ts";
import { decodeUtf8, encodeUtf8 } from "./utf8.ts";

describe("encodeUtf8", () => {
  it("gives the platform's bytes for well-formed text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(encodeUtf8(text)).toEqual(new TextEncoder().encode(text));
      }),
    );
  });

  it("keeps a lone surrogate as the three bytes of its code point", () => {
    expect([...encodeUtf8("a\ud800b")]).toEqual([0x61, 0xed, 0xa0, 0x80, 0x62]);
    expect([...encodeUtf8("\udc00\ud800")]).toEqual([0xed, 0xb0, 0x80, 0xed, 0xa0, 0x80]);
  });

  it("comes back unchanged, whatever the units are", () => {
    fc.assert(
      fc.property(arbitraryUnits(200), (text) => {
        const bytes = encodeUtf8(text);
        expect(decodeUtf8(bytes)).toBe(text);
      }),
    );
  });
});

describe("decodeUtf8", () => {
  it("decodes only what is encoded that way: every accepted byte sequence comes back", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const text = decodeUtf8(bytes);
        if (text !== undefined) expect(encodeUtf8(text)).toEqual(bytes);
      }),
      { numRuns: tries(40, 2000) },
    );
  });

  it.each([
    ["a lone continuation", [0x80]],
    ["an overlong form", [0xc0, 0x80]],
    ["an overlong form of three", [0xe0, 0x80, 0x80]],
    ["a cut-off sequence", [0xe2, 0x82]],
    ["a point beyond the last", [0xf4, 0x90, 0x80, 0x80]],
    ["a pair told as two halves", [0xed, 0xa0, 0x80, 0xed, 0xb0, 0x80]],
  ])("refuses %s", (_name, bytes) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toBeUndefined();
  });

  it("takes a run of lone halves in time that grows with its length", () => {
    expectProportional(200_000, (size) => {
      expect(decodeUtf8(encodeUtf8("\udc00".repeat(size)))).toHaveLength(size);
    });
  });

  it("takes texts of many chunks", () => {
    const text = "naïve ☃ 𝒳 ".repeat(20_000);
    expect(decodeUtf8(encodeUtf8(text))).toBe(text);
  });
});
