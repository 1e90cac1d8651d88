import { type JsonObject, textField } from "../../../core/json.ts";
import type { Message } from "../../../core/message.ts";
import { sha256 } from "../../../core/sha256.ts";
import { LEDGER_TOOL, type SessionStore } from "../../../files/artifacts/create-session-store.ts";
import type { ArtifactToKeep } from "../../../files/artifacts/keep-artifact.ts";
import { foldOutput } from "../../../fold/fold-output.ts";
import { findHandles, findOwnHandle, type Marker, nameHandle, renderMarker } from "../../../fold/marker.ts";
import { splitExchanges } from "../../../layers/history/exchanges.ts";
import type { TailRule } from "../../../layers/ledger/weigh-history.ts";
import { estimateMessageTokens, estimateTextTokens, tokenizerOf } from "../../../models/tokens.ts";
import { countLeaving } from "../../../policy/collapse-due.ts";
import {
  type CompactionAsked,
  type CompactionPlan,
  compactionAsked,
  type RecordTerms,
  renderCompactionRecord,
} from "../../../policy/compaction-asked.ts";
import type { Archived } from "../../../survive/recall/archive-lines.ts";
import type { Happened } from "../../../survive/record/continuation.ts";
import { type EngineConversation, type Entry, toMessages } from "../conversation.ts";
import { type EngineMessage, weighMessage } from "./compaction-event.ts";

export interface AnswerOptions
  extends Pick<CompactionAsked, "policy" | "vocabulary" | "model" | "root" | "roomTokens" | "known">,
    Omit<RecordTerms, "ledger" | "tail" | "hasTail"> {
  /** For a client's window that is nearly too small: only the last exchange stays, and longer results in it are folded. */
  readonly maxResultCharacters?: number | undefined;
  /** In the middle of a list of work at most a third of its size is removed: the next items are like the last ones. */
  readonly isMidLoop?: boolean;
  /** Calls whose results the user has chosen to be out of the window. */
  readonly forgotten?: ReadonlySet<string>;
  /** Those that they have chosen to keep: in the record, once their exchange is not among the last ones. */
  readonly keptResults?: readonly KeptResult[];
}

export interface KeptResult {
  readonly callId: string;
  readonly text: string;
}

/** With the edits, and what they removed: to be stored first. `ledgerTokens` are those of the segments alone, which decide on the next collapse. */
export interface Answer extends Omit<CompactionPlan, "messages" | "ledger"> {
  readonly messages: readonly JsonObject[];
  /** The text of the record and the ledger, by which the record is recognised. */
  readonly record: string;
  readonly tail: readonly Entry[];
  /** Rows of an answer that keep their handles: a resumed session finds them again before the boundary. */
  readonly keptAnswers: readonly string[];
  /** Results of the tail that are folded there: to be stored under their handles first. */
  readonly folded: readonly ArtifactToKeep[];
  readonly dropped: readonly Archived[];
  /** Of the whole message that contains the ledger. */
  readonly recordTokens: number;
  readonly tailTokens: number;
}

/** The opening as the client has it, the record, the ledger for the old exchanges, and the last exchanges, as at every entry point. No model is asked. */
export function planAnswer(happened: Happened, conversation: EngineConversation, options: AnswerOptions): Answer {
  const messages = toMessages(conversation);
  const { policy, vocabulary, model, root, roomTokens, known } = options;
  const asked = { messages, policy, vocabulary, model, root, roomTokens, known, tail: chooseTail(messages, options) };
  const { messages: left, ledger, ...compacted } = compactionAsked(asked);
  const kept = new Set(left.map(({ id }) => id));
  const { entries: tail, originals: folded } = foldTail(
    conversation.entries.filter(({ id }) => kept.has(id)),
    options,
  );
  const text = renderCompactionRecord(happened, {
    ...options,
    standing: [options.standing ?? "", renderKeptResults(options, tail)].filter((part) => part !== "").join("\n\n"),
    ledger,
    hasNewerList: compacted.hasNewerList,
    tail: tail.map((entry) => (entry.kind === "row" ? entry.row.text : entry.aside.text)).join("\n"),
    hasTail: tail.length > 0,
  });
  const end = renderTail(tail);
  return {
    ...compacted,
    messages: [...conversation.opening.map(({ raw }) => raw), { role: "user", text, toolUses: [] }, ...end.messages],
    record: text,
    tail,
    keptAnswers: end.keptAnswers,
    folded,
    dropped: conversation.entries.flatMap((entry) =>
      entry.kind === "row" && !kept.has(entry.id) ? entry.row.resultTexts : [],
    ),
    recordTokens: Math.round(estimateTextTokens(text, tokenizerOf(model))),
    tailTokens: Math.round(tail.reduce((sum, entry) => sum + weighEntry(entry), 0)),
  };
}

