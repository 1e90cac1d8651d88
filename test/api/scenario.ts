import type { ApiRequest } from "./api-request.ts";
import type { PromptCache } from "./prompt-cache.ts";
import type { Pace } from "./stream-events.ts";

/**
 * What a scripted API answers, as data. A scenario holds one script per conversation lane; a script is a list of
 * replies, taken one per request. A client that retries after an error takes the next reply.
 */

/** The conversations that one client holds with the API at the same time; each has its own script. */
export type LaneName = "main" | "subagent" | "compaction" | "note";

type StopReason = "end_turn" | "tool_use" | "max_tokens" | "stop_sequence" | "refusal" | "pause_turn";

interface TextBlock {
  readonly type: "text";
  readonly text: string;
  /** Of documents or of a search; a stream gives them after the text, one by one. */
  readonly citations?: readonly object[];
}

export interface ThinkingBlock {
  readonly type: "thinking";
  readonly thinking: string;
  readonly signature: string;
}

export interface ToolUseBlock {
  readonly type: "tool_use";
  /** Left out: the API makes one from lane and reply, such as `toolu_main_3_0`, so that recordings are repeatable. */
  readonly id?: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export type AnswerBlock = TextBlock | ThinkingBlock | ToolUseBlock;

export interface Usage {
  readonly input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly output_tokens: number;
}

export interface Answer {
  readonly kind: "answer";
  readonly content: readonly AnswerBlock[];
  /** Left out: `tool_use` where the content calls a tool, else `end_turn`. */
  readonly stopReason?: StopReason;
  /** Fields set here replace the computed ones; the rest stays honest. */
  readonly usage?: Partial<Usage>;
  /** Such as those by which the API reports an account's limits. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error the API answers with a status and a JSON body, before any stream begins. */
export interface Refusal {
  readonly kind: "refusal";
  readonly status: number;
  readonly errorType: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A stream that begins well and breaks after `afterEvents` events. */
export interface BrokenStream {
  readonly kind: "broken";
  /** `reset` kills the connection, `half_frame` ends it inside a frame, `error_event` sends the API's own error event. */
  readonly how: "reset" | "half_frame" | "error_event";
  readonly answer: Answer;
  readonly afterEvents: number;
}

/** A request that is accepted and never answered; `close()` ends it. */
export interface Hang {
  readonly kind: "hang";
}

export type Reply = Answer | Refusal | BrokenStream | Hang;

/** A list of replies, or a function that decides each one from the request. */
export type Script = readonly Reply[] | ((request: ApiRequest, replyIndex: number) => Reply);

export interface Scenario {
  readonly main: Script;
  /** The n-th subagent to appear runs the n-th script; further ones run the last. */
  readonly subagents?: readonly Script[];
  /** Left out: every compaction request is answered with a short generic summary. */
  readonly compaction?: Script;
  /** Left out: whoever asks for a note in the model's own words is refused. */
  readonly note?: Script;
  /**
   * Multiplies the computed tokens of messages and answers (not of system prompt, tools and the client's own
   * reminders), so that a small fixture reports a large context that starts at a true size. 1 unless set.
   */
  readonly scale?: number;
  /** How answers are streamed: in pieces without pauses unless set; `play` and the terminal set pauses. */
  readonly pace?: Pace;
  /** The clock of the prompt cache, for scenarios in which a prefix is to expire. Left out: nothing ever does. */
  readonly nowMs?: () => number;
  /** Counts the requests in place of the API's own prompt cache; `scale` and `nowMs` then say nothing of them. */
  readonly cache?: PromptCache;
}
