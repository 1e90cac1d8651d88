/** If red: the record lists finished work as open or forgets what was asked. */
import { describe, expect, it } from "vitest";
import {
  asks,
  type Beat,
  calls,
  edits,
  follow,
  hostSays,
  interrupts,
  runs,
  says,
} from "../../../test/support/session-story.ts";

function shape(...beats: readonly Beat[]): readonly string[] {
  return follow(...beats).episodes.map(({ firstAsked, status, followUps }) => `${status} +${followUps}: ${firstAsked}`);
}

const works = edits("/p/a.ts");

describe("episodes", () => {
  it("begin with a request and end when the model has answered it", () => {
    expect(shape(asks("add a login page"), works, says("Done, the page is there."))).toEqual([
      "done +0: add a login page",
    ]);
  });

  it("are active while the model works, announces work or has not answered", () => {
    expect(shape(asks("add a login page"))).toEqual(["active +0: add a login page"]);
    expect(shape(asks("add a login page"), works)).toEqual(["active +0: add a login page"]);
    expect(shape(asks("add a login page"), works, says("Now let me run the tests:"))).toEqual([
      "active +0: add a login page",
    ]);
  });

  it("are open while the model waits for an answer that the work depends on", () => {
    expect(shape(asks("delete the launcher entry"), says("I found two files. Which one should go?"))).toEqual([
      "open +0: delete the launcher entry",
    ]);
  });

  it("are done when the model only offers more", () => {
    expect(shape(asks("add a login page"), works, says("Added. Want me to commit it?"))).toEqual([
      "done +0: add a login page",
    ]);
    expect(shape(asks("why is it slow?"), says("The cache is cold. Would you like me to warm it?"))).toEqual([
      "done +0: why is it slow?",
    ]);
    expect(shape(asks("switch to main"), runs("git checkout main"), says("On main. What's next?"))).toEqual([
      "done +0: switch to main",
    ]);
  });

  it("stay open when a reported problem is answered with an offer", () => {
    expect(shape(asks("the login is not working"), works, says("I added logging. Want me to add more?"))).toEqual([
      "open +0: the login is not working",
    ]);
  });

  it.each([
    "yes",
    "ok go ahead",
    "commit and push",
    "no, that's not the file",
    "it still fails",
    "fix both",
    "1",
    "also add it to the docs",
    "create a pr",
  ])("go on with: %s", (further) => {
    expect(shape(asks("add a login page"), works, says("Done."), asks(further), says("Done."))).toEqual([
      "done +1: add a login page",
    ]);
  });

  it.each([
    "/review the branch",
    "write a changelog for the last release of the parser",
    "unrelated: is the linter broken?",
  ])("give way to: %s", (next) => {
    expect(shape(asks("add a login page"), works, says("Done."), asks(next)).length).toBe(2);
  });

  it("go on when the next request changes what the last one left uncommitted", () => {
    const next = [asks("rename every handler in the router module"), edits("/p/a.ts"), says("Renamed.")];
    expect(shape(asks("add a login page"), works, says("Done."), ...next)).toEqual(["done +1: add a login page"]);
    const committed = runs("git commit -am wip", "[main 1a2b] wip");
    expect(shape(asks("add a login page"), works, committed, says("Done."), ...next).length).toBe(2);
  });

  it("are proved done by the commit that holds their changes, otherwise by the request that said so", () => {
    const { episodes } = follow(
      asks("add a login page"),
      works,
      runs("git commit -am x", "[main 1a2b] x"),
      says("Committed."),
    );
    expect(episodes).toMatchObject([
      { status: "done", evidence: "call-2-0", commits: ["call-2-0"], files: ["/p/a.ts"] },
    ]);
    expect(follow(asks("add a login page"), works, says("Done.")).episodes).toMatchObject([{ evidence: "request:2" }]);
  });

  it("take what is said while the model works, and what brings it back on course, as part of themselves", () => {
    expect(shape(asks("add a login page"), works, asks("the button should be green"), works, says("Done."))).toEqual([
      "done +1: add a login page",
    ]);
    expect(
      shape(
        asks("add a login page"),
        works,
        interrupts(),
        asks("put the form into its own file"),
        works,
        says("Done."),
      ),
    ).toEqual(["done +1: add a login page"]);
  });

  it("broken off are open while nothing else was asked, and given up once it was", () => {
    expect(shape(asks("launch the desktop app"), interrupts())).toEqual(["open +0: launch the desktop app"]);
    expect(shape(asks("launch the desktop app"), interrupts(), asks("what was the gatekeeper command called"))).toEqual(
      ["dropped +0: launch the desktop app", "active +0: what was the gatekeeper command called"],
    );
  });

  it("begin with commands that ask the model, not with those that the host answers", () => {
    const command = hostSays("<command-message>review</command-message>\n<command-name>/review</command-name>");
    expect(shape(hostSays("<command-name>/clear</command-name>"), command)).toEqual(["active +0: /review"]);
  });

  it("are not moved on by failed commits, nor given files by failed edits", () => {
    const failed = calls("Edit", { file_path: "/p/b.ts" }, "String not found", { isError: true });
    const { episodes } = follow(
      asks("add a login page"),
      failed,
      runs("git commit -m x", "hook failed", { exitCode: 1 }),
    );
    expect(episodes).toMatchObject([{ status: "active", files: [], commits: [] }]);
  });

  it("keep their numbers when old ones are forgotten", () => {
    const many = Array.from({ length: 505 }, (_, index) => [asks(`/task${index} now`), says("Done.")]).flat();
    const { episodes } = follow(...many);
    expect([episodes.length, episodes.at(-1)?.id]).toEqual([500, "episode:505"]);
  });
});
