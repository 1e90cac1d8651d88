/** If red: an install changes bytes of the settings that it was not asked to change. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyJsonEdits, parseJsonText } from "./json-text.ts";

const set = (text: string, path: readonly string[], value: string | boolean) =>
  applyJsonEdits(text, [{ kind: "set", path, value }]);
const remove = (text: string, ...path: readonly (string | number)[]) =>
  applyJsonEdits(text, [{ kind: "remove", path }]);

describe("editing a JSON text", () => {
  it.each([
    ["{}", '{\n  "a": {\n    "b": true\n  }\n}'],
    ['{"x":1}', '{"x":1, "a": {"b":true}}'],
    ['{\n\t"x": 1\n}\n', '{\n\t"x": 1,\n\t"a": {\n\t\t"b": true\n\t}\n}\n'],
    ['{\r\n  "x": 1\r\n}', '{\r\n  "x": 1,\r\n  "a": {\r\n    "b": true\r\n  }\r\n}'],
    ['{\n "a": {}\n}', '{\n "a": {\n  "b": true\n }\n}'],
    ['\uFEFF{"x": "}"}', '\uFEFF{"x": "}", "a": {"b":true}}'],
  ])("puts a value into %j as the text is written", (text, expected) => {
    expect(set(text, ["a", "b"], true)).toBe(expected);
  });

  it("leaves a value alone that is right already, however it is written", () => {
    const text = '{ "a" : { "b":\n true } }';
    expect(set(text, ["a", "b"], true)).toBe(text);
  });

  it("replaces a value and nothing around it", () => {
    expect(set('{ "a": {"b": [1, {"c": "]"}]} , "d": 1e3}', ["a", "b"], "new")).toBe('{ "a": {"b": "new"} , "d": 1e3}');
  });

  it("takes the last of two members of one name, as parsers do", () => {
    expect(remove('{"a": 1, "b": 2, "a": 3}', "a")).toBe('{"a": 1, "b": 2}');
  });

  it.each([
    ["the first", '{"a": 1, "b": 2}', ["a"], '{"b": 2}'],
    ["the last", '{"a": 1,\n "b": 2\n}', ["b"], '{"a": 1\n}'],
    ["the only one", '{ "a": 1 }', ["a"], "{}"],
    ["an element", '{"a": [1, [2], 3]}', ["a", 1], '{"a": [1, 3]}'],
    ["nothing that is not there", '{"a": [1]}', ["a", 1], '{"a": [1]}'],
  ])("removes %s", (_, text, path, expected) => {
    expect(remove(text, ...path)).toBe(expected);
  });

  it("appends to a list, and makes the list where there is none", () => {
    const append = (text: string) => applyJsonEdits(text, [{ kind: "append", path: ["h", "e"], value: "new" }]);
    expect(append('{"h": {"e": ["old"]}}')).toBe('{"h": {"e": ["old", "new"]}}');
    expect(append('{"h": {}}')).toBe('{"h": {"e": ["new"]}}');
    expect(append('{\n  "h": {\n    "e": [\n      "old"\n    ]\n  }\n}')).toBe(
      '{\n  "h": {\n    "e": [\n      "old",\n      "new"\n    ]\n  }\n}',
    );
  });

  it("changes what it is about and no byte of the rest, for any settings in any layout", () => {
    fc.assert(
      fc.property(arbitraryText(), fc.string(), fc.string(), (text, outer, inner) => {
        const before = JSON.parse(text);
        const isFree = !Object.hasOwn(before, outer);
        fc.pre(isFree && outer !== "__proto__" && inner !== "__proto__");
        const after = set(text, [outer, inner], true);
        expect(parseJsonText(after)).toEqual({ ...before, [outer]: { [inner]: true } });
        expect(remove(after, outer)).toBe(text);
      }),
    );
  });
});

function arbitraryText(): fc.Arbitrary<string> {
  const settings = fc.dictionary(
    fc.string().filter((key) => key !== "__proto__"),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const layout = fc.constantFrom("", " ", "  ", "\t", "    ");
  return fc.tuple(settings, layout, fc.boolean(), fc.constantFrom("", "\n")).map(([value, indent, isWindows, end]) => {
    const text = JSON.stringify(value, null, indent) + end;
    return isWindows ? text.replaceAll("\n", "\r\n") : text;
  });
}
