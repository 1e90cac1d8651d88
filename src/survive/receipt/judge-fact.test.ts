/** If red: an error that the summary calls solved is taken for open, or the other way round. */
import { describe, expect, it } from "vitest";
import { indexText } from "./index-text.ts";
import { judgeFact } from "./judge-fact.ts";

function judge(summary: string, attempt: string, line: string): string {
  const fact = { kind: "error", importance: 5, text: "", request: 1, attempt, line } as const;
  return judgeFact(indexText(summary), fact).verdict;
}

describe("judging an error", () => {
  it("takes what is absent for told only where something says that it is absent", () => {
    const line = "zsh: command not found: probe_cli";
    expect(judge("probe_cli is not installed here.", "probe_cli status", line)).toBe("paraphrased");
    expect(judge("I found probe_cli and its commands.", "probe_cli status", line)).toBe("lost");
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
