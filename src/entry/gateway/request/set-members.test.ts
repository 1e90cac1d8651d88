/** If red: changing one field of a request changes other bytes of it, and the prompt cache is rebuilt. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMember, insertBytes, listElements, renderList, renderValue, setMembers } from "./set-members.ts";

const set = (text: string, values: Readonly<Record<string, string>>): string =>
  setMembers(
    Buffer.from(text),
    Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Buffer.from(value)])),
  ).toString();

describe("an object with other values", () => {
  it("keeps every byte of the rest", () => {
    expect(set('{ "a" : 1.0 ,"index":3,\n"big":12345678901234567890}', { index: "7" })).toBe(
      '{ "a" : 1.0 ,"index":7,\n"big":12345678901234567890}',
    );
  });

  it("has them wherever a key is repeated, or written with escapes", () => {
    expect(set('{"index":1,"\\u0069ndex":2}', { index: "9" })).toBe('{"index":9,"\\u0069ndex":9}');
  });

  it("gets a key that it lacks", () => {
    expect(set("{}", { a: "1" })).toBe('{"a":1}');
    expect(set('{"b":2 }', { a: "1", c: "3" })).toBe('{"b":2 ,"a":1,"c":3}');
  });

  it("is what a parser makes of the same assignment, whatever is in it", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (object, key, value) => {
        const made = setMembers(Buffer.from(JSON.stringify(object, null, 1)), {
          [key]: Buffer.from(JSON.stringify(value)),
        });
        const expected = JSON.parse(JSON.stringify({ ...object, ["__proto__" === key ? "" : key]: value }));
        if (key !== "__proto__") expect(JSON.parse(made.toString())).toEqual(expected);
      }),
    );
  });

  it("is left alone where it is none", () => {
    expect(set("[1]", { a: "1" })).toBe("[1]");
  });
});

it("finds the last value of a key, and the values of a list, as they are written", () => {
  expect(findMember(Buffer.from('{"a":1,"a": [1.0 , 2e3]}'), "a")?.toString()).toBe("[1.0 , 2e3]");
  expect(renderList(listElements(Buffer.from("[ 1.0 , {} ,[2]]"))).toString()).toBe("[1.0,{},[2]]");
});

it("has nothing where there is no object, no list, or no such key", () => {
  expect([findMember(Buffer.from("[1]"), "a"), findMember(Buffer.from('{"a":1}'), "b")]).toEqual([
    undefined,
    undefined,
  ]);
  expect([listElements(Buffer.from("{}")), String(renderList([])), String(renderValue("ä"))]).toEqual([
    [],
    "[]",
    '"ä"',
  ]);
});

it("leaves a key as it is where it is to have no other value", () => {
  const none = { a: undefined, toString: undefined, b: undefined };
  expect(String(setMembers(Buffer.from('{"a":1,"toString":2}'), none))).toBe('{"a":1,"toString":2}');
  expect(String(setMembers(Buffer.from('{"toString":2}'), {}))).toBe('{"toString":2}');
});

it("inserts bytes at places of the body as it came, before and behind what was changed in it", () => {
  // The body was "ab[12]yz", and its middle became longer.
  const pieces = ["ab[", "1", ",", "other", "]yz"].map((text) => Buffer.from(text));
  const at = (offset: number, isBehind: boolean, text: string) => ({ offset, isBehind, bytes: Buffer.from(text) });
  const insert = (...places: readonly ReturnType<typeof at>[]): string =>
    Buffer.concat([...insertBytes(pieces, 8, places)]).toString();
  expect(insert()).toBe("ab[1,other]yz");
  expect(
    insert(at(7, true, "<3>"), at(0, false, "<0>"), at(2, false, "<2>"), at(5, true, "<1>"), at(8, true, "<4>")),
  ).toBe("<0>ab<2>[1,other<1>]y<3>z<4>");
  expect(insert(at(2, false, "<b>"), at(1, false, "<a>"), at(6, true, "<c>"), at(7, true, "<d>"))).toBe(
    "a<a>b<b>[1,other]<c>y<d>z",
  );
  expect(String(Buffer.concat([...insertBytes([], 0, [at(0, false, "x")])]))).toBe("x");
});
