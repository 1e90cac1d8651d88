/** If red: the next step that the model announced is forgotten, or kept after it was done. */
import { describe, expect, it } from "vitest";
import { asks, calls, edits, follow, runs, says, together } from "../../test/support/session-story.ts";

const NEXT = "The parser works. Next: write the migration in src/migrate.ts.";

describe("what the model announced", () => {
  it("[R46] stands until it is seen to be done", () => {
    const begun = [asks("Move the store."), together(says(NEXT), runs("ls", "a"))];
    expect(follow(...begun).announced?.text).toBe("Next: write the migration in src/migrate.ts.");
    expect(follow(...begun, edits("/p/src/other.ts")).announced).toBeDefined();
    expect(follow(...begun, edits("/p/src/migrate.ts")).announced).toBeUndefined();
    expect(follow(...begun, asks("Leave that.")).announced).toBeUndefined();
  });

  it("is no call that follows at once, and no question", () => {
    expect(follow(asks("x"), together(says("Let me read the file."), runs("ls", "a"))).announced).toBeUndefined();
    expect(follow(asks("x"), together(says("Next: shall I push?"), runs("ls", "a"))).announced).toBeUndefined();
  });

  it("stands until the last of the things that it names was done, and through a bare go-on", () => {
    const both = "Next: write the migration in src/migrate.ts, then run it against fixture ledger_5521.csv.";
    const begun = [asks("Move the store."), together(says(both), runs("ls", "a")), edits("/p/src/migrate.ts")];
    const looks = Array.from({ length: 40 }, () => runs("ls", "a"));
    expect(follow(...begun, ...looks).announced?.text).toBe(both);
    expect(follow(...begun, asks("continue")).announced?.text).toBe(both);
    expect(follow(...begun, runs("cat ledger_5521.csv", "a")).announced?.text).toBe(both);
    const fails = runs("node src/migrate.ts ledger_5521.csv", "no", { exitCode: 1 });
    expect(follow(...begun, fails).announced?.text).toBe(both);
    // OpenCode gives a status alone, and calls no command an error that ended with one.
    const ends = calls("Bash", { command: "node src/migrate.ts ledger_5521.csv" }, "Exit code 1\nno");
    expect(follow(...begun, ends).announced?.text).toBe(both);
    expect(follow(...begun, runs("node src/migrate.ts ledger_5521.csv", "ok")).announced).toBeUndefined();
  });

  it("gives way to another one", () => {
    const state = follow(asks("x"), together(says(NEXT), runs("ls", "a")), says("Remaining: the docs in docs/a.md."));
    expect(state.announced?.text).toBe("Remaining: the docs in docs/a.md.");
  });

  it.each(["Next: write it.", "Remaining:\n- the docs\n- the tests", "Still missing: the docs.", "TODO: the docs"])(
    "is heard in %j",
    (words) => {
      expect(follow(asks("x"), says(words)).announced?.text).toBe(words.replace(/\n- /g, " "));
    },
  );

  it("is past after a while where nothing would show its end", () => {
    const looks = Array.from({ length: 25 }, () => runs("ls", "a"));
    expect(follow(asks("x"), together(says("Next: clean up."), runs("ls", "a")), ...looks).announced).toBeUndefined();
  });

  it.each([
    "Next I'll caulk `stern.ts`.",
    "Next: caulk `stern.ts`.",
    "Next, I need to caulk `stern.ts`.",
    "Next up is `stern.ts`.",
    "My next step is to caulk `stern.ts`.",
    "The next step is to caulk `stern.ts`.",
    "Up next: `stern.ts`.",
    "Then I'll caulk `stern.ts`.",
    "After that I'll caulk `stern.ts`.",
    "Once the bow is tight I'll caulk `stern.ts`.",
    "To finish, I'll caulk `stern.ts`.",
    "Finally, I will caulk `stern.ts`.",
    "What remains is `stern.ts`.",
    "The last thing left is `stern.ts`.",
    "I haven't caulked `stern.ts` yet.",
    "I still need to caulk `stern.ts`.",
  ])("[R197] hears an announced step: %s", (sentence) => {
    expect(follow(asks("Caulk it all"), says(sentence)).announced?.text).toBe(sentence);
  });
});
