/** If red: an error that the summary calls solved is taken for open, or the other way round. */
import { describe, expect, it } from "vitest";
import type { Fact } from "./fact.ts";
import { indexText } from "./index-text.ts";
import { judgeFact } from "./judge-fact.ts";

type Bare = Fact extends infer Each ? Omit<Each & Fact, "importance" | "text" | "request"> : never;

function verdict(summary: string, fact: Bare): string {
  const whole = { importance: 1, text: "", request: 1, ...fact } as Fact;
  const { verdict: found, mark } = judgeFact(indexText(summary), whole);
  return mark ?? found;
}

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

describe("judging a decision", () => {
  const decide = (sentence: string) => ({ kind: "decision", sentence }) as const;

  it.each([
    ["They chose pine planks.", "Oak or pine for the hull? → pine planks (Recommended)", "held"],
    ["Pine was mentioned.", "Oak or pine for the hull? → pine", "lost"],
    ["The hull is pine, not oak.", "Oak or pine for the hull? → pine", "held"],
    ["Use tar because oil is thin.", "Key decision: use tar because oil is thin", "held"],
    ["Tar it is, as oil was too thin.", "use tar because oil is thin", "held"],
    ["parse it with a reader", "parse the line with readLine", "lost"],
    ["parse the text with readLine", "parse the line with readLine", "held"],
    ["The header is blue.", "use tar because oil is thin", "lost"],
  ])("%j, of %j: %s", (summary, sentence, found) => {
    expect(verdict(summary, decide(sentence))).toBe(found);
  });
});

describe("judging a rule", () => {
  const rule = (sentence: string) => ({ kind: "constraint", sentence }) as const;
  const long = "please keep the old parser of lines and every test of it green until the new one is merged";

  it.each([
    ["do not use tabs. Use tabs for indentation.", "Use tabs for indentation.", "held"],
    ["never use tabs for indentation", "Use tabs for indentation.", "wrong polarity"],
    ["They said: every test of it green until the new one …", long, "held"],
    ["every test of it", long, "lost"],
    ["keep the old parser with its tests green until the new one is merged", long, "paraphrased"],
    ["the old parser stays until the merge", long, "lost"],
    ["Call readLine for each text.", "Parse every text with readLine and parseLine.", "paraphrased"],
    ["Call the reader for each text, parse every one.", "Parse every text with readLine and parseLine.", "lost"],
    ["Leave migrations. Then touch the folder of them.", "Never touch the migrations folder.", "held"],
    ["", "Never touch the migrations folder.", "lost"],
    ["anything", "…", "lost"],
  ])("%j, of %j: %s", (summary, sentence, found) => {
    expect(verdict(summary, rule(sentence))).toBe(found);
  });
});

describe("judging where to go on", () => {
  const place = { kind: "continuation", subject: "", command: "", path: "", symbol: "" } as const;

  it.each([
    ["Run npm test -- hull next.", { ...place, command: "npm test -- hull 2>&1 | tail -5" }, "held"],
    ["The hull test of npm fails.", { ...place, command: "npm test -- hull" }, "held"],
    ["The header is blue.", { ...place, command: "npm test -- hull" }, "lost"],
    ["Tar the hull.", { ...place, subject: "Tar the hull" }, "held"],
    [
      "Tar the hull in hull.ts.",
      { ...place, subject: "Tar the hull", path: "/p/hull.ts", symbol: "caulk" },
      "paraphrased",
    ],
    [
      "Tar the hull in hull.ts, caulk().",
      { ...place, subject: "Tar the hull", path: "/p/hull.ts", symbol: "caulk" },
      "held",
    ],
    ["In hull.ts.", { ...place, subject: "Tar the keel", path: "/p/hull.ts" }, "paraphrased"],
    ["In mast.ts.", { ...place, subject: "Tar the keel", path: "/p/hull.ts" }, "lost"],
  ])("%j, of %o: %s", (summary, fact, found) => {
    expect(verdict(summary, fact)).toBe(found);
  });
});

describe("judging a file", () => {
  const file = (path: string, isUnique = true) => ({ kind: "file", path, isUnique, isChanged: true }) as const;

  it.each([
    ["See pay/index.ts and index.ts.", file("/p/src/pay/index.ts", false), "held"],
    ["In pay: index.ts.", file("/p/src/pay/index.ts", false), "paraphrased"],
    ["In pay.\nAlso index.ts.", file("/p/src/pay/index.ts", false), "lost"],
    ["/elsewhere/p/src/a.ts", file("p/src/a.ts", false), "held"],
    ["/src/a.ts", file("/p/src/a.ts", false), "held"],
    ["@src/a.ts:3", file("/p/src/a.ts", false), "held"],
    ["src\\pay\\index.ts", file("/p/src/pay/index.ts", false), "held"],
    ["InvoiceTable is done", file("/p/InvoiceTable.tsx", false), "lost"],
    ["invoice-row is done", file("/p/invoice-row.tsx"), "paraphrased"],
    ["read-me is done", file("/p/read-me.md"), "lost"],
    ["invoicerow is done", file("/p/invoicerow.tsx"), "lost"],
    ["AB-123 is done", file("/p/AB-123-tar.md"), "paraphrased"],
    ["AB-123 is done", file("/p/AB-123-tar.md", false), "lost"],
    ["XAB-1234 is done", file("/p/AB-123-tar.md"), "lost"],
  ])("%j, of %o: %s", (summary, fact, found) => {
    expect(verdict(summary, fact)).toBe(found);
  });
});

describe("judging work by the status of its section", () => {
  const task = (status: "open" | "done" | "active") =>
    ({ kind: "task", subject: "Round the invoice total", status }) as const;

  it.each([
    ["## Completed\n- Round the invoice total", task("open"), "wrong status"],
    ["## Completed\n### Money\n- Round the invoice total", task("done"), "held"],
    ["## Completed\n## Money\n- Round the invoice total", task("open"), "held"],
    ["1. Next steps:\n- Round the invoice total\n2. Other:\n- x", task("done"), "wrong status"],
    ["Pending:\n- ✅ Round the invoice total", task("done"), "held"],
    ["- Round the invoice total is done. Later: round the invoice total is pending.", task("open"), "held"],
    ["Done:\n- Round the invoice total\n\nThe invoice has a total.", task("active"), "wrong status"],
  ])("%j, of %o: %s", (summary, fact, found) => {
    expect(verdict(summary, fact)).toBe(found);
  });
});
