import { describe, expect, it } from "vitest";
import { asks, edits, follow, says } from "../../test/support/session-story.ts";

function answered(said: string, reply: string): string | undefined {
  return follow(asks("Make the hull tight."), says(said), asks(reply)).words.at(-1)?.answers;
}

describe("what a reply answers", () => {
  it("is the question with which the model had ended", () => {
    expect(answered("Oakum or cotton would do. Shall I take cotton?", "yes")).toBe("Shall I take cotton?");
  });

  it("is the option that it names, in the option's own words", () => {
    const options = "Which one?\n\n1. **Oakum**, as before\n2. Cotton, which is lighter\n3. Neither";
    expect(answered(options, "2")).toBe("Which one? (2. Cotton, which is lighter)");
    expect(answered("Option A: oakum\nOption B: cotton\n\nWhich one?", "b")).toBe("Which one? (Option B: cotton)");
  });

  it("is nothing where nothing was asked, or only what to do next", () => {
    expect(answered("The hull is tight.", "paint it")).toBeUndefined();
    expect(answered("Done. Anything else?", "paint it")).toBeUndefined();
    expect(follow(says("Shall I?"), edits("/p/a.ts"), asks("stop")).words.at(-1)?.answers).toBeUndefined();
  });

  it("stays the same for a second prompt before the model speaks", () => {
    const words = follow(says("Shall I take cotton?"), asks("hm"), asks("yes")).words;
    expect(words.map(({ answers }) => answers)).toEqual(["Shall I take cotton?", "Shall I take cotton?"]);
  });
});
