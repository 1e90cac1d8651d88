import type { Edit } from "../core/edit.ts";
import type { Block, Message } from "../core/message.ts";
import { splitExchanges } from "../layers/history/exchanges.ts";
import type { Original } from "../layers/history/originals.ts";
import type { CallVocabulary } from "../layers/history/vocabulary.ts";
import { parseEntries, setInHeadings } from "../layers/ledger/ledger-text.ts";
import type { KnownLines } from "../layers/ledger/piece.ts";
import { CLOSING, isLedger, leaveOutLists, renderSegments } from "../layers/ledger/render-chunk.ts";
import type { TailRule } from "../layers/ledger/weigh-history.ts";
import type { PolicyName } from "../layers/options/policy-settings.ts";
import { estimateMessageTokens, tokenizerOf } from "../models/tokens.ts";
import { findStandingRequest } from "../session/standing-request.ts";
import type { Happened } from "../survive/record/continuation.ts";
import { renderStandingRecord, TASKS_HEADING } from "../survive/record/standing-record.ts";
import { createRequestPolicy } from "./request-coming.ts";

/** A client's request to compact its window. */
export interface CompactionAsked {
  readonly messages: readonly Message[];
  readonly policy: PolicyName;
  readonly vocabulary: CallVocabulary;
  readonly model: string;
  readonly root: string;
  /** How many tokens the ledger and the last exchanges may take, so that the next compaction is not due at once. */
  readonly roomTokens?: number | undefined;
  /** What is kept word for word, if not by the policy's own rule. */
  readonly tail?: Partial<TailRule>;
  /** What following the conversation has worded already. */
  readonly known?: KnownLines | undefined;
}

export interface CompactionPlan {
  /** The ledger, then the messages that are kept word for word. */
  readonly messages: readonly Message[];
  readonly ledger: readonly Message[];
  readonly edits: readonly Edit[];
  /** What the edits removed. Store these before anything is sent. */
  readonly originals: readonly Original[];
  readonly keptExchanges: number;
  readonly ledgerTokens: number;
  /** The messages that are kept hold a to-do list, so one in the ledger is older. */
  readonly hasNewerList: boolean;
}

/** Applies the policy's edits to a conversation, to all of the old part at once. Calls no model. The person's rules are in the record. */
export function compactionAsked(asked: CompactionAsked): CompactionPlan {
  const { messages, policy, vocabulary, model, root, known } = asked;
  const tokenizer = tokenizerOf(model);
  const counted = new Map<Message, number>();
  const countTokens = (message: Message): number => {
    const tokens = counted.get(message) ?? estimateMessageTokens(message, tokenizer);
    counted.set(message, tokens);
    return tokens;
  };
  const plan = createRequestPolicy({ policy, vocabulary, collapse: { root, known, rules: false, ...asked.tail } });
  const planned = plan({
    messages,
    // Everything has been sent before.
    newFrom: messages.length,
    targetTokens: asked.roomTokens ?? Number.POSITIVE_INFINITY,
    countTokens,
    isAsked: true,
  });
  const after = planned.messages;
  const ledger = after.filter(isLedger);
  const tail = after.slice(after.findLastIndex(isLedger) + 1);
  const isListing = (block: Block): boolean =>
    block.kind === "toolCall" && vocabulary.interpretCall(block.tool, block.input).todos !== undefined;
  return {
    messages: after,
    ledger,
    edits: planned.edits,
    originals: planned.originals(),
    hasNewerList: tail.some(({ blocks }) => blocks.some(isListing)),
    keptExchanges: splitExchanges(tail).length,
    ledgerTokens: ledger.reduce((sum, message) => sum + countTokens(message), 0),
  };
}

/** What the record says in addition to the state of the work. */
export interface RecordTerms {
  readonly ledger: readonly Message[];
  readonly hasNewerList?: boolean;
  /** The messages kept word for word after the record; empty if there are none. */
  readonly tail: string;
  readonly hasTail: boolean;
  readonly root: string;
  readonly recallTool: string;
  /** Path of the client's full transcript; empty if it keeps none. */
  readonly transcript: string;
  /** The files in which large results are stored, the newest first: a person opens these without a handle. */
  readonly artifacts?: readonly string[] | undefined;
  /** An earlier record in which the followed conversation begins: its rules still hold. */
  readonly earlier?: string | undefined;
  /** What the user asked to keep in mind; empty if nothing. */
  readonly instructions?: string | undefined;
  /** Rules, mode and the like, which the compaction removed from the window. */
  readonly standing?: string | undefined;
  /** Notes on tasks finished long ago; empty if there are none. */
  readonly finished?: string | undefined;
  /** What the model itself said of its work, as `renderNote` gives it. */
  readonly note?: string | undefined;
}

/** Renders the record, then the ledger, as one text. The next compaction takes the ledger over from it. */
export function renderCompactionRecord(happened: Happened, terms: RecordTerms): string {
  const { root, recallTool, tail, transcript, instructions = "", standing = "", finished = "", note = "" } = terms;
  const old = renderSegments(terms.ledger);
  const record = renderStandingRecord(happened, { root, recallTool, tail, ledger: old, earlier: terms.earlier });
  // Two states of one list would contradict each other.
  const ledger = terms.hasNewerList === true || record.includes(TASKS_HEADING) ? leaveOutLists(old) : old;
  const before = [
    note === "" ? record : `${record}\n\n${note}`,
    pointToInstructions(happened, ledger),
    finished,
    // Kept outside the record: a record this short is not certain to have room for it.
    instructions === "" ? "" : `The user asked to keep in mind: "${instructions}"`,
    transcript === "" ? "" : `The whole conversation stays, word for word, in ${transcript}.`,
    listArtifacts(terms.artifacts ?? []),
    standing,
  ];
  const parts = [...before.map(setInHeadings), ledger, terms.hasTail ? CLOSING : ""];
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Each path costs about 25 tokens in every later request; the folder has the others. */
const MAX_ARTIFACTS = 3;

function listArtifacts(paths: readonly string[]): string {
  if (paths.length === 0) return "";
  const more = paths.length > MAX_ARTIFACTS ? `, and ${paths.length - MAX_ARTIFACTS} more in the same folder` : "";
  return `Large results are stored as files, the newest first: ${paths.slice(0, MAX_ARTIFACTS).join(", ")}${more}.`;
}

/** Says where to find the instructions of the current command, because the ledger only holds one clipped line of them. */
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
