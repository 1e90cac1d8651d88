/** If red: a rule that the person set for the whole session is out of view after a compaction, or is said twice. */
import { describe, expect, test } from "vitest";
import { assistant, conversation, type MessageDraft, reminder, user } from "../../../test/support/build.ts";
import type { Message } from "../../core/message.ts";
import { RULES_HEADING } from "../../core/standing-rules.ts";
import { renderHiddenRules } from "../collapse-exchanges.ts";
import { STANDING_PREFIX } from "./render-chunk.ts";

const PUSH = "Never push to main.";
const TABS = "Use tabs, not spaces.";

const said = (...words: readonly string[]): readonly Message[] => conversation(...words.map((word) => user(word)));
const named = (id: string, draft: MessageDraft): readonly Message[] =>
  conversation(draft).map((one) => ({ ...one, id }));
const ledger = (...lines: readonly string[]): readonly Message[] =>
  named("ledger:1:0", user(reminder(["[LEDGER: 2 earlier exchanges in brief]", ...lines].join("\n"))));
const standing = (...rules: readonly string[]): readonly Message[] =>
  named(`${STANDING_PREFIX}1`, user(reminder(listed(...rules))));
const listed = (...rules: readonly string[]): string =>
  [RULES_HEADING, ...rules.map((rule) => `- "${rule}"`)].join("\n");

describe("the person's rules that are out of view", () => {
  test.each<[string, readonly Message[], readonly Message[], readonly string[]]>([
    ["said and folded away", said(PUSH, "Fix the hull."), [], [PUSH]],
    ["said and still there", said(PUSH, TABS), said(TABS), [PUSH]],
    ["all still there", said(PUSH), said(`First: ${PUSH}`), []],
    ["there in the ledger", said(PUSH), ledger(`person: ${PUSH}`), []],
    [
      "said in the ledger, which a newer ledger has shortened",
      ledger(`person: ${PUSH}`),
      ledger("(#1 remarks)"),
      [PUSH],
    ],
    ["said in the last list", standing(PUSH), [], [PUSH]],
    ["there in a list alone, which is written anew", said(PUSH), standing(PUSH), [PUSH]],
    [
      "said in the ledger, in the last list and since",
      [...ledger(`person: ${PUSH}`), ...standing(PUSH), ...said(PUSH)],
      [],
      [PUSH],
    ],
    [
      "newest first: the ledger's, the list's, the newest",
      [...ledger(`person: ${PUSH}`), ...standing(TABS), ...said("Reply in French only, never in English.")],
      [],
      ["Reply in French only, never in English.", TABS, PUSH],
    ],
    ["lifted since", [...ledger(`person: ${PUSH}`), ...said("You can push to main now.")], [], []],
    ["the model's words", conversation(assistant(PUSH)), [], []],
    ["the client's words", conversation(user(reminder(PUSH))), [], []],
    ["the model's words in the ledger", ledger(`1 assistant: ${PUSH}`, `2 note: ${PUSH}`), [], []],
    ["words next to a list", named(`${STANDING_PREFIX}1`, user(reminder(`person: ${PUSH}`))), [], []],
  ])("%s", (_, before, after, rules) => {
    expect(renderHiddenRules(before, after)).toBe(rules.length === 0 ? "" : listed(...rules));
  });
});
