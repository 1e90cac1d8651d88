import type { Arrival, ArrivalSource, Compaction, Microcompaction, Output } from "../../src/core/event.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Block, TextBlock, ThinkingBlock, ToolCallBlock } from "../../src/core/message.ts";
import { type Usage, zeroUsage } from "../../src/core/usage.ts";

/**
 * Builders of what happens in a session, for tests that read like a transcript:
 *
 *     [prompt("fix it"), answer("s1", usage({ read: 20_000 }), called("Read", "c1")), result("Read", "c1", "text")]
 */

export const CLASSIC = "claude-sonnet-4-5";
export const DENSE = "claude-opus-5";

/** Where and when something was told; nowhere and never unless a test says so. */
interface Stamp {
  readonly origin?: string;
  readonly atMs?: number;
}

export function usage(counts: {
  readonly input?: number;
  readonly read?: number;
  readonly write5m?: number;
  readonly write1h?: number;
  readonly output?: number;
}): Usage {
  return {
    inputTokens: counts.input ?? 0,
    cacheReadTokens: counts.read ?? 0,
    cacheWrite5mTokens: counts.write5m ?? 0,
    cacheWrite1hTokens: counts.write1h ?? 0,
    outputTokens: counts.output ?? 0,
  };
}

interface AnswerOptions extends Stamp {
  readonly model?: string;
  readonly isOutputFinal?: boolean;
}

/** One line of an answer; the lines of a split one share their step's id. `undefined` for a line that tells no usage. */
export function answer(
  stepId: string,
  used: Usage | undefined,
  blocks: readonly Block[] = [],
  options: AnswerOptions = {},
): Output {
  const { origin = "", atMs, model = CLASSIC, isOutputFinal = true } = options;
  return { kind: "output", origin, atMs, stepId, model, usage: used, isOutputFinal, blocks };
}

/** A request that carried so many tokens, all of them from the cache. */
export function request(stepId: string, contextTokens: number, options: AnswerOptions = {}): Output {
  return answer(stepId, { ...zeroUsage, cacheReadTokens: contextTokens }, [], options);
}

export function said(text: string): TextBlock {
  return { kind: "text", id: "", text, author: "model" };
}

export function thought(text: string, signature = ""): ThinkingBlock {
  return { kind: "thinking", id: "", text, signature };
}

export function called(tool: string, callId: string, input: JsonObject = {}): ToolCallBlock {
  return { kind: "toolCall", id: "", callId, tool, input };
}

interface ResultOptions extends Stamp {
  readonly isError?: boolean;
}

export function result(tool: string, callId: string, text: string, options: ResultOptions = {}): Arrival {
  const parts = [{ kind: "text", text }] as const;
  return arrive(
    "toolResult",
    tool,
    { kind: "toolResult", id: "", callId, parts, isError: options.isError ?? false },
    options,
  );
}

export function prompt(text: string, stamp: Stamp = {}): Arrival {
  return arrive("prompt", "prompt", { kind: "text", id: "", text, author: "person" }, stamp);
}

/** What the host put in: an attachment, a reminder, or the summary that stands for what was compacted. */
export function injected(source: "attachment" | "reminder" | "summary", text: string, stamp: Stamp = {}): Arrival {
  return arrive(source, source, { kind: "text", id: "", text, author: "host" }, stamp);
}

function arrive(source: ArrivalSource, label: string, block: Block, { origin = "", atMs }: Stamp): Arrival {
  return { kind: "arrival", origin, atMs, source, label, role: "user", block, detail: undefined };
}

interface BoundaryOptions extends Stamp {
  readonly trigger?: string;
  readonly preTokens?: number;
  readonly postTokens?: number;
  readonly preserved?: readonly string[];
}

export function compacted(options: BoundaryOptions = {}): Compaction {
  const { origin = "", atMs, trigger = "auto", preTokens, postTokens, preserved = [] } = options;
  return { kind: "compaction", origin, atMs, trigger, preTokens, postTokens, durationMs: undefined, preserved };
}

export function clearedInPlace(savedTokens: number): Microcompaction {
  return {
    kind: "microcompaction",
    origin: "",
    atMs: undefined,
    preTokens: undefined,
    savedTokens,
    clearedCallIds: [],
  };
}
