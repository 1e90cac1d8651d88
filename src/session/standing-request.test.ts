/** If red: the record names an old request instead of what the person wants now. */
import { describe, expect, it } from "vitest";
import { asks, type Beat, follow, runs, says } from "../../test/support/session-story.ts";
import { findStandingRequest, isCarriedOut, renderRequest } from "./standing-request.ts";

function standing(...beats: readonly Beat[]): string {
  const asked = findStandingRequest(follow(...beats));
  return asked ? renderRequest(asked, 100) : "";
}

describe("what the person wants now", () => {
  const tight = asks("Make the hull tight before spring.");

  it("is their newest words", () => {
    expect(standing(tight, says("Done."), asks("Now paint the stern white"))).toBe('"Now paint the stern white"');
  });

  it("is the question where they only said yes", () => {
    expect(standing(tight, says("It leaks. Shall I take oakum?"), asks("yes please"))).toBe(
      '"yes please" to "Shall I take oakum?"',
    );
  });

  it("is what they had asked for where they only said to go on", () => {
    expect(standing(tight, says("Half of it is done."), asks("resume"))).toBe('"Make the hull tight before spring."');
    expect(standing(tight, says("Done."), asks("commit"))).toBe('"commit"');
    expect(standing(asks("continue"))).toBe("");
    expect(standing(tight, says("Log in, please."), asks("its loaded"))).toBe('"Make the hull tight before spring."');
    expect(standing(tight, says("Done."), asks("it is still leaking"))).toBe('"it is still leaking"');
    expect(standing(tight, asks("think deeply"))).toBe('"Make the hull tight before spring."');
    expect(standing(tight, asks("also, don't forget to log every seam"))).toBe('"Make the hull tight before spring."');
    expect(standing(tight, says("Done."), asks("ok can you start the pump now?"))).toBe(
      '"ok can you start the pump now?"',
    );
    expect(standing(tight, says("Done.\n\nNext: caulk the stern before the keel."), asks("proceed"))).toBe(
      '"proceed" to "caulk the stern before the keel."',
    );
  });

  it("is quoted from both ends where it is long", () => {
    const asked = { text: `You are a boatman. ${"Rules. ".repeat(99)}Seal keel.md`, request: 0, constraints: [] };
    const quoted = renderRequest({ ...asked, atMs: 0, isCorrection: false, urgency: [], frustrations: [] }, 300);
    expect(quoted).toMatch(/^"You are a boatman\. .* … .*Seal keel\.md"$/);
    expect(quoted.length).toBeLessThanOrEqual(302);
  });

  it("is carried out once each last step that was asked for has worked", () => {
    const asked = [tight, says("Done."), asks("commit and push it")];
    const check = (...beats: readonly Beat[]): boolean => {
      const state = follow(...asked, ...beats);
      const request = findStandingRequest(state);
      return request !== undefined && isCarriedOut(state, request);
    };
    const committed = runs("git commit -m tight", "1 file changed");
    expect(check(committed)).toBe(false);
    expect(check(committed, runs("git push", "rejected", { exitCode: 1 }))).toBe(false);
    expect(check(committed, runs("git push", "main -> main"))).toBe(true);

    asked.push(asks("resolve the conflicts and merge"));
    expect(check(runs("cat skills/merge/SKILL.md", "Merge so:"), runs("git merge-base main HEAD", "1a2b"))).toBe(false);
    expect(check(runs("git fetch && git merge main", "Fast-forward"))).toBe(true);
    expect(check(runs("gh pr merge 7 --squash", "Merged"))).toBe(true);
    for (const more of ["merge it and scrub the deck", "commit each plank by itself"]) {
      asked.push(asks(more));
      expect(check(runs("git merge main && git commit -m plank", "done")), more).toBe(false);
    }
  });
});
