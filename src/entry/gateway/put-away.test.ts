/** If red: a conversation gets the history that belongs to another user. */
import { expect, it } from "vitest";
import { sha256 } from "../../files/native-sha256.ts";
import { CLOSING_SIGN, closeWith, findClosing, parsePutAway, putAway } from "./put-away.ts";

const LIST = '[{"role":"user","content":"ä\n"}]';

it("a history that was put away is found by the sentence in its place, and given to its owner alone", () => {
  const { handle, text } = putAway({ user: "ada", left: ["h1", "h2"] }, LIST);
  expect(handle).toBe(`plimsoll:${sha256(text).slice(0, 12)}`);
  const sentence = closeWith(handle);
  expect(sentence).toBe(`The conversation up to here is kept, word for word, as ${handle}.`);
  expect([findClosing(`A record. ${sentence} More.`), Buffer.from(sentence).includes(CLOSING_SIGN)]).toEqual([
    handle,
    true,
  ]);
  expect(parsePutAway(text, "ada")).toEqual({ user: "ada", left: ["h1", "h2"], list: Buffer.from(LIST) });
  expect(parsePutAway(text, "eve")).toBeUndefined();
});

it.each(["", "[]", "7\n[]", "{\n[]", '{"left":[]}\n[]', "no line"])("%j is no history that was put away", (text) => {
  expect(parsePutAway(text, "ada")).toBeUndefined();
});

it("a history without hashes, or with others than texts, has none", () => {
  expect(parsePutAway('{"user":""}\n[]', "")).toMatchObject({ left: [] });
  expect(parsePutAway('{"user":"","left":["a",7]}\n[1\n]', "")).toEqual({
    user: "",
    left: ["a"],
    list: Buffer.from("[1\n]"),
  });
});

it.each(["kept as plimsoll:0123456789ab.", "The conversation up to here is kept, word for word, as plimsoll:012."])(
  "%j names none",
  (text) => {
    expect(findClosing(text)).toBeUndefined();
  },
);
