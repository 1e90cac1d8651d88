import { computeOnce, type Message, type TextBlock } from "../../core/message.ts";
import { findRuleSentences, followRules, parseRules, renderRules } from "../../core/standing-rules.ts";
import { weighText } from "../../models/tokens.ts";
import { isLedger, isStanding } from "./render-chunk.ts";
import { entriesOf } from "./thin-segment.ts";

/** The person's rules in a conversation that are no longer in view word for word after its edits; empty if all are. */
export function renderHiddenRules(before: readonly Message[], after: readonly Message[]): string {
  const texts = after.filter((message) => !isStanding(message)).flatMap(listTexts);
  const shown = texts.map(({ text }) => text).join("\n");
  const known = before
    .filter(isStanding)
    .flatMap(listTexts)
    .flatMap(({ text }) => parseRules(text));
  // The ledger is older than what the last block said of it.
  const inLedger = followRules(before.filter(isLedger).flatMap(listRules));
  const fresh = before.filter((message) => !isLedger(message)).flatMap(listRules);
  const rules = followRules(fresh, [...inLedger, ...known]);
  return renderRules(
    rules.filter(({ sentence }) => !shown.includes(sentence)),
    { weigh: weighText },
  );
}

function listTexts({ blocks }: Message) {
  return blocks.filter((block) => block.kind === "text");
}

function listRules(message: Message): readonly string[] {
  if (isStanding(message)) return [];
  const texts = listTexts(message);
  if (isLedger(message)) return texts.flatMap(rulesInLedger);
  return texts.filter(({ author }) => author === "person").flatMap(rulesInWords);
}

/** Both cached, because each collapse reads the whole conversation. */
const rulesInLedger = computeOnce((block: TextBlock) =>
  entriesOf(block).flatMap((entry) =>
    entry.kind === "said" && entry.by === "person" ? findRuleSentences(entry.text) : [],
  ),
);
const rulesInWords = computeOnce(({ text }: TextBlock) => findRuleSentences(text));
