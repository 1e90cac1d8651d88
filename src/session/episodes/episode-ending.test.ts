/** If red: work that is done stays open in the record, or open work is called done. */
import { describe, expect, it } from "vitest";
import { asks, type Beat, calls, edits, follow, runs, says } from "../../../test/support/session-story.ts";
import { isUnfinished } from "../action.ts";
import { listWork, orderOpen } from "../open-work.ts";

const listOpenWork = (state: Parameters<typeof listWork>[0]) => orderOpen(listWork(state).filter(isUnfinished));

function ending(...beats: readonly Beat[]): string | undefined {
  return follow(...beats).episodes.at(-1)?.status;
}

const works = edits("/p/a.ts");

describe("a reported problem", () => {
  const reported = asks("the email login is not working, verification failed");

  it("stays open while the next step is to find out", () => {
    const search = says("Rebuild with the console on. That'll show us the actual error.");
    expect(ending(reported, works, search)).toBe("open");
  });

  it("stays open when the model then offers to look further, with a word after the offer", () => {
    expect(ending(reported, works, says("Logging is on. Want me to log the stack too? It helps."))).toBe("open");
  });

  it("is done when the model says that it is mended, or how", () => {
    expect(ending(reported, works, says("Fixed, the token was stale. That'll show us the way next time."))).toBe(
      "done",
    );
    expect(ending(reported, works, says("It now sends the full key that the server expects. Try again."))).toBe("done");
  });

  it("that was set aside for a further one is open together with it, and settled with it", () => {
    const first = [asks("google login gives an error, the redirect is broken"), says("Want me to check the config?")];
    const second = [asks("ok looks like we have other issues as well, email is not working either"), works];
    const list = (...beats: readonly Beat[]) => listOpenWork(follow(...beats)).length;
    expect(list(...first, ...second, says("That'll show us the actual error."))).toBe(2);
    expect(list(...first, ...second, says("Fixed both, they shared the token."))).toBe(0);
    expect(list(...first, ...second, says("Fixed."), asks("/review the branch"), says("All good."))).toBe(0);
  });

  it("is no prompt that merely speaks of errors", () => {
    expect(ending(asks("add error handling to the parser"), works, says("Added. Want me to commit it?"))).toBe("done");
  });
});

describe("a goal beyond the step that was asked for", () => {
  const wanted = [
    asks("I want to do a new release, what do I need to do?"),
    says("Changesets. Want me to write them?"),
  ];
  const ahead = says("Wrote them. To proceed with the release, run the version script, then publish.");

  it("keeps the work open while it lies ahead", () => {
    expect(ending(...wanted, asks("yes"), works, ahead)).toBe("open");
  });

  it("is reached by the call that delivers, or by words that say so", () => {
    expect(ending(...wanted, asks("yes"), works, runs("npm publish", "+ a@1.0.0"), ahead)).toBe("done");
    expect(ending(...wanted, asks("yes"), works, says("Published 1.0.0. Then announce the release."))).toBe("done");
    expect(ending(...wanted, asks("yes"), works, runs("git tag --sort=-v:refname", "v1"), ahead)).toBe("open");
  });

  it("is none where nobody wants it", () => {
    expect(ending(asks("write the changesets"), works, ahead)).toBe("done");
  });
});

describe("a last answer", () => {
  it("leaves the work active while it waits for a helper", () => {
    const waits = says("The agent is on it. I'll report when it lands.\n\nNothing else is blocked.");
    expect(ending(asks("shrink the build"), works, waits)).toBe("active");
  });

  it("leaves the work open when it names the next numbered step of the plan", () => {
    expect(
      ending(asks("move to the next phase"), works, says("Phase 2.0 complete.\n\n**Phase 2.1 next** — the writer.")),
    ).toBe("open");
    expect(ending(asks("move to the next phase"), works, says("Phase 2 complete, the plan is done."))).toBe("done");
  });

  it("leaves the work open when the tests fail and nothing is said for them", () => {
    const fails = runs("npm test", "2 failed", { exitCode: 1 });
    expect(ending(asks("add a login page"), works, fails, says("The page is there."))).toBe("open");
    expect(ending(asks("add a login page"), works, fails, says("Both failures are pre-existing."))).toBe("done");
    expect(
      ending(asks("add a login page"), works, fails, runs("npm test", "9 passed"), says("The page is there.")),
    ).toBe("done");
    expect(ending(asks("what do the tests say?"), fails, says("Two of them break."))).toBe("done");
  });

  it("leaves the work open when it could not be done", () => {
    expect(ending(asks("restart the server"), says("I cannot access that host from here."))).toBe("open");
    expect(ending(asks("group the commits"), says("Six groups. Say which ones to keep."))).toBe("open");
  });
});

describe("open work", () => {
  const open = (...beats: readonly Beat[]): readonly string[] =>
    listOpenWork(follow(...beats)).map(({ subject }) => subject);

  it("is told by what the person wants now, not by what they began with", () => {
    const reported = [asks("make a repository for the hull"), works, says("Pushed."), asks("also show it on the page")];
    expect(open(...reported, works)).toEqual(["also show it on the page"]);
    const asked = [asks("show the hull"), works, says("Shall I redesign it around hooks?"), asks("yes"), works];
    expect(open(...asked)).toEqual(['"yes" to "Shall I redesign it around hooks?"']);
  });

  it("stands next to a list that the person has left", () => {
    const list = calls("TodoWrite", { todos: [{ content: "Paint", status: "pending" }] }, "ok");
    expect(open(asks("plan the spring"), list, says("Planned."), asks("the keel leaks again"), works)).toEqual([
      "the keel leaks again",
      "Paint",
    ]);
  });
});
