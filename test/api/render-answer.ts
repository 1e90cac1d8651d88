import { countTokens, type ReportedUsage } from "./prompt-cache.ts";
import type { Answer, AnswerBlock, Usage } from "./scenario.ts";

/** A whole answer as the API gives it without streaming. */
export interface RenderedMessage {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly AnswerBlock[];
  readonly stop_reason: string;
  readonly stop_sequence: null;
  readonly usage: ReportedUsage & { readonly service_tier: "standard" };
}

export interface AnswerPlace {
  readonly model: string;
  /** Unique per conversation and reply, such as `main_3`; message and tool ids are made from it. */
  readonly label: string;
  readonly usage: ReportedUsage;
  readonly scale: number;
}

export function renderAnswer(answer: Answer, place: AnswerPlace): RenderedMessage {
  const content = answer.content.map((block, index) => withId(block, `toolu_${place.label}_${index}`));
  const output = Math.round(countTokens(content.reduce((sum, block) => sum + lengthOf(block), 0)) * place.scale);
  const counted = { ...place.usage, output_tokens: Math.max(1, output) };
  return {
    id: `msg_${place.label}`,
    type: "message",
    role: "assistant",
    model: place.model,
    content,
    stop_reason: answer.stopReason ?? (content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn"),
    stop_sequence: null,
    usage: { ...override(counted, answer.usage ?? {}), service_tier: "standard" },
  };
}

/** A scripted number of written tokens must agree with its split by time to live. */
function override(counted: ReportedUsage, scripted: Partial<Usage>): ReportedUsage {
  const usage = { ...counted, ...scripted };
  if (scripted.cache_creation_input_tokens === undefined) return usage;
  return {
    ...usage,
    cache_creation: {
      ephemeral_5m_input_tokens: scripted.cache_creation_input_tokens,
      ephemeral_1h_input_tokens: 0,
    },
  };
}

function withId(block: AnswerBlock, id: string): AnswerBlock {
  return block.type === "tool_use"
    ? { type: block.type, id: block.id ?? id, name: block.name, input: block.input }
    : block;
}

function lengthOf(block: AnswerBlock): number {
  if (block.type === "text") return block.text.length;
  if (block.type === "thinking") return block.thinking.length;
  return block.name.length + JSON.stringify(block.input).length;
}
