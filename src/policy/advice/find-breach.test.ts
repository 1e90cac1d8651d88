/** If red: a command that the person forbade runs without a warning, or a harmless one is warned of. */
import { describe, expect, it } from "vitest";
import { listCorpus } from "../../../lab/bench/corpus.ts";
import { some } from "../../../test/support/depth.ts";
import { withCorpus } from "../../../test/support/needs.ts";
import { story } from "../../../test/support/story.ts";
import { readSession } from "../../hosts/catalogue.ts";
import { createSession } from "../../session/session.ts";
import { findBreach } from "./find-breach.ts";

function breach(command: string, ...prompts: readonly string[]): string | undefined {
  const told = prompts.reduce((session, prompt) => session.asks(prompt).says("All right."), story());
  return findBreach(command, told.happened().state.words);
}

describe("a command that breaks what the user forbade", () => {
  it.each([
    ["Never push.", "git push"],
    ["Do not push to GitHub.", "npm test && git -C /work/ship push -u origin main"],
    ["don't commit anything", "git add -A && git commit -m 'Paint it'"],
    ["Please do not merge it.", "gh pr merge 12 --squash"],
    ["Never rebase!", "cd /work && git rebase main"],
    ["Don't amend commits.", "git commit --amend --no-edit"],
    ["Never publish.", "npm publish"],
  ])("is named by the user's own words: %j", (ban, command) => {
    expect(breach(command, `Paint the load line. ${ban}`, "Go on.")).toBe(ban);
  });

  it.each([
    ["a ban with a condition", "Do not push before the tests pass.", "git push"],
    ["a ban of one place", "Never push to main.", "git push origin work"],
    ["a ban of one way", "Never commit without a message.", "git commit -m x"],
    ["a ban for now", "Don't commit yet.", "git commit -m x"],
    ["another act", "Never push.", "git pull"],
    ["words in a text", "Never push.", "echo 'then git push'"],
    ["a rehearsal", "Never push.", "git push --dry-run"],
    ["a question", "Why did you never push?", "git push"],
  ])("is not seen in %s", (_, ban, command) => {
    expect(breach(command, `Paint it. ${ban}`, "Go on.")).toBeUndefined();
  });

  it("is none once the user has spoken of it again, whatever they said", () => {
    expect(breach("git push", "Never push.", "Paint it. Now push it.")).toBeUndefined();
    expect(breach("git push", "Never push. Once it is dry, push.")).toBeUndefined();
    expect(breach("git push", "Push it.", "Never push.")).toBe("Never push.");
  });

  withCorpus.it(
    "is warned of in at most one of 200 recorded calls without reason: nobody there broke a plain ban",
    () => {
      let [calls, warned] = [0, 0];
      for (const file of some(6, listCorpus())) {
        const { host, events } = readSession(file);
        const session = createSession(host.vocabulary);
        for (const event of events) {
          session.feed(event);
          for (const block of event.kind === "output" ? event.blocks : []) {
            if (block.kind !== "toolCall") continue;
            calls++;
            const command = typeof block.input.command === "string" ? block.input.command : "";
            if (/\b(?:git|gh|publish)\b/.test(command) && findBreach(command, session.state().words)) warned++;
          }
        }
      }
      expect(calls).toBeGreaterThan(200);
      expect(warned).toBeLessThanOrEqual(calls / 200);
    },
  );
});
