/** If red: a question about the context window is not answered with figures, or another one is. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { arbitraryUnits } from "../../../test/support/arbitrary-session.ts";
import { isAboutContext } from "./is-about-context.ts";

it.each([
  "context window",
  "How big is my context window?",
  "what is the context usage right now",
  "did we hit the CONTEXT LIMIT",
  "I think we are running out of context",
  "We ran out of context again.",
  "compact",
  "/compact",
  "should we compact before the next task?",
  "is it time for a compaction",
  "clear context",
  "please clear the context",
  "how much context left?",
  "How much context is left?",
])("[R11] %s is about the context window", (text) => {
  expect(isAboutContext(text)).toBe(true);
});

it.each([
  "",
  "make the table more compact",
  "use a compact layout",
  "keep it compact",
  "pass the context object to the handler",
  "the joke was taken out of context",
  "clear the cache and give me some context on the bug",
  "React context provider",
  "contexts",
  `Implement this plan. ${"Paint the hull. ".repeat(30)} Mind the context window.`,
])("[R11] %s is not", (text) => {
  expect(isAboutContext(text)).toBe(false);
});

it("[R11] throws on no text", () => {
  fc.assert(
    fc.property(arbitraryUnits(80), (text) => {
      expect(isAboutContext(text)).toBeTypeOf("boolean");
    }),
  );
});
