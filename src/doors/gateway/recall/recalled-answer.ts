import type { JsonObject } from "../../../core/json.ts";
import type { ResultPart } from "../../../core/message.ts";

/**
 * An answer in which the model fetched something back, as the model gave it. The client was shown one message without the calls:
 * this says where they stood, so that they stand there again in every later request.
 */
export interface RecalledAnswer {
  readonly kind: "recalled";
  /** The model's answers before it, as `list-answers.ts` chains them: nothing else in a conversation has that place. */
  readonly behind: string;
  /** One for each request upstream. All but the last end with calls that were answered here. */
  readonly rounds: readonly RecalledRound[];
}

export interface RecalledRound {
  /** What the client was shown of it, in order. */
  readonly shown: readonly ShownBlock[];
  readonly calls: readonly RecalledCall[];
}

export interface ShownBlock {
  readonly hash: string;
  /** Some clients send no thinking back, and no blank text. */
  readonly mayBeAbsent: boolean;
}

export interface RecalledCall {
  /** So many shown blocks stand before it. */
  readonly at: number;
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly parts: readonly ResultPart[];
  readonly isError: boolean;
  /** What it gave back or named, by hash: where one of these has not left a request, the call is not put back into it. */
  readonly needs?: readonly string[];
}