/** A segment of ledger must not be written without its originals: false if they cannot be stored. */
export function storeRemoved(
  store: Pick<SessionStore, "archive" | "keep">,
  { dropped, originals, folded }: Answer,
): boolean {
  const kept = [...originals.map(({ text }) => ({ output: text, tool: LEDGER_TOOL })), ...folded];
  return store.archive(dropped) && kept.every((original) => store.keep(original) !== undefined);
}

function renderKeptResults({ keptResults = [] }: AnswerOptions, tail: readonly Entry[]): string {
  const inView = new Set(tail.flatMap((entry) => (entry.kind === "row" ? entry.row.results : [])));
  const leaving = keptResults.filter(({ callId }) => !inView.has(callId)).map(({ text }) => text);
  if (leaving.length === 0) return "";
  return ["The user marked these results to be kept whole until they lift it (plimsoll lift N):", ...leaving].join(
    "\n\n",
  );
}

function chooseTail(
  messages: readonly Message[],
  { maxResultCharacters, isMidLoop = false, model }: AnswerOptions,
): Partial<TailRule> {
  if (maxResultCharacters !== undefined) return { keepExchanges: 1 };
  if (!isMidLoop) return {};
  const weigh = (sum: number, message: Message): number => sum + estimateMessageTokens(message, tokenizerOf(model));
  const sizes = splitExchanges(messages).map(({ first, last }) => messages.slice(first, last + 1).reduce(weigh, 0));
  const leaving = countLeaving(sizes);
  return leaving === 0 ? {} : { keepExchanges: sizes.length - leaving, maxTailTokens: Number.MAX_SAFE_INTEGER };
}

function weighEntry(entry: Entry): number {
  return entry.kind === "row" ? weighMessage(entry.row) : estimateTextTokens(entry.aside.text, "dense");
}

/**
 * The end of a conversation as rows for the client. A row that keeps its handle stays linked to those before the boundary, a result by its
 * parent, an answer by its id, and a resumed session follows the links back into the history that was compacted (seen in 2.1.325). So rows
 * are created anew, without handles. Only an answer with thinking whose calls are still to be answered keeps its own, because some models
 * need the thinking that led to a call. A prompt of several parts keeps its handle too, and with it what came along; it is linked to nothing.
 * The client pairs an answer only with the results after its last row, so all calls of an answer are in one row, and all results in the next.
 */
export function renderTail(entries: readonly Entry[]): Pick<Answer, "messages" | "keptAnswers"> {
  const open = findOpenAnswer(entries);
  const messages: JsonObject[] = [];
  const keptAnswers: string[] = [];
  let answer: EngineMessage[] = [];
  let results: EngineMessage[] = [];
  let riding = "";
  const close = (): void => {
    messages.push(...renderAnswer(answer), ...renderResults(results));
    answer = [];
    results = [];
  };
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === "aside") {
      if (entry.aside.after === riding) continue;
      close();
      messages.push({ role: "user", text: entry.aside.text, toolUses: [] });
    } else if (entry.row.role === "assistant") {
      if (results.length > 0) close();
      if (index >= open) {
        messages.push(entry.row.raw);
        keptAnswers.push(entry.row.handle);
      } else answer.push(entry.row);
    } else if (entry.row.results.length > 0) {
      if (answer.length > 0) {
        messages.push(...renderAnswer(answer));
        answer = [];
      }
      results.push(entry.row);
    } else {
      close();
      const handle = entry.row.handle;
      const isKept = handle !== "" && (entry.said.length > 0 || entry.row.text.trim() === "");
      messages.push(isKept ? entry.row.raw : { role: "user", text: entry.row.text, toolUses: [] });
      riding = isKept ? handle : riding;
    }
  }
  close();
  return { messages, keptAnswers };
}

