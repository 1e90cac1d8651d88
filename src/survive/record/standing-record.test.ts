/** If red: the person's lasting rules are missing from the record, or it repeats the ledger. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHappened } from "../../../test/support/arbitrary-story.ts";
import { story } from "../../../test/support/story.ts";
import { parseRules, RULES_HEADING } from "../../core/standing-rules.ts";
import { weighText } from "../../models/tokens.ts";
import { listFacts } from "../receipt/list-facts.ts";
import { MAX_STANDING_TOKENS, renderStandingRecord } from "./standing-record.ts";

const linesOf = (text: string): readonly string[] => text.split("\n").slice(1);

describe("the record next to a ledger", () => {
  it("tells what was asked, what is proved to come next, what is open, and what holds for ever", () => {
    const session = story()
      .asks("Never push to main without asking.")
      .says("Noted.")
      .asks("Round the invoice total.")
      .calls("TodoWrite", { todos: [{ content: "Round the total", status: "in_progress" }] }, "ok")
      .calls("Edit", { file_path: "/p/src/money.ts", old_string: "a", new_string: "b" }, "ok")
      .calls("Bash", { command: "npm test" }, "Exit code 1\nError: expected 3 got 2\n1 failed", { isError: true });
    expect(renderStandingRecord(session.happened(), { root: "/p", recallTool: "recall" })).toMatchInlineSnapshot(`
      "The conversation before this point was replaced by this record. recall searches all of that conversation (pass handle and pattern); handle#number shows one line in full. Read a file again before editing it.
      Before this point the user asked last: "Round the invoice total."
      Next, at this point: make \`npm test\` pass: Error: expected 3 got 2; the last change was at src/money.ts
      Open tasks at this point, next first:
      - in progress: Round the total
      The user's standing rules, newest first:
      - "Never push to main without asking.""
    `);
  });

  it("does not say what stands behind the ledger already, and nothing where nothing is certain", () => {
    const asked = story().asks("Round the total.").calls("Bash", { command: "ls" }, "a.ts").happened();
    expect(linesOf(renderStandingRecord(asked))).toEqual(['Before this point the user asked last: "Round the total."']);
    expect(linesOf(renderStandingRecord(asked, { tail: "user: Round the total." }))).toEqual([]);
  });

  it("keeps a rule word for word from the middle of a long prompt, until the user lifts it", () => {
    const paste = "INFO connected to 10.0.0.7 in 12 ms; retry=0\n".repeat(400);
    const rule = "Never push to main without asking.";
    const session = story().asks(`Look at this.\n${paste}\n${rule}\n\n${paste}`).asks("Now the other one.");
    expect(renderStandingRecord(session.happened())).toContain(`\n- "${rule}"`);
    const lifted = session.asks("You can push to main now without asking.");
    expect(renderStandingRecord(lifted.happened())).not.toContain(`- "${rule}"`);
  });

  it("says what replaced a rule, and always has room for rules, however many tasks are open", () => {
    const todos = Array.from({ length: 40 }, (_, at) => ({
      content: `Migrate the table ${at} `.repeat(9),
      status: "pending",
    }));
    const session = story()
      .asks("Use tabs for indentation, not spaces.")
      .calls("TodoWrite", { todos }, "ok")
      .asks("Actually use spaces for indentation, not tabs.");
    const text = renderStandingRecord(session.happened());
    expect(text).toContain(
      '- "Actually use spaces for indentation, not tabs." (instead of "Use tabs for indentation, not spaces.")',
    );
    expect(weighText(text)).toBeLessThanOrEqual(MAX_STANDING_TOKENS);
  });

  it("says that something was asked last only if nothing was said after it, and counts one task as one", () => {
    const session = story().asks("Round the invoice total to whole cents.").calls("Bash", { command: "ls" }, "a");
    expect(renderStandingRecord(session.asks("go on").happened())).toContain(
      'Before this point the user asked: "Round the invoice total to whole cents."',
    );
    let alone = story()
      .calls("TodoWrite", { todos: [{ content: "Tar the hull", status: "pending" }] }, "ok")
      .asks("Something else: paint the mast red.");
    for (let index = 0; index < 40; index++) alone = alone.calls("Bash", { command: `paint ${index}` }, "ok");
    expect(renderStandingRecord(alone.happened())).toContain("1 open task is older than the user's last request");
  });

  it("says what was announced and not done yet, unless it follows word for word", () => {
    const words = "Next: write the migration in src/migrate.ts, then run it against fixture ledger_5521.csv.";
    let session = story().asks("Move the store.").says(`The parser works. ${words}`);
    for (let index = 0; index < 12; index++) session = session.calls("Bash", { command: `ls ${index}` }, "a");
    const line = `Announced, maybe not done: "${words}"`;
    expect(linesOf(renderStandingRecord(session.happened()))).toContain(line);
    expect(linesOf(renderStandingRecord(session.happened(), { tail: words }))).not.toContain(line);
  });

  it("leaves a list alone that nobody has touched since the person asked for something else", () => {
    let session = story()
      .asks("Plan it.")
      .calls("TodoWrite", { todos: [{ content: "Tar the hull", status: "pending" }] }, "ok")
      .asks("Something else: paint the mast red.");
    for (let index = 0; index < 40; index++) session = session.calls("Bash", { command: `paint ${index}` }, "ok");
    expect(renderStandingRecord(session.happened())).not.toContain("Tar the hull");
  });

  it("says nothing that the receipt would not look for, and never weighs more than its limit", () => {
    fc.assert(
      fc.property(arbitraryHappened, (happened) => {
        const text = renderStandingRecord(happened);
        expect(weighText(text)).toBeLessThanOrEqual(MAX_STANDING_TOKENS);
        const known = listFacts(happened).map((fact) => fact.text);
        const said = new Set(happened.state.words.flatMap(({ rules = [] }) => rules));
        for (const { sentence } of parseRules(text)) expect(said).toContain(sentence);
        const [whole = ""] = text.split(`\n${RULES_HEADING}`);
        const facts = whole.replace(
          /\n(?:Open tasks at this point.*(?:\n- .*)*|\d+ open tasks? (?:is|are) older .*)/,
          "",
        );
        const [, ...rest] = facts
          .replace(/\nAnnounced, maybe not done: .*/, "")
          .split(/\n(?=Before this point |The user |Next, at this point: )/);
        for (const line of rest) expect(known).toContain(line.replaceAll("\n  ", "\n"));
      }),
      { numRuns: 40 },
    );
  });
});
