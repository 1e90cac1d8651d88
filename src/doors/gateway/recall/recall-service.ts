import { createBlockIds } from "../../../core/block-id.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Message } from "../../../core/message.ts";
import type { WireMessage } from "../../../wire/conversation.ts";
import type { Wire } from "../wire.ts";
import type { RecalledCall, RecalledRound } from "./recalled-answer.ts";
import { describeShown } from "./restore-recalls.ts";
import { type AskedBack, callIdOf, isAsked, listShown, type Round } from "./round.ts";

/** What `recall` needs of the request that it was called in. */
export interface RecallService {
  /** The tool's name in this conversation. */
  readonly tool: string;
  readonly wire: Wire;
  /** Never rejects: what cannot be had is an answer that the model can read. */
  answer(asked: AskedBack): Promise<RecalledCall>;
  /** The request again, with these messages behind its own. */
  goOn(messages: readonly WireMessage[]): readonly Buffer[] | Promise<readonly Buffer[]>;
  /** Keeps the answer, so that it stands in every later request; `false` where that failed. */
  keep(rounds: readonly RecalledRound[]): Promise<boolean>;
}

type Conversing = Pick<RecallService, "tool" | "wire">;

/** The answer and the results, as they go on in the next request and stand in all later ones. */
export function renderRound(
  round: Round,
  { tool, wire }: Conversing,
  calls: readonly RecalledCall[],
): readonly WireMessage[] {
  const { format } = wire;
  const byId = new Map(calls.map((call) => [call.callId, call]));
  const content = round.blocks.flatMap((block): readonly object[] => {
    if (!isAsked(block, tool)) return [block];
    const call = byId.get(callIdOf(block));
    if (!call) return [];
    const { callId, input } = call;
    return [format.renderBlock({ kind: "toolCall", id: callId, callId, tool, input }, undefined)];
  });
  const results = calls.map(({ callId, parts, isError }) =>
    format.renderBlock({ kind: "toolResult", id: callId, callId, parts, isError }, undefined),
  );
  return [
    { role: "assistant", content },
    { role: "user", content: results },
  ];
}

/** A round as it is known again in what the client sends back. */
export function describeRound(round: Round, { tool, wire }: Conversing, calls: readonly RecalledCall[]): RecalledRound {
  return { shown: parseAnswer(listShown(round, tool), wire).map(describeShown), calls };
}

function parseAnswer(content: readonly JsonObject[], { format }: Wire): Message["blocks"] {
  return format.parseMessage({ role: "assistant", content }, createBlockIds()).blocks.map(({ block }) => block);
}