/** Index of the answer that the last results belong to, if it has thinking; past the end if there is none. */
function findOpenAnswer(entries: readonly Entry[]): number {
  const isAnswer = (entry: Entry | undefined): boolean => entry?.kind === "row" && entry.row.role === "assistant";
  let index = entries.length - 1;
  while (index >= 0 && !isAnswer(entries[index])) index--;
  const isAnswered = entries.slice(index + 1).some((entry) => entry.kind === "row" && entry.row.results.length > 0);
  const last = index;
  while (index > 0 && isAnswer(entries[index - 1])) index--;
  // The client reports a row of thinking as an empty one.
  const isThinking = (entry: Entry): boolean =>
    entry.kind === "row" && entry.row.text === "" && entry.row.calls.length === 0;
  const isThought = entries.slice(Math.max(0, index), last + 1).some(isThinking);
  return isAnswered && isThought ? Math.max(0, index) : entries.length;
}

/** Each text as a row of its own; the last one has all the calls. */
function renderAnswer(rows: readonly EngineMessage[]): readonly JsonObject[] {
  // The API rejects blank text, and the client drops those that a model wrote.
  const texts = rows.map(({ text }) => text).filter((text) => text.trim() !== "");
  // Without the result that the client repeats in each call.
  const toolUses = rows.flatMap((row) =>
    row.toolUses.map(({ callId, tool, input }) => ({ tool_use_id: callId, tool, input })),
  );
  if (texts.length === 0 && toolUses.length === 0) return [];
  const before = texts.slice(0, -1).map((text) => ({ role: "assistant", text, toolUses: [] }));
  return [...before, { role: "assistant", text: texts.at(-1) ?? "", toolUses }];
}

function renderResults(rows: readonly EngineMessage[]): readonly JsonObject[] {
  if (rows.length === 0) return [];
  const toolResults = rows.flatMap(({ resultTexts }) =>
    resultTexts.map(({ callId, text, isError }) => ({ tool_use_id: callId, text, isError })),
  );
  const said = rows.map(({ text }) => text).filter((text) => text.trim() !== "");
  return [
    { role: "user", text: "", toolUses: [], toolResults },
    ...said.map((text) => ({ role: "user", text, toolUses: [] })),
  ];
}

/** What is left of a result that the user chose to forget. */
function renderForgotten(text: string, tool: string, back: Pick<Marker, "handle" | "recallTool">): string {
  const sizes = { lines: text.split("\n").length, characters: text.length };
  return `${renderMarker({ tool, ...sizes, label: "", preview: "", ...back })}\nThe user chose to take it out of the window.`;
}

const BUDGET_CHARACTERS = 3_000;

/** Shortens results at the end of a conversation, because the client's window has no room for them whole or the user chose to forget them. Their originals are to be stored first. */
export function foldTail(
  entries: readonly Entry[],
  { maxResultCharacters = Number.POSITIVE_INFINITY, forgotten, recallTool }: Partial<AnswerOptions>,
): { readonly entries: readonly Entry[]; readonly originals: readonly ArtifactToKeep[] } {
  const originals: ArtifactToKeep[] = [];
  const calls = new Map(
    entries.flatMap((entry) =>
      entry.kind === "row" ? entry.row.toolUses.map((call) => [call.callId, call] as const) : [],
    ),
  );
  const fold = (callId: string, text: string): string => {
    const isForgotten = forgotten?.has(callId) === true && text !== "";
    // A text with a handle was shortened before, or is a picture.
    const isWhole = findHandles(text).length === 0;
    if (!isForgotten && (text.length <= maxResultCharacters || !isWhole)) return text;
    const { tool = "", input = {} } = calls.get(callId) ?? {};
    const command = textField(input, "command");
    if (isForgotten) {
      const handle = findOwnHandle(text);
      if (handle === undefined) originals.push({ output: text, tool, command });
      return renderForgotten(text, tool, { handle: handle ?? nameHandle(sha256(text)), recallTool });
    }
    originals.push({ output: text, tool, command });
    return foldOutput(text, { tool, command }, { sha256: sha256(text), budget: BUDGET_CHARACTERS }).text;
  };
  const folded = entries.map((entry): Entry => {
    if (entry.kind !== "row" || entry.row.results.length === 0) return entry;
    const resultTexts = entry.row.resultTexts.map((result) => ({ ...result, text: fold(result.callId, result.text) }));
    return { ...entry, row: { ...entry.row, resultTexts } };
  });
  return { entries: folded, originals };
}
