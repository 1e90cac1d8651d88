/** If red: the receipt says that a summary kept a fact which it turned around or dropped. */
import { describe, expect, it } from "vitest";
import { diffSummary } from "./diff-summary.ts";
import { type Fact, IMPORTANCE } from "./fact.ts";

const stated = { text: "", request: 1 };

function file(path: string, isUnique = true): Fact {
  return { ...stated, kind: "file", importance: IMPORTANCE.changedFile, path, isUnique, isChanged: true };
}

function task(subject: string, status: "open" | "done"): Fact {
  return { ...stated, kind: "task", importance: IMPORTANCE.openWork, subject, status };
}

function constraint(sentence: string): Fact {
  return { ...stated, kind: "constraint", importance: IMPORTANCE.constraint, sentence };
}

function judge(summary: string, fact: Fact): string {
  const { held, paraphrased, lost } = diffSummary(summary, [fact]);
  const [first] = lost;
  if (first) return first.mark ?? "lost";
  return held.length > 0 ? "held" : paraphrased.length > 0 ? "paraphrased" : "";
}

describe("a summary, compared with the facts", () => {
  it.each([
    ["Changed `/p/src/pay/index.ts`.", file("/p/src/pay/index.ts", false), "held"],
    ["Changed pay/index.ts:12.", file("/p/src/pay/index.ts", false), "held"],
    ["Changed index.ts.", file("/p/src/pay/index.ts", false), "lost"],
    ["Changed tax/index.ts.", file("/p/src/pay/index.ts", false), "lost"],
    ["Changed invoice.ts.", file("/p/src/invoice.ts"), "held"],
    ["Changed `~/p/src/pay/index.ts`.", file("/home/me/p/src/pay/index.ts", false), "held"],
    ["Changed index.ts in pay-old.", file("/p/src/pay/index.ts", false), "lost"],
    ["Changed my-invoice.ts.", file("/p/src/invoice.ts"), "lost"],
    ["Changed `invoice.tsx`.", file("/p/src/invoice.ts"), "lost"],
    ["Rewrote InvoiceTable.", file("/p/src/InvoiceTable.tsx"), "paraphrased"],
  ])("%s tells a file by its path, the end of it or its own name: %#", (summary, fact, verdict) => {
    expect(judge(summary, fact)).toBe(verdict);
  });

  it.each([
    ["Pending Tasks:\n- Round the invoice total", task("Round the invoice total", "open"), "held"],
    ["Pending Tasks:\n- Round the invoice total", task("Round the invoice total", "done"), "wrong status"],
    ["- ✅ Round the invoice total", task("Round the invoice total", "open"), "wrong status"],
    ["- ✅ Round the invoice total", task("Round the invoice total", "done"), "held"],
    ["The invoice total is now rounded.", task("Round the invoice total", "done"), "held"],
    ["The header is blue.", task("Round the invoice total", "open"), "lost"],
    ['- "I merged it, why is the total off?"', task("I merged it, why is the total off?", "open"), "held"],
  ])("%j tells a task with its status: %#", (summary, fact, verdict) => {
    expect(judge(summary, fact)).toBe(verdict);
  });

  it.each([
    ['The user: "never touch the migrations folder!"', "Never touch the migrations folder.", "held"],
    ["We must not touch anything in migrations.", "Never touch the migrations folder.", "paraphrased"],
    ["Touch the migrations folder next.", "Never touch the migrations folder.", "wrong polarity"],
    ["Do not use tabs for indentation.", "Use tabs for indentation.", "wrong polarity"],
    ["The tests pass.", "Never touch the migrations folder.", "lost"],
    [
      'They want it "to run in the background whenever a new invoice arrives".',
      "I'd like the rounding of all totals to run in the background whenever a new invoice arrives.",
      "held",
    ],
  ])("%j keeps a constraint with its not: %#", (summary, sentence, verdict) => {
    expect(judge(summary, constraint(sentence))).toBe(verdict);
  });

  it("tells a name exactly, not as a part of a longer one", () => {
    const fact: Fact = { ...stated, kind: "identifier", importance: IMPORTANCE.identifier, term: "parseLine" };
    expect(judge("calls parseLine()", fact)).toBe("held");
    expect(judge("calls parseLines()", fact)).toBe("lost");
  });

  it("tells an error by its line, or by the attempt that fails where the line gives no reason", () => {
    const fact: Fact = {
      ...stated,
      kind: "error",
      importance: IMPORTANCE.error,
      attempt: "npm run test:integration",
      line: "FAIL packages/billing/suite 17.7s",
    };
    expect(judge("FAIL packages/billing/suite 17.7s was the last line.", fact)).toBe("held");
    expect(judge("The integration test of npm still fails.", fact)).toBe("paraphrased");
    expect(judge("The integration test of npm passes.", fact)).toBe("lost");
  });

  it("tells the place to go on by its subject and its file", () => {
    const fact: Fact = {
      ...stated,
      kind: "continuation",
      importance: IMPORTANCE.continuation,
      subject: "Round the invoice total",
      command: "",
      path: "/p/src/invoice.ts",
      symbol: "total",
    };
    expect(judge("Round the invoice total: total() in invoice.ts comes next.", fact)).toBe("held");
    expect(judge("Round the invoice total.", fact)).toBe("paraphrased");
    expect(judge("Work went on in invoice.ts.", fact)).toBe("paraphrased");
    expect(judge("Work goes on.", fact)).toBe("lost");
  });

  it("ranks by importance and keeps every fact once", () => {
    const facts = [
      file("/p/a.ts"),
      constraint("Never touch the migrations folder."),
      task("Round the total sum", "open"),
    ];
    const { held, paraphrased, lost } = diffSummary("Nothing of it.", facts);
    expect(lost.map(({ fact }) => fact.kind)).toEqual(["task", "constraint", "file"]);
    expect([held, paraphrased]).toEqual([[], []]);
  });
});
