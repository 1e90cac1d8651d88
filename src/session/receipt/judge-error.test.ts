import { describe, expect, it } from "vitest";
import { indexText } from "./index-text.ts";
import { judgeError } from "./judge-error.ts";

function judge(summary: string, attempt: string, line: string): string {
  return judgeError(indexText(summary), { attempt, line }).verdict;
}

describe("judgeError", () => {
  it("takes the sort of an error beside its file for the error", () => {
    const line = "src/store/disk.go:40:1: syntax error: unexpected keyword type, expected field name";
    expect(judge("I left a syntax error in disk.go.", "go build ./...", line)).toBe("paraphrased");
    expect(judge("I left a syntax error in memory.go.", "go build ./...", line)).toBe("lost");
  });

  it("takes a command that is told as still to be run for one that did not work", () => {
    const attempt = "sudo setcap cap_net_raw=ep /home/a/bin/probe";
    const line = "sudo: a password is required";
    expect(judge("Pending: run `sudo setcap cap_net_raw=ep ~/bin/probe`.", attempt, line)).toBe("paraphrased");
    expect(judge("The probe reads the battery.", attempt, line)).toBe("lost");
  });

  it("takes a command that is told to have succeeded since for solved", () => {
    const attempt = "git fetch origin main && git rebase origin/main";
    const line = "error: cannot rebase: You have unstaged changes.";
    expect(judge("Successfully rebased onto main after a stash.", attempt, line)).toBe("paraphrased");
    expect(judge("The tests of main ran successfully.", attempt, line)).toBe("lost");
  });
});
