import { isObject, type JsonObject, listField, textField } from "../../../core/json.ts";
import type { SessionStore } from "../../../files/artifacts/create-session-store.ts";
import type { CallVocabulary } from "../../../layers/history/vocabulary.ts";
import { countRoom } from "../../../policy/collapse-due.ts";
import type { InjectionState } from "../../../policy/policy-state.ts";
import type { Happened } from "../../../survive/record/continuation.ts";
import { type EngineConversation, readConversation } from "../conversation.ts";
import type { KnownConversation } from "../memory-file.ts";
import type { EngineMessage } from "./compaction-event.ts";
import { type Answer, type AnswerOptions, type KeptResult, planAnswer } from "./plan-answer.ts";

/** A window as the client reports it, in the order in which it is sent. */
export interface ArrangedWindow {
  readonly rows: readonly EngineMessage[];
  readonly conversation: EngineConversation;
  readonly planMode: string;
}

type KnownWindow = Omit<KnownConversation, "checkpoints"> & { readonly transcript: string };

/** `sent` is the same conversation in the form of the API, which says what belongs to one answer. */
export function arrangeWindow(rows: readonly EngineMessage[], sent: unknown, known: KnownWindow): ArrangedWindow {
  const { beside: extras, hasAnswered, keptAnswers, transcript } = known;
  const conversation = readConversation(groupByAnswer(rows, sent), extras, {
    // A process without memory of an earlier one recognises the record by this session's transcript path in it.
    hasRecord: hasAnswered || rows.some(({ text }) => text.includes(`in ${transcript}.`)),
    repeated: new Set(keptAnswers),
  });
  return { rows, conversation, planMode: extras.planMode };
}

/** What an answer is made from, whether the session runs or was recorded. */
interface AnsweredWindow
  extends Pick<AnswerOptions, "policy" | "model" | "root" | "recallTool" | "transcript" | "known"> {
  readonly window: ArrangedWindow;
  readonly happened: Happened;
  readonly vocabulary: CallVocabulary;
  readonly store: Pick<SessionStore, "paths" | "archived">;
  /** What the person has marked. */
  readonly marked: Pick<InjectionState, "keptCalls" | "forgottenCalls">;
  readonly room: Parameters<typeof countRoom>[0];
}

/** What is said at this compaction only. */
type SaidNow = Pick<
  AnswerOptions,
  "instructions" | "standing" | "finished" | "note" | "isMidLoop" | "maxResultCharacters"
>;

/** The answer to a compaction of a session's own window: of one that runs, and of one that is only looked at. */
export function answerWindow(answered: AnsweredWindow, { standing = "", ...now }: SaidNow): Answer {
  const { window, happened, store, marked, room, ...options } = answered;
  return planAnswer(happened, window.conversation, {
    ...options,
    ...now,
    artifacts: store.paths(),
    standing: [window.planMode, standing].filter((text) => text !== "").join("\n\n"),
    keptResults: listKeptResults(answered),
    forgotten: new Set(marked.forgottenCalls),
    roomTokens: countRoom(room),
  });
}

/** The results that were chosen to be kept, whole: from the window, or out of the store. */
function listKeptResults({ window, happened, store, marked }: AnsweredWindow): readonly KeptResult[] {
  const { keptCalls = [] } = marked;
  const texts = new Map(
    window.rows.flatMap(({ resultTexts }) => resultTexts.map(({ callId, text }) => [callId, text] as const)),
  );
  const notes = new Map(happened.trail.calls.map((note) => [note.callId, note]));
  return keptCalls.flatMap((callId) => {
    const text = texts.get(callId) ?? store.archived(callId);
    const { tool = "", subject = "" } = notes.get(callId) ?? {};
    return text === undefined ? [] : [{ callId, text: `[call:${callId} ${tool} ${subject}]\n${text}` }];
  });
}

/**
 * Rows in the order in which they are sent: each answer of the model with all its calls, then the results of these calls, then
 * whatever came in meanwhile. The client runs calls while the answer still streams, so it keeps `call 1, call 2, result 2, call
 * 3, result 3, result 1`. Rows do not say which answer they belong to. `sent` does: the same conversation in the form of the API.
 */
