/** If red: a request is cut in the middle of a string and cannot be parsed. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tries } from "../../../../test/support/depth.ts";
import { countCommonBytes, parseSpan, scanList, scanMembers, scanObject, scanRow } from "./json-spans.ts";

/** Quotes and backslashes in any order, around the length from which on the engine searches. */
const awkward = fc
  .array(fc.constantFrom('"', "\\", "a", "é", "\n", "x".repeat(28)), { maxLength: 24 })
  .map((parts) => parts.join(""));

describe("a list's strings", () => {
  it("end where JSON ends them, whatever is escaped in them", () => {
    fc.assert(
      fc.property(fc.array(awkward, { minLength: 1, maxLength: 6 }), (texts) => {
        const bytes = Buffer.from(JSON.stringify(texts));
        const found = scanList(bytes, 0);
        expect(found?.end).toBe(bytes.length);
        expect(found?.elements.map((span) => parseSpan(bytes, span))).toEqual(texts);
      }),
      { numRuns: tries(300, 5_000) },
    );
  });

  it("are not taken for whole where they are cut", () => {
    fc.assert(
      fc.property(awkward, fc.nat(), (text, cut) => {
        const bytes = Buffer.from(JSON.stringify([text]));
        expect(scanList(bytes.subarray(0, cut % bytes.length), 0)).toBeUndefined();
      }),
      { numRuns: tries(300, 5_000) },
    );
  });
});

/** Every space that JSON knows, around every sign. */
const SPACES = "\r\n\t ";
const spaced = (text: string): string => text.replace(/[[\]{}:,]/g, `${SPACES}$&${SPACES}`);

describe("an object's members", () => {
  const read = (text: string, from = 0) => {
    const bytes = Buffer.from(text);
    const found = scanObject(bytes, from);
    return found && { end: found.end, members: found.members.map(({ key, value }) => [key, parseSpan(bytes, value)]) };
  };
  const members = [
    ["a", -1.5e9],
    ['b "', [true, false, null, { c: "}" }]],
    ["", {}],
    ["z", "]"],
  ];

  it("are found in their order, with and without space around them", () => {
    const text = '{"a":-1.5E+9,"b \\"":[true,false,null,{"c":"}"}],"":{},"z":"]"}';
    expect(read(text)).toEqual({ end: text.length, members });
    const wide = spaced('{"a":-1.5E+9,"b \\"":[true,false,null,{"c":').concat(
      '"}"',
      spaced("}],"),
      '""',
      spaced(":{},"),
      '"z"',
      spaced(":"),
      '"]"',
      SPACES,
      "}",
    );
    expect(read(wide)).toEqual({ end: wide.length, members });
    expect(read(`x${text} ,`, 1)).toEqual({ end: text.length + 1, members });
    expect(read("{ }")).toEqual({ end: 3, members: [] });
  });

  it.each([
    "",
    "[]",
    '{"a"',
    '{"a":',
    '{"a":1',
    '{"a":1,',
    '{"a" 1}',
    "{a:1}",
    '{"a":}',
    '{"a":1 "b":2}',
    '{"a":"b',
    '{"a":[1}',
    "{,}",
    '{"a":1,}',
  ])("are none in %j", (text) => {
    expect(read(text)).toBeUndefined();
  });

  it("are scanned on from a comma", () => {
    const bytes = Buffer.from('{"a":1, "b" : 2 } ');
    expect(scanMembers(bytes, 7)).toEqual({
      members: [{ key: "b", value: { start: 14, end: 15, brackets: 0 } }],
      end: 17,
    });
  });
});

describe("a list's elements", () => {
  it("say where they are and how many brackets they open", () => {
    const bytes = Buffer.from(' [ {"a":[1,"["]} , "b",2 ]x');
    expect(scanList(bytes, 0)).toEqual({
      elements: [
        { start: 3, end: 16, brackets: 2 },
        { start: 19, end: 22, brackets: 0 },
        { start: 23, end: 24, brackets: 0 },
      ],
      end: 26,
    });
  });

  it("are scanned on from behind a known one", () => {
    const bytes = Buffer.from("[1, 2 , 3]");
    const from = (at: number) => scanList(bytes, 0, at)?.elements.map((span) => parseSpan(bytes, span));
    expect([from(2), from(5), from(9)]).toEqual([[2, 3], [3], []]);
    expect(from(4)).toBeUndefined();
  });

  it.each(["", "{}", "[", "[1", "[1,", "[1 2]", "[,1]", "[1,]", '["a]', "[{]", "[!]"])("are none in %j", (text) => {
    expect(scanList(Buffer.from(text), 0)).toBeUndefined();
  });

  it("without brackets are a row", () => {
    const bytes = Buffer.from('x{"a":1} , "b",[2]y');
    expect(scanRow(bytes, { start: 1, end: 18 }).map((span) => parseSpan(bytes, span))).toEqual([{ a: 1 }, "b", [2]]);
    expect(scanRow(bytes, { start: 1, end: 1 })).toEqual([]);
    expect(scanRow(Buffer.from('1,"a'), { start: 0, end: 4 })).toEqual([]);
  });
});

it("the bytes that two bodies have in common at their beginning are counted one by one", () => {
  for (const same of [0, 1, 31, 32, 33, 1_023, 1_024, 65_535, 65_536, 70_001, 140_000]) {
    const left = Buffer.alloc(same + 5, "a");
    const right = Buffer.alloc(same + 70_000, "a");
    expect(countCommonBytes(left, right)).toBe(same + 5);
    expect(countCommonBytes(right, left)).toBe(same + 5);
    left[same] = 0x62;
    expect(countCommonBytes(left, right)).toBe(same);
  }
});
