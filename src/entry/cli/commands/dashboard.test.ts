/** If red: plimsoll dashboard opens a port before it has refused a wrong option. */
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "../../../../test/support/fake-terminal.ts";

describe("plimsoll dashboard", () => {
  it.each([
    [["--port", "http"], 'takes a number from 0 to 65535, not "http"'],
    [["--port", "70000"], "takes a number from 0 to 65535"],
    [["no-such-folder"], "there is no file or folder no-such-folder"],
    [["/dev/null"], "neither a file nor a folder"],
    [["--replay", "no-such-file"], "there is no file no-such-file"],
  ])("refuses %j before it opens anything", async (words, why) => {
    const { exitCode, remarks } = await runPlimsoll(["dashboard", ...words], { directory: "/" });
    expect(exitCode).toBe(2);
    expect(remarks).toContain(why);
  });
});
