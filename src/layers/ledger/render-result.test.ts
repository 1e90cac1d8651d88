/** If red: words that carry a finding are dropped from the ledger, or filler fills it. */
import { describe, expect, test } from "vitest";
import { cutMiddle, dropNarration } from "./render-result.ts";

describe("words in passing", () => {
  test.each([
    "Let me check the logs.",
    "Now let me look at the hull.",
    "Good point, let me check and clean up.",
    "I'll run the tests again.",
    "Now update the header:",
    "Perfect! Let me verify it compiles.",
    "",
  ])("%j leaves nothing", (text) => {
    expect(dropNarration(text).trim()).toBe("");
  });

  test.each([
    "Now commit step 4.",
    "Also update `seal` to only count planks, not nails.",
    "Lastly, fix the hull.",
    "Found it!",
  ])("%j, whose call follows, leaves nothing", (text) => {
    expect(dropNarration(text).trim()).toBe("");
  });

  test.each([
    "Now update `seal` to take tar instead of oil.",
    "The hull leaks at the third plank.",
    "I'll use tar instead of oil because oil is thin.",
    "Remove nothing: the build fails without it.",
    "All 12 tests pass.",
  ])("%j stays as it is", (text) => {
    expect(dropNarration(text)).toBe(text);
  });

  test("a step with a number is no announcement", () => {
    const steps = "Two steps remain. 1. Add the key to the store. 2. Update the docs.";
    expect(dropNarration(steps)).toBe(steps);
    expect(dropNarration("That is all of phase 14. Let me test it.")).toBe("That is all of phase 14.");
  });

  test("a finding stays where an announcement goes with it", () => {
    expect(dropNarration("The port is 5177, not 5173. Let me restart the server.")).toBe("The port is 5177, not 5173.");
    expect(dropNarration("Let me see.\n\nThe key is missing.\n- Add it\n- or not")).toBe(
      "The key is missing. - Add it - or not",
    );
  });
});

test("of what nobody can have typed the beginning and the end stay, of anything else every word", () => {
  const text = `Mind this:\n${"word ".repeat(9000)}\nand go.`;
  const shown = cutMiddle(text);
  expect(shown.length).toBeLessThan(12_100);
  expect(shown.startsWith("Mind this:")).toBe(true);
  expect(shown.endsWith("and go.")).toBe(true);
  const plan = `# Plan\n${"1. Caulk the seam between the planks, then tar it.\n".repeat(200)}`;
  expect(cutMiddle(plan)).toBe(plan);
});
