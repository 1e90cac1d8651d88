/** If red: a reader sees what came after the cut, and the reading test is worth nothing. */
import { describe, expect, it } from "vitest";
import { assistant, call, results, user } from "../../../test/support/build.ts";
import { exchange, recordReplaySession } from "../../../test/support/replay-session.ts";
import { renderNext, renderPast } from "./render-past.ts";

const session = recordReplaySession([
  exchange([user("look at the ship")], assistant("Gladly.", call("Read", { file_path: "ship.txt" }))),
  exchange([results(`bow${"-".repeat(30_000)}stern`)], assistant(call("Read", { file_path: "sea.txt" }))),
  exchange([results("waves")], assistant("Ready.")),
  exchange([user("set sail")], assistant("Sailing.")),
]);

describe("the texts of a reading", () => {
  it("are everything before the request, and what came after it", () => {
    expect(renderPast(session, 2)).toContain("[result] waves");
    expect(renderPast(session, 2)).not.toContain("Ready.");
    expect(renderNext(session, 2)).toBe("## assistant\nReady.\n\n## user\nset sail");
  });

  it("say where an enormous result is shortened, and keep both ends of it", () => {
    const past = renderPast(session, 2);
    expect(past).toContain("[result] bow---");
    expect(past).toContain("---stern");
    expect(past).toMatch(/\n\[\.\.\. 8008 characters of this result are left out here \.\.\.\]\n/);
  });
});
