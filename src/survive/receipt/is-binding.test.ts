import { describe, expect, it } from "vitest";
import { isBinding } from "./is-binding.ts";

describe("isBinding", () => {
  it.each([
    "do not push to main",
    "I'd rather keep the old parser.",
    "can you write a test for each of them?",
    "maybe we should use the last prompt?",
    "is there a way to not use a third party library?",
    "it looks like we should keep both",
    "thats not the branch I was looking for",
  ])("takes an instruction or a preference: %s", (sentence) => {
    expect(isBinding(sentence)).toBe(true);
  });

  it.each([
    "or are we just missing the events?",
    "can you explain: the session persists until cleanup",
    "This causes the total to be 0, without any warning.",
    "if they keep changing it, will we just go on counting?",
    "if we did that, would the others not break?",
    "should all of this go into the store anyway?",
    "TypeError: app.ws is not a function.",
    "just restarted, there are only two panels",
    "hmm, ok seems like it can't get past the screen",
    "If you need specific details from before exiting plan mode (like exact code snippets), read the full transcript at: /a/b.jsonl",
  ])("leaves out a question, a report, or the client's own words: %s", (sentence) => {
    expect(isBinding(sentence)).toBe(false);
  });
});
