/** If red: terse writing also shortens a security warning or a question for consent. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expectProportional } from "../../../test/support/expect-proportional.ts";
import { classifyException } from "./classify-exception.ts";

describe("the exceptions from caveman mode", () => {
  it.each([
    ["is there a security problem in this handler?", "security"],
    ["does CVE-2024-3094 touch us", "security"],
    ["check for SQL injection", "security"],
    ["run rm -rf build", "irreversible"],
    ["`rm -fr /srv/data` ok?", "irreversible"],
    ["rm --verbose -r old", "irreversible"],
    ["please force-push the branch", "irreversible"],
    ["git push origin main --force", "irreversible"],
    ["git push -f", "irreversible"],
    ["DROP TABLE users;", "irreversible"],
    ["then deploy it to production", "irreversible"],
    ["start the prod deploy", "irreversible"],
    ["git reset --hard HEAD~3", "irreversible"],
    ["walk me through the upgrade", "sequence"],
    ["give me the steps to migrate", "sequence"],
    ["step by step please", "sequence"],
    ["explain that", "clarify"],
    ["can you clarify the second point", "clarify"],
    ["I don't understand", "clarify"],
    ["say that again", "clarify"],
    ["what is the root cause", "diagnosis"],
    ["why does the login test fail on CI?", "diagnosis"],
    ["diagnose the leak", "diagnosis"],
  ] as const)("[R94] take %j for %s", (prompt, exception) => {
    expect(classifyException({ prompt })).toBe(exception);
  });

  it.each([
    "add a test for the parser",
    "rename the file",
    "remove the -r flag from the docs",
    "push the branch",
    "git push origin fix-force",
    "the dropdown table is misaligned",
    "deploy to staging",
    "rename `explain` to describe",
    "```\nexplain analyze select 1\n```\nadd an index",
    "",
  ])("[R94] do not arise from %j", (prompt) => {
    expect(classifyException({ prompt })).toBeUndefined();
  });

  it("[R94] arise from a command that waits for consent, whatever the prompt says", () => {
    expect(classifyException({ prompt: "go on", pendingCommands: ["ls", "rm -rf node_modules"] })).toBe("irreversible");
  });

  it("[R94] arise from a question that the person had to repeat", () => {
    expect(classifyException({ prompt: "which port", isRepeated: true })).toBe("clarify");
  });

  it("never throw, whatever is said", () => {
    const anyText = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(anyText, fc.array(anyText), (prompt, pendingCommands) => {
        expect(() => classifyException({ prompt, pendingCommands })).not.toThrow();
      }),
    );
  });

  it("answer for a long text in time that grows with its length alone", () => {
    for (const piece of ["rm -r", "rm ", "git push ", "deploy to ", "why is ", "dd ", "-", "drop "])
      expectProportional(200_000, (length) => classifyException({ prompt: piece.repeat(length / piece.length) }), {
        what: piece,
      });
  });
});
