/** If red: a rule that the person set for the whole session is forgotten after a compaction, or other words become a rule. */
import { describe, expect, it } from "vitest";
import { expectProportional } from "../../test/support/expect-proportional.ts";
import { findRuleSentences, followRules, isStandingRule, parseRules, renderRules } from "./standing-rules.ts";

const weigh = (text: string): number => text.length / 3;

describe("the person's standing rules", () => {
  it.each([
    "never push to main",
    "Do not commit anything without asking me.",
    "no emojis in commit messages",
    "From now on, answer in German.",
    "When you finish a step, run the linter.",
    "Before you edit a migration, tell me why.",
    "Use pnpm, not npm.",
    "Sign every commit with my key.",
    "also, please don't touch the vendor folder",
    "You must not read the .env file.",
    "Reply in one paragraph only, no lists.",
    "no commits to the release branch, ever",
    "No comments in the code.",
    "Before committing, run the linter.",
    "After each change run the tests.",
    "For each boat, write down who owns it.",
    "Every commit needs a ticket number.",
    "All your answers should be in French.",
    "let's leave out the dash before each commit",
    "When in doubt, ask me.",
    "The totals must never be rounded.",
    "Pick the oak planks over the pine ones.",
  ])("are heard: %s", (sentence) => {
    expect(isStandingRule(sentence)).toBe(true);
  });

  it.each([
    "Add a login page.",
    "Why did you never test it?",
    "it never works on my machine",
    "I don't see a prompt anymore at all.",
    "no worries, go on",
    "don't worry about it",
    "If you need specific details, read the file.",
    "The build was always green.",
    "not seeing the anchor icon anymore",
    "no anchor, but a blank square with a thin frame",
    "no harbour key is configured",
    "No I think the keel is fine.",
    "no just add the name of the boat",
    "no take the one from the second list",
    "No boats found to launch.",
    "No migration needed, the field is optional.",
    "if the mast becomes longer, the sail doesn't fit anymore.",
    "When a sailor changes their own knots, the sum on the second page subtracts them twice.",
    "When loading a map from the cabin, empty charts are not left out.",
    "When building the hull for each boat:",
    "If the user refuses, keep that for the trip.",
    "After a turn that changes files, a helper in the back reads each file and writes notes.",
    "Opening the box shows all chart files as a tree",
    "`make check` - all existing tests pass",
    "`Mast.height` is copied from each name of the list",
    "Planks (`wood.ts`) — all other files depend on this",
    "Fix all unit tests",
    "The old plan never derived names on its own.",
    "so no endless loop)",
    "write a note to the harbour master, I'll take it over there",
    "For the map, you can always use the chart in the cabin as well",
    "the pump may not clear the bilge, look at it some day",
  ])("are told from other words: %s", (sentence) => {
    expect(isStandingRule(sentence)).toBe(false);
  });

  it("are found in the middle of a long paste, also behind a fence that is never closed", () => {
    const log = "10:02:11 INFO worker[3] connected; retry=0\n".repeat(500);
    expect(findRuleSentences(`Look.\n\`\`\`\n${log}\nNever restart the worker.\n${log}`)).toEqual([
      "Never restart the worker.",
    ]);
  });

  it("are taken from an issue or a plan only where they speak to the agent", () => {
    const plan = ["## Plan", "- Use the index instead of the key", "- No endless loop", "- The pump must stop at noon"];
    const steps = Array.from({ length: 5 }, (_, at) => `- Caulk plank ${at}`);
    const said = ["Do not paint the keel.", "You must ask the owner first."];
    expect(findRuleSentences([...plan, ...steps, ...said].join("\n"))).toEqual(said);
    expect(findRuleSentences(plan.slice(1).join("\n"))).toHaveLength(3);
  });

  it("are not taken from closed code", () => {
    expect(findRuleSentences("```\nNever do this here.\n```\nFix it.")).toEqual([]);
  });

  it("hold until the person lifts them", () => {
    const sentences = ["Never push to main.", "Don't read the .env file."];
    expect(followRules([...sentences, "You can push to main now."]).map(({ sentence }) => sentence)).toEqual([
      "Don't read the .env file.",
    ]);
    expect(followRules([...sentences, "Feel free to rename the parser."])).toHaveLength(2);
  });

  it("are replaced by what contradicts them, and say what they replaced", () => {
    expect(followRules(["Never write tests for the parser.", "Always write tests for the parser."])).toEqual([
      { sentence: "Always write tests for the parser.", replaced: "Never write tests for the parser." },
    ]);
  });

  it("are written newest first and read again", () => {
    const rules = followRules(["Use tabs, not spaces.", "Never push to main.", "Actually use spaces, not tabs."]);
    const block = renderRules(rules, { weigh });
    expect(block.split("\n")[1]).toBe('- "Actually use spaces, not tabs." (instead of "Use tabs, not spaces.")');
    expect(parseRules(`before\n${block}\nafter`)).toEqual(rules);
  });

  it("never take more room than there is, and those out of view go first", () => {
    const rules = Array.from({ length: 80 }, (_, at) => ({
      sentence: `Never rename the function number ${at} in my parser.`,
      replaced: "",
    }));
    const hidden = rules[3]?.sentence ?? "";
    const shown = rules.map(({ sentence }) => sentence).filter((sentence) => sentence !== hidden);
    const block = renderRules(rules, { weigh, shown: shown.join("\n") });
    expect(weigh(block)).toBeLessThanOrEqual(400);
    expect(block).toContain(hidden);
  });

  it("are searched in time that grows with the text", () => {
    const line = "When a worker never answers, the pool must retry before you see it, and it only waits. ";
    expectProportional(2_000, (size) => void findRuleSentences(line.repeat(size)));
  });
});
