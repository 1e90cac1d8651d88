/** If red: the page's server opens a path that somebody put into a request. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseQuestion } from "./question.ts";

const KEY = "0123456789abcdef";
const parse = (view: string, parameters = "") => parseQuestion(view, new URLSearchParams(parameters));

describe("parseQuestion", () => {
  it("takes what the page asks", () => {
    expect(parse("spend")).toEqual({ view: "spend" });
    expect(parse("session", `key=${KEY}`)).toEqual({ view: "session", key: KEY });
    expect(parse("block", `key=${KEY}&request=3&block=0`)).toEqual({ view: "block", key: KEY, request: 3, block: 0 });
    expect(parse("fold", `key=${KEY}&handle=plimsoll:0123456789ab`)).toMatchObject({ handle: "plimsoll:0123456789ab" });
  });

  it.each([
    ["nothing", ""],
    ["__proto__", ""],
    ["session", ""],
    ["session", "key=../../etc/passwd"],
    ["session", `key=${KEY}0`],
    ["request", `key=${KEY}`],
    ["request", `key=${KEY}&request=-1`],
    ["request", `key=${KEY}&request=1e9`],
    ["block", `key=${KEY}&request=1`],
    ["fold", `key=${KEY}&handle=../secret`],
  ])("takes no %s with %s", (view, parameters) => {
    expect(parse(view, parameters)).toBeUndefined();
  });

  it("never lets a name through that could be a path", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (key, handle) => {
        const parameters = new URLSearchParams({ key, handle, request: "1", block: "1" });
        const found = parseQuestion("fold", parameters) ?? parseQuestion("block", parameters);
        if (found) expect(JSON.stringify(found)).not.toMatch(/[/\\]|\.\./);
      }),
    );
  });
});
