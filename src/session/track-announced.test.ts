import { describe, expect, it } from "vitest";
import { asks, edits, follow, runs, says, together } from "../../test/support/session-story.ts";

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

  it("is past after a few requests where nothing would show its end", () => {
    const looks = Array.from({ length: 5 }, () => runs("ls", "a"));
    expect(follow(asks("x"), together(says("Next: clean up."), runs("ls", "a")), ...looks).announced).toBeUndefined();
  });
});
