/** If red: the structured summary leaves out deadlines or bans, or grows past its limit. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../../test/support/arbitrary-story.ts";
import { story } from "../../../test/support/story.ts";
import { weighText } from "../../models/tokens.ts";
import { renderDecision, renderSummary } from "./summary.ts";

const HEADINGS = [
  /^## Compaction Summary \(generated at \d+\)$/m,
  /^### Topics Covered$/m,
  /^### Key Decisions Made$/m,
  /^### Active Threads$/m,
  /^### Emotional\/Priority Context$/m,
  /^### Continuation Point$/m,
];

const working = story()
  .asks("The refunds are off by a cent. This is urgent, by Friday. Do not change src/ledger.ts.")
  .says("I decided to round per line because the ledger sums lines in src/pay.ts.")
  .calls(
    "TodoWrite",
    {
      todos: [
        { content: "Find the cause", status: "completed" },
        { content: "Round per line", status: "in_progress" },
      ],
    },
    "ok",
  )
  .calls("Edit", { file_path: "/p/src/pay.ts", old_string: "one", new_string: "two" }, "ok", {
    detail: { originalFile: "function pay() {\n  one\n}\n", oldString: "one", newString: "two" },
  });

describe("the structured summary", () => {
  it("[R42][R43][R44][R45][R48] reads so", () => {
    expect(renderSummary(working.happened(), { root: "/p" })).toMatchInlineSnapshot(`
      "## Compaction Summary (generated at 2)
      ### Topics Covered
      - The refunds are off by a cent
      ### Key Decisions Made
      - I decided to round per line: because the ledger sums lines in src/pay.ts. — affects src/pay.ts
      ### Active Threads
      - Round per line
      - Current file: src/pay.ts:2, current function/section: pay
      - Partial progress: done 1 (Find the cause); remains 1 (Round per line)
      ### Emotional/Priority Context
      - "This is urgent, by Friday."
      - "Do not change src/ledger.ts."
      ### Continuation Point
      > Resume: finish "Round per line"; the last change was at src/pay.ts:2 (pay); the last step was \`edit src/pay.ts\` [call:toolu_0000c2]"
    `);
  });

  it("[R42] has its sections in order, whatever happened", () => {
    fc.assert(
      fc.property(arbitraryHappened, (happened) => {
        const text = renderSummary(happened);
        const places = HEADINGS.map((heading) => text.search(heading));
        expect(places).not.toContain(-1);
        expect(places).toEqual([...places].sort((left, right) => left - right));
      }),
      { numRuns: 50 },
    );
  });

  it("[R44] says what is worked on, in which file and function, what is done and what remains", () => {
    const text = renderSummary(working.happened(), { root: "/p" });
    expect(text).toContain("- Round per line\n");
    expect(text).toContain("- Current file: src/pay.ts:2, current function/section: pay");
    expect(text).toContain("- Partial progress: done 1 (Find the cause); remains 1 (Round per line)");
  });

  it("[R45] keeps urgency, deadlines and what the person forbade, word for word", () => {
    const text = renderSummary(working.happened());
    expect(text).toContain('- "This is urgent, by Friday."');
    expect(text).toContain('- "Do not change src/ledger.ts."');
  });

  it("[R47] stays below 500 tokens for both tokenizers, whatever happened", () => {
    fc.assert(
      fc.property(arbitraryHappened, (happened) => {
        expect(weighText(renderSummary(happened))).toBeLessThanOrEqual(500);
      }),
      { numRuns: 50 },
    );
  });

  it("[R47] never exceeds a smaller limit either", () => {
    fc.assert(
      fc.property(arbitraryHappened, fc.integer({ min: 20, max: 500 }), (happened, maxTokens) => {
        expect(weighText(renderSummary(happened, { maxTokens }))).toBeLessThanOrEqual(maxTokens);
      }),
      { numRuns: 50 },
    );
  });

  it("[R47] quotes paths and line references, never what stands in a file", () => {
    const secret = "const contents = of(theFile);";
    const text = renderSummary(
      working
        .calls("Read", { file_path: "/p/src/tax.ts" }, secret)
        .calls("Write", { file_path: "/p/src/new.ts", content: secret }, "ok")
        .happened(),
    );
    expect(text).toContain("/p/src/new.ts");
    expect(text).not.toContain("theFile");
  });

  it("says how much it left out", () => {
    const reported = Array.from({ length: 40 }, (_, index) => index).reduce(
      (so, index) => so.asks(`You must never change part ${index} of the machine.`).says("Noted."),
      story(),
    );
    expect(renderSummary(reported.happened())).toMatch(/- … \d+ more that did not fit/);
  });
});

describe("a decision", () => {
  it("[R43] is told with its reason and what it affects", () => {
    const decision = {
      request: 3,
      by: "model",
      files: ["src/pay.ts"],
      text: "Round per line, because the ledger sums lines",
      reason: "because the ledger sums lines",
    } as const;
    expect(renderDecision(decision, 100)).toBe("- Round per line: because the ledger sums lines — affects src/pay.ts");
    expect(renderDecision({ ...decision, reason: "", files: [] }, 20)).toBe("- Round per line, bec…");
  });

  it("[R45] keeps the deadline next to a blocker where there is room for one line of each", () => {
    const session = story()
      .asks("Urgent: ship it by Friday.")
      .calls("Bash", { command: "make all || true" }, "make: *** [all] Error 1");
    const lines = renderSummary(session.happened(), { maxTokens: 330 }).split("\n");
    expect(lines.join("\n")).toContain("by Friday");
    expect(lines.join("\n")).not.toContain("in the full record");
  });
});
