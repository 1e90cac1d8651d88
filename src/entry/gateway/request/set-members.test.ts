/** If red: changing one field of a request changes other bytes of it, and the prompt cache is rebuilt. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findMember, listElements, renderList, setMembers } from "./set-members.ts";

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
