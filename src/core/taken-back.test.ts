/** If red: what the person withdrew is carried on as a rule, or a rule is dropped that they never withdrew. */
import { describe, expect, it } from "vitest";
import { clipEnds } from "./clip-ends.ts";
import { findTakenBack } from "./sentences.ts";

describe("a sentence that takes something back", () => {
  it.each([
    "I was wrong about the pump.",
    "I was completely wrong: the hull leaks at the keel.",
    "You were right and I was wrong.",
    "I got that wrong, the draught is in feet.",
    "I misread the log: the mast broke first.",
    "I misdiagnosed this.",
    "I incorrectly referenced the old port.",
    "I mistakenly counted the lifeboats twice.",
    "My earlier reading of the table was wrong.",
    "My initial diagnosis was incorrect.",
    "A correction to what I said: the sail is dry.",
    "Two corrections to my report follow.",
    "The cache wasn't the cause of the leak.",
    "The pump is not the root cause.",
    "No, the rudder isn't the culprit.",
    "That was the wrong diagnosis.",
  ])("is heard in %j", (sentence) => {
    expect(findTakenBack(`The survey is done. ${sentence} The keel is next.`)).toEqual([sentence]);
  });

  it.each([
    "If I was wrong, we take the pump out.",
    "Was I wrong about the pump?",
    "Check whether the cache is not the cause.",
    "The cause is the pump.",
    "The test reports a wrong draught.",
    "The name is incorrect in the log.",
    "This fixes the misread of the table.",
    "I corrected the spelling.",
    "Their earlier survey was wrong.",
    "The mast may not be the cause.",
  ])("is not heard in %j", (sentence) => {
    expect(findTakenBack(`The survey is done. ${sentence} The keel is next.`)).toEqual([]);
  });

  it("stays where a long text is cut, word for word", () => {
    const filler = "The planks are dry and the seams are tight. ".repeat(40);
    const clipped = clipEnds(`${filler}I was wrong about the pump: it is sound. ${filler}`, 600);
    expect(clipped).toContain("I was wrong about the pump: it is sound.");
    expect(clipped.length).toBeLessThanOrEqual(600);
  });
});
