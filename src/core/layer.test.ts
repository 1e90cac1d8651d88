/** If red: decisions are not repeated on the next request, so the prompt cache is rebuilt and paid for again. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { arbitraryEditSeeds, createEdits } from "../../test/support/arbitrary-edits.ts";
import { arbitraryGrowth } from "../../test/support/arbitrary-session.ts";
import {
  assistant,
  call,
  conversation,
  deepFreeze,
  editsOf,
  replacement,
  results,
  user,
} from "../../test/support/build.ts";
import { tries } from "../../test/support/depth.ts";
import { renderShape } from "../../test/support/shape.ts";
import { applyEdits } from "./apply-edits.ts";
import { countDropped, emptyLedger, type Ledger, recordDecisions, replayLedger } from "./layer.ts";

const RUNS = { numRuns: tries(40, 500) };

/** One request is edited; a later one brings the whole history again, and more. */
const arbitraryRequests = fc.tuple(arbitraryGrowth(), arbitraryEditSeeds).map(([{ earlier, later }, seeds]) => {
  const sent = applyEdits(earlier, createEdits(earlier, seeds));
  return { earlier, later, sent: sent.messages, ledger: deepFreeze(recordDecisions(emptyLedger, sent.applied)) };
});

const first = [user("fix it"), assistant(call("Bash")), results("a.ts\nb.ts")];
const fold = editsOf(conversation(...first)).replaceBlock("toolResult:Bash#1", "folded");

test("a decision is carried out again when the whole history comes again, with more behind it", () => {
  const ledger = recordDecisions(emptyLedger, [fold]);
  const { messages } = replayLedger(ledger, conversation(...first, assistant(call("Bash")), results("c.ts")));
  expect(renderShape(messages, { quotesResults: true })).toMatchInlineSnapshot(`
    "user text "fix it"
    assistant call Bash#1 {}
    user result Bash#1 "folded"
    assistant call Bash#2 {}
    user result Bash#2 "c.ts""
  `);
});

test("the bytes sent once are the bytes sent again, and what follows them is untouched", () => {
  fc.assert(
    fc.property(arbitraryRequests, ({ earlier, later, sent, ledger }) => {
      const { messages, refused } = replayLedger(ledger, later);
      expect(refused).toEqual([]);
      expect(JSON.stringify(messages.slice(0, sent.length))).toBe(JSON.stringify(sent));
      const followers = later.slice(earlier.length);
      expect(messages.slice(sent.length).every((message, index) => message === followers[index])).toBe(true);
      expect(messages.length).toBe(sent.length + followers.length);
    }),
    RUNS,
  );
});

test("the random decisions do change what is sent", () => {
  const requests = fc.sample(arbitraryRequests, { numRuns: 200, seed: 1 });
  expect(requests.filter(({ earlier, sent }) => earlier !== sent).length).toBeGreaterThan(50);
});

test("a ledger that was stored as JSON decides the same", () => {
  fc.assert(
    fc.property(arbitraryRequests, ({ later, ledger }) => {
      const stored: Ledger = JSON.parse(JSON.stringify(ledger));
      expect(JSON.stringify(replayLedger(stored, later))).toBe(JSON.stringify(replayLedger(ledger, later)));
    }),
    RUNS,
  );
});

test("decisions are kept oldest first, and the ledger they are added to stays as it was", () => {
  const earlier = deepFreeze(recordDecisions(emptyLedger, [fold]));
  const again = editsOf(conversation(...first)).replaceBlock("toolResult:Bash#1", "folded more");
  expect(recordDecisions(earlier, [again]).decisions).toEqual([fold, again]);
  expect(earlier.decisions).toEqual([fold]);
  expect(emptyLedger.decisions).toEqual([]);
});

test("the identical ledger comes back when nothing was decided", () => {
  const ledger = recordDecisions(emptyLedger, [fold]);
  expect(recordDecisions(ledger, [])).toBe(ledger);
  expect(recordDecisions(emptyLedger, [])).toBe(emptyLedger);
});

test("an empty ledger gives the identical conversation", () => {
  const messages = conversation(...first);
  expect(replayLedger(emptyLedger, messages).messages).toBe(messages);
});

test("a decision whose target is gone waits for it to come back", () => {
  const ledger = recordDecisions(emptyLedger, [fold]);
  const compacted = replacement("s", user("a summary"));
  const meanwhile = replayLedger(ledger, compacted);
  expect(meanwhile.messages).toBe(compacted);
  expect(meanwhile.refused.map(({ why }) => why)).toEqual(["targetMissing"]);
  expect(replayLedger(ledger, conversation(...first)).applied).toEqual([fold]);
});

test("a decision is dropped where something else is said in its target's place, and counted", () => {
  const ledger = recordDecisions(emptyLedger, [fold]);
  const other = conversation(...first.slice(0, 2), results("c.ts"));
  const replayed = replayLedger(ledger, other);
  expect(replayed.messages).toBe(other);
  expect(countDropped(replayed)).toBe(1);
  expect(countDropped(replayLedger(ledger, conversation(...first)))).toBe(0);
});

test("a decision may build on an earlier one", () => {
  const { replaceSpan, replaceBlock } = editsOf(conversation(...first));
  const summary = replacement("s", user("a summary"));
  const ledger = recordDecisions(emptyLedger, [
    replaceSpan("m1", "m3", summary),
    replaceBlock("no such block", "never there"),
    editsOf(summary).replaceSpan("sm1", "sm1", replacement("t", user("a shorter one"))),
  ]);
  expect(renderShape(replayLedger(ledger, conversation(...first)).messages)).toBe('user text "a shorter one"');
});
