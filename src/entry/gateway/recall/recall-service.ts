import { parseConversation } from "../../../wire/conversation.ts";
import type { Wire } from "../wire.ts";
import { describeShown } from "./restore-recalls.ts";
import {
  type AskedBack,
  callIdOf,
  isAsked,
  listShown,
  type RecalledCall,
  type RecalledRound,
  type Round,
} from "./round.ts";

export interface RecallService {
  readonly tool: string;
  readonly wire: Wire;
  /** Never rejects: if something cannot be fetched, the model gets an answer that says so. */
  answer(asked: AskedBack): Promise<RecalledCall>;
  /** The request again, with these messages added behind its own. */
  goOn(messages: readonly Uint8Array[]): readonly Buffer[] | Promise<readonly Buffer[]>;
  /** Stores the answer, so that it is in every later request; `false` if that failed. */
  keep(rounds: readonly RecalledRound[]): Promise<boolean>;
}

type Conversing = Pick<RecallService, "tool" | "wire">;

/** The answer and the results as they are in the next request and all later ones. */
export function renderRound(
  round: Round,
  { tool, wire }: Conversing,
  calls: readonly RecalledCall[],
): readonly Buffer[] {
  const { format } = wire;
  const written = new Map<object, Buffer>(round.blocks.map(({ raw, bytes }) => [raw, bytes]));
  const byId = new Map(calls.map((call) => [call.callId, call]));
  const content = round.blocks.flatMap((block): readonly object[] => {
    if (!isAsked(block, tool)) return [block.raw];
    const call = byId.get(callIdOf(block.raw));
    if (!call) return [];
    const { callId, input } = call;
    return [format.renderBlock({ kind: "toolCall", id: callId, callId, tool, input }, undefined)];
  });
  const results = calls.map(({ callId, parts, isError }) =>
    format.renderBlock({ kind: "toolResult", id: callId, callId, parts, isError }, undefined),
  );
  const render = (role: string, blocks: readonly object[]): Buffer =>
    wire.bytes.render({ role, content: blocks }, (raw) => written.get(raw));
  return [render("assistant", content), render("user", results)];
}

/** A description by which the round is recognised in what the client sends back. */
export function describeRound(round: Round, { tool, wire }: Conversing, calls: readonly RecalledCall[]): RecalledRound {
  const content = listShown(round, tool).map(({ raw }) => raw);
  const { messages } = parseConversation([{ role: "assistant", content }], wire.format);
  return { shown: messages.flatMap(({ blocks }) => blocks).map(describeShown), calls };
}
