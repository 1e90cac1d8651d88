/** If red: a new request is taken for part of the old work, or the other way round. */
import { describe, expect, it } from "vitest";
import {
  asks,
  type Beat,
  calls,
  edits,
  follow,
  followEvents,
  interrupts,
  runs,
  says,
  toEvents,
} from "../../../test/support/session-story.ts";

const MINUTE_MS = 60_000;

function listAsked(...beats: readonly Beat[]): readonly string[] {
  return follow(...beats).episodes.map(({ firstAsked }) => firstAsked);
}

/** A talk in words only, each beat at its minute. */
function talk(...beats: readonly (readonly [number, Beat])[]): readonly string[] {
  const events = toEvents(...beats.map(([, beat]) => beat));
  const timed = events.map((event, index) => ({ ...event, atMs: (beats[index]?.[0] ?? 0) * MINUTE_MS }));
  return followEvents(timed).episodes.map(({ firstAsked }) => firstAsked);
}

const commits = runs("git commit -am wip", "[main 1a2b] wip");

describe("a prompt goes on with the work before it", () => {
  const reviewed = [
    [0, asks("review the pull request")],
    [1, says("The migration is sound.")],
  ] as const;

  it("when it asks about the answer soon after it, and not when it asks later or about something else", () => {
    const question = "does the migration create another table?";
    expect(talk(...reviewed, [4, asks(question)])).toHaveLength(1);
    expect(talk(...reviewed, [40, asks(question)])).toHaveLength(2);
    expect(talk(...reviewed, [4, asks("which colour has the logo on the website?")])).toHaveLength(2);
  });

  it("when it wants the answer explained", () => {
    expect(talk(...reviewed, [4, asks("now can you explain: sound for whom, and since when")])).toHaveLength(1);
  });

  it("when it was typed before anybody could have read the answer", () => {
    expect(talk(...reviewed, [1.2, asks("is the release branch cut already?")])).toHaveLength(1);
  });

  it("when it takes up what was offered last", () => {
    const offered = says("Releases need changesets. Want me to check for pending changesets?");
    const taken =
      "i think there are none, check which pull requests were merged and write the changesets for all of these";
    expect(listAsked(asks("how are releases made here?"), offered, asks(taken))).toHaveLength(1);
    expect(listAsked(asks("how are releases made here?"), says("By hand."), asks(taken))).toHaveLength(2);
  });

  it("when it was said in the middle of the work, even right after a commit", () => {
    const meanwhile = asks(
      "every conflict of the whole repository shall be resolved without asking me, whoever caused any",
    );
    expect(listAsked(asks("add a login page"), edits("/p/a.ts"), commits, meanwhile, says("Done."))).toHaveLength(1);
  });

  it("when it only has a bug written down", () => {
    expect(
      listAsked(asks("why is the author wrong?"), says("A bug."), asks("log a linear bug and let's move on")),
    ).toEqual(["why is the author wrong?"]);
  });
});

describe("a prompt begins something", () => {
  it("when the person had done with the matter before", () => {
    const dismissed = [asks("why is it slow?"), says("A bug."), asks("log a bug and let's move on"), says("Logged.")];
    expect(listAsked(...dismissed, asks("it should handle the new format as well"))).toHaveLength(2);
  });

  it("when it is long, off the topic, and comes after the model's question was left standing", () => {
    const other =
      "Propose a design for lazy loading on the PowerShell side. The user still wants quick starts, so do the full analysis first, and change no code before I have read it.";
    expect(listAsked(asks("rewrite my comment"), says("Rewritten. Post to issue 7714?"), asks(other))).toHaveLength(2);
  });

  it("when something breaks after a long pause", () => {
    const happened = asks("uh oh - it just happened again, on the first try");
    const known = [
      [0, asks("are the blobs reused?")],
      [1, says("Yes, by their hash.")],
    ] as const;
    expect(talk(...known, [150, happened])).toHaveLength(2);
    expect(talk(...known, [30, happened])).toHaveLength(1);
  });

  it("when it corrects something in passing, long after the work was committed", () => {
    const next =
      "okay, polishing time for the list: drop the committed mark and show the temporary ones instead, then tell me why some entries have no prompt at all, and how the overview could be worth more than a plain log of the repository with dates";
    expect(listAsked(asks("add a login page"), edits("/p/a.ts"), commits, says("Committed."), asks(next))).toHaveLength(
      2,
    );
  });
});

describe("what a prompt leaves behind", () => {
  const statuses = (...beats: readonly Beat[]) => follow(...beats).episodes.map(({ status }) => status);

  it("is done when files were changed, though the model never said so", () => {
    expect(
      statuses(asks("add a login page"), edits("/p/a.ts"), calls("Bash", { command: "ls" }, ""), asks("/review")),
    ).toEqual(["done", "active"]);
  });

  it("is done when the answer itself was what was asked for", () => {
    const answer = says(`${"The comment, in better words. ".repeat(12)}Post it?`);
    expect(statuses(asks("rewrite my comment"), answer, asks("/review"))).toEqual(["done", "active"]);
  });

  it("is given up when it was broken off, or answered by a mere question", () => {
    expect(statuses(asks("launch the app"), interrupts(), asks("/review"))).toEqual(["dropped", "active"]);
    expect(statuses(asks("delete the entry"), says("Which one?"), asks("/review"))).toEqual(["dropped", "active"]);
  });
});
