import { createBlockIds } from "../../../core/block-id.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { Message } from "../../../core/message.ts";
import type { WireMessage } from "../../../wire/conversation.ts";
import { FORMAT } from "../request/parse-request.ts";
import type { RecalledCall, RecalledRound } from "./recalled-answer.ts";
import { describeShown } from "./restore-recalls.ts";
import { type AskedBack, listShown, type Round } from "./round.ts";

/** What `recall` needs of the request that it was called in. */
export interface RecallService {
  /** The tool's name in this conversation. */
  readonly tool: string;
  /** Never rejects: what cannot be had is an answer that the model can read. */
  answer(asked: AskedBack): Promise<RecalledCall>;
  /** The request again, with these messages behind its own. */
  goOn(messages: readonly WireMessage[]): readonly Buffer[];
  /** Keeps the answer, so that it stands in every later request; `false` where that failed. */
  keep(rounds: readonly RecalledRound[]): Promise<boolean>;
}

/** The answer and the results, as they go on in the next request and stand in all later ones. */
export function renderRound(round: Round, tool: string, calls: readonly RecalledCall[]): readonly WireMessage[] {
  const byId = new Map(calls.map((call) => [call.callId, call]));
  const content = round.blocks.flatMap((block): readonly object[] => {
    const call = block.type === "tool_use" && block.name === tool ? byId.get(String(block.id)) : undefined;
    if (!call) return block.type === "tool_use" && block.name === tool ? [] : [block];
    const { callId, input } = call;
    return [FORMAT.renderBlock({ kind: "toolCall", id: callId, callId, tool, input }, undefined)];
  });
  const results = calls.map(({ callId, parts, isError }) =>
    FORMAT.renderBlock({ kind: "toolResult", id: callId, callId, parts, isError }, undefined),
  );
  return [
    { role: "assistant", content },
    { role: "user", content: results },
  ];
}

/** A round as it is known again in what the client sends back. */
export function describeRound(round: Round, tool: string, calls: readonly RecalledCall[]): RecalledRound {
  return { shown: parseAnswer(listShown(round, tool)).map(describeShown), calls };
}

function parseAnswer(content: readonly JsonObject[]): Message["blocks"] {
  return FORMAT.parseMessage({ role: "assistant", content }, createBlockIds()).blocks.map(({ block }) => block);
}
