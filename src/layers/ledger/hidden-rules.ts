import type { Message } from "../../core/message.ts";
import { findRuleSentences, followRules, parseRules, renderRules } from "../../core/standing-rules.ts";
import { weighText } from "../../models/tokens.ts";
import { parseEntries } from "./ledger-text.ts";
import { isLedger, isStanding } from "./render-chunk.ts";

/** The person's rules in a conversation that are no longer in view word for word after its edits; empty if all are. */
export function renderHiddenRules(before: readonly Message[], after: readonly Message[]): string {
  const texts = after.filter((message) => !isStanding(message)).flatMap(listTexts);
  const shown = texts.map(({ text }) => text).join("\n");
  const known = before
    .filter(isStanding)
    .flatMap(listTexts)
    .flatMap(({ text }) => parseRules(text));
  // The ledger is older than what the last block said of it.
  const inLedger = followRules(before.filter(isLedger).flatMap(listSaid).flatMap(findRuleSentences));
  const fresh = before
    .filter((message) => !isLedger(message))
    .flatMap(listSaid)
    .flatMap(findRuleSentences);
  const rules = followRules(fresh, [...inLedger, ...known]);
  return renderRules(
    rules.filter(({ sentence }) => !shown.includes(sentence)),
    { weigh: weighText },
  );
}

function listTexts({ blocks }: Message) {
  return blocks.filter((block) => block.kind === "text");
}

/** The person's words, also those that the ledger holds. */
function listSaid(message: Message): readonly string[] {
  if (isStanding(message)) return [];
  const texts = listTexts(message);
  if (!isLedger(message)) return texts.filter(({ author }) => author === "person").map(({ text }) => text);
  return texts
    .flatMap(({ text }) => parseEntries(text))
    .flatMap((entry) => (entry.kind === "said" && entry.by === "person" ? [entry.text] : []));
}
