import type { Edit } from "../core/edit.ts";
import type { Message } from "../core/message.ts";
import { splitExchanges } from "../layers/history/exchanges.ts";
import type { Original } from "../layers/history/originals.ts";
import type { CallVocabulary } from "../layers/history/vocabulary.ts";
import { parseEntries, setInHeadings } from "../layers/ledger/ledger-text.ts";
import { CLOSING, isLedger, renderStretches } from "../layers/ledger/render-chunk.ts";
import type { TailRule } from "../layers/ledger/weigh-history.ts";
import type { PolicyName } from "../layers/options/policy-settings.ts";
import { estimateMessageTokens, tokenizerOf } from "../models/tokens.ts";
import { findStandingRequest } from "../session/standing-request.ts";
import type { Happened } from "../survive/record/continuation.ts";
import { renderStandingRecord } from "../survive/record/standing-record.ts";
import { createRequestPolicy } from "./request-coming.ts";

/** A client wants its window compacted: what is in it, and what may stay. */
export interface CompactionAsked {
  readonly messages: readonly Message[];
  readonly policy: PolicyName;
  readonly vocabulary: CallVocabulary;
  readonly model: string;
  readonly root: string;
  /** What the ledger and the last exchanges may weigh, so that the next compaction is not due at once. */
  readonly roomTokens?: number | undefined;
  /** What is kept word for word, where that is not the policy's own rule. */
  readonly tail?: Partial<TailRule>;
}

export interface CompactionPlan {
  /** The ledger, then what stays word for word. */
  readonly messages: readonly Message[];
  readonly ledger: readonly Message[];
  readonly edits: readonly Edit[];
  /** What the edits took out: to be put away before anything leaves. */
  readonly originals: readonly Original[];
  /** Of what stays word for word. */
  readonly keptExchanges: number;
  readonly ledgerTokens: number;
}

/** What the policy does to a conversation anywhere, all that is old at once. Nothing is asked of a model. */
export function compactionAsked(asked: CompactionAsked): CompactionPlan {
  const { messages, policy, vocabulary, model, root } = asked;
  const tokenizer = tokenizerOf(model);
  const countTokens = (message: Message): number => estimateMessageTokens(message, tokenizer);
  const plan = createRequestPolicy({ policy, vocabulary, collapse: { root, ...asked.tail } });
  const planned = plan({
    messages,
    // Everything has been sent.
    newFrom: messages.length,
    targetTokens: asked.roomTokens ?? Number.POSITIVE_INFINITY,
    countTokens,
    isAsked: true,
  });
  const after = planned.messages;
  const ledger = after.filter(isLedger);
  return {
    messages: after,
    ledger,
    edits: planned.edits,
    originals: planned.originals(),
    keptExchanges: splitExchanges(after.slice(after.findLastIndex(isLedger) + 1)).length,
    ledgerTokens: ledger.reduce((sum, message) => sum + countTokens(message), 0),
  };
}

/** What stands in front of the last exchanges, beside where the work stands. */
export interface RecordTerms {
  readonly ledger: readonly Message[];
  /** What follows word for word; empty where nothing does. */
  readonly tail: string;
  readonly hasTail: boolean;
  readonly root: string;
  readonly recallTool: string;
  /** Where the client keeps the conversation word for word; empty where it does not. */
  readonly transcript: string;
  /** What the person asked to keep in mind; empty where they asked for nothing. */
  readonly instructions?: string | undefined;
  /** Rules, mode and the like, which went out with the old window. */
  readonly standing?: string | undefined;
  /** What was written down of tasks that are long done; empty for none. */
  readonly finished?: string | undefined;
  /** A model's own words, for who wants them beside the record. */
  readonly prose?: string | undefined;
}

/** The record, then the ledger: one text, from which the next compaction takes the ledger over. */
export function renderCompactionRecord(happened: Happened, terms: RecordTerms): string {
  const { root, recallTool, tail, transcript, instructions = "", standing = "", finished = "", prose = "" } = terms;
  const record = renderStandingRecord(happened, { root, recallTool, tail });
  const ledger = renderStretches(terms.ledger);
  const before = [
    prose === "" ? record.text : `${record.text}\n\n## In the model's words\n${prose}`,
    pointToInstructions(happened, ledger),
    finished,
    // Not within the record: so short a one has no room to be sure of for either.
    instructions === "" ? "" : `The user asked to keep in mind: "${instructions}"`,
    transcript === "" ? "" : `The whole conversation stays, word for word, in ${transcript}.`,
    standing,
  ];
  const parts = [...before.map(setInHeadings), ledger, terms.hasTail ? CLOSING : ""];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Where the instructions are that came with the command at work: they are one clipped line of the ledger. */
function pointToInstructions({ state }: Happened, ledger: string): string {
  const asked = findStandingRequest(state)?.text.trim() ?? "";
  if (!/^\/[^\n]{1,200}$/.test(asked)) return "";
  let handle = "";
  let isNext = false;
  let found = "";
  for (const entry of parseEntries(ledger)) {
    if (entry.kind === "heading") handle = entry.handle ?? "";
    const isNote = entry.kind === "said" && entry.by === "note";
    if (isNext && isNote && entry.number !== undefined && handle !== "") found = `${handle}#${entry.number}`;
    isNext = isNote && entry.text === asked;
  }
  return found === ""
    ? ""
    : `The instructions of ${asked} are no longer in view. If you are still following them, fetch them first: ${found}`;
}
