import type { SessionStore } from "../../../files/artifacts/create-session-store.ts";
import type { CallVocabulary } from "../../../layers/history/vocabulary.ts";
import { countRoom } from "../../../policy/collapse-due.ts";
import type { InjectionState } from "../../../policy/policy-state.ts";
import type { Happened } from "../../../survive/record/continuation.ts";
import { type EngineConversation, readConversation } from "../conversation.ts";
import type { KnownConversation } from "../memory-file.ts";
import type { EngineMessage } from "./compaction-event.ts";
import { groupByAnswer } from "./group-by-answer.ts";
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
