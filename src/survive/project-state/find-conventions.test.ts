import { describe, expect, it } from "vitest";
import { story } from "../../../test/support/story.ts";
import { findConventions, isConvention } from "./find-conventions.ts";

describe("what the person laid down", () => {
  it.each([
    "Never paint the keel.",
    "If not, always go back to main and branch off from there.",
    "From now on write the log in English.",
    "Remember to sign every plank on your own.",
  ])("is a convention: %s", (sentence) => {
    expect(isConvention(sentence)).toBe(true);
  });

  it.each([
    "It always returns 0, which is wrong.",
    "The recovery reads the pointer, never deriving the name.",
    "You can always use the other hull.",
    "Why does it never float?",
    "I think we should never paint it, maybe.",
    "Paint the keel.",
  ])("is none: %s", (sentence) => {
    expect(isConvention(sentence)).toBe(false);
  });

  it("[R118] [R119] is kept word for word, once", () => {
    const told = story().asks("Paint it. Never paint the keel.").says("Aye.").asks("Never paint the keel.").happened();
    expect(findConventions(told.state)).toEqual([
      { title: "Never paint the keel.", pattern: "Never paint the keel.", example: "", appliesTo: "" },
    ]);
  });
});