export function groupByAnswer(rows: readonly EngineMessage[], sent: unknown): readonly EngineMessage[] {
  const answers = findAnswers(rows, readSentAnswers(sent));
  const madeIn = new Map(rows.flatMap((row, at) => row.calls.map((callId) => [callId, answers[at]] as const)));
  const groups: Group[] = [];
  const opened = new Map<number, Group>();
  for (const [at, row] of rows.entries()) {
    const answer =
      row.role === "assistant"
        ? answers[at]
        : row.results.map((id) => madeIn.get(id)).find((number) => number !== undefined);
    const known = answer === undefined ? groups.at(-1) : opened.get(answer);
    const group = known ?? { said: [], results: [], others: [] };
    if (known === undefined) groups.push(group);
    if (answer !== undefined) opened.set(answer, group);
    if (row.role === "assistant") group.said.push(row);
    else if (answer !== undefined) group.results.push(row);
    else group.others.push(row);
  }
  return groups.flatMap(({ said, results, others }) => [...said, ...inOrderOfCalls(said, results), ...others]);
}

interface Group {
  readonly said: EngineMessage[];
  readonly results: EngineMessage[];
  readonly others: EngineMessage[];
}

interface SentAnswer {
  readonly calls: readonly string[];
  /** Texts that no row was found for yet. */
  readonly texts: string[];
}

function readSentAnswers(sent: unknown): readonly SentAnswer[] {
  const messages: readonly JsonObject[] = Array.isArray(sent) ? sent.filter(isObject) : [];
  return messages
    .filter(({ role }) => role === "assistant")
    .map((message) => {
      const blocks = listField(message, "content").filter(isObject);
      return {
        calls: blocks.filter(({ type }) => type === "tool_use").map((block) => textField(block, "id")),
        texts: blocks.filter(({ type }) => type === "text").map((block) => textField(block, "text")),
      };
    });
}

/** The number of the answer that each row of the model belongs to; `undefined` for other rows. */
function findAnswers(rows: readonly EngineMessage[], sent: readonly SentAnswer[]): readonly (number | undefined)[] {
  const numbers = new Map(sent.flatMap(({ calls }, number) => calls.map((callId) => [callId, number] as const)));
  const waiting = new Set<string>();
  let previous = -1;
  // Answers that only their own rows identify are numbered after those that the API was sent.
  let unnumbered = sent.length;
  return rows.map(({ role, calls, results, text }, at) => {
    for (const callId of results) waiting.delete(callId);
    if (role !== "assistant") {
      if (results.length > 0) return undefined;
      // A message of the person ends every answer.
      waiting.clear();
      previous = -1;
      return undefined;
    }
    // The text of an answer may come after its last result, right before the next answer.
    const isRest = text !== "" && sent[previous]?.texts.includes(text) === true;
    const goesOn = rows[at - 1]?.role === "assistant" || waiting.size > 0;
    const known = isRest ? previous : (findCalled(rows, at, numbers) ?? (goesOn ? previous : -1));
    const number = known >= 0 ? known : unnumbered++;
    takeText(sent[number], text);
    for (const callId of calls) waiting.add(callId);
    previous = number;
    return number;
  });
}

function findCalled(rows: readonly EngineMessage[], from: number, numbers: ReadonlyMap<string, number>) {
  for (let at = from; rows[at]?.role === "assistant"; at++) {
    const number = rows[at]?.calls.map((callId) => numbers.get(callId)).find((number) => number !== undefined);
    if (number !== undefined) return number;
  }
  return undefined;
}

/** Each text of an answer belongs to one row. */
function takeText(answer: SentAnswer | undefined, text: string): void {
  const at = answer?.texts.indexOf(text) ?? -1;
  if (at >= 0) answer?.texts.splice(at, 1);
}

function inOrderOfCalls(said: readonly EngineMessage[], results: readonly EngineMessage[]): readonly EngineMessage[] {
  const order = new Map(said.flatMap(({ calls }) => calls).map((callId, at) => [callId, at]));
  const placeOf = (row: EngineMessage): number => Math.min(...row.results.map((callId) => order.get(callId) ?? 0));
  return results.toSorted((left, right) => placeOf(left) - placeOf(right));
}
