import type { Arrival } from "../../src/core/event.ts";
import type { JsonObject } from "../../src/core/json.ts";
import type { Block } from "../../src/core/message.ts";
import type { Recording, Step } from "../../src/measure/recording.ts";
import type { AnswerBlock } from "../api/scenario.ts";
import { withoutAdded } from "../laws/things.ts";

/** One recorded request as it is played: what the person says before it, and what the API answers. */
export interface ScriptStep {
  readonly answer: readonly AnswerBlock[];
  /** Blocks of the Messages API; empty where the request follows from the results before it. */
  readonly prompt: readonly JsonObject[];
  readonly promptAtMs: number;
  readonly atMs: number;
  readonly model: string;
}

/** What a tool returned, for the plugins that return it again. */
export interface ScriptResult {
  readonly callId: string;
  readonly tool: string;
  readonly content: string | readonly JsonObject[];
  readonly isError: boolean;
  readonly atMs: number;
  /** The host's own structured record of the result. */
  readonly detail: JsonObject | undefined;
}

/** A recorded session as a play: lines for the API, for the person and for the tools. */
export interface SessionScript {
  readonly steps: readonly ScriptStep[];
  readonly results: ReadonlyMap<string, ScriptResult>;
  /** Summaries in the client's own words, in their order. */
  readonly summaries: readonly string[];
}

/** What is said where the recording goes on and nobody said why: a compaction by hand, mostly. */
const GO_ON = "Continue.";

export function scriptSession({ steps, waiting }: Recording): SessionScript {
  const arrivals = [...steps.flatMap((step) => step.arrivals), ...waiting];
  const summaries = arrivals.flatMap(({ source, block }) =>
    source === "summary" && block.kind === "text" ? [block.text] : [],
  );
  let atMs = 0;
  const played = steps.map((step, index): ScriptStep => {
    const before = steps[index - 1];
    const prompt = readPrompt(step, before);
    const promptAtMs = Math.max(atMs, prompt.atMs ?? atMs);
    // Lines are not always written in the order of their times, and a clock that runs backwards would warm a cache.
    atMs = Math.max(promptAtMs, step.atMs ?? 0);
    return { answer: step.outputs.flatMap(toAnswer), prompt: prompt.blocks, promptAtMs, atMs, model: step.model };
  });
  const results = new Map(arrivals.flatMap(readResult).map((result) => [result.callId, result]));
  return { steps: played.map(speak), results, summaries };
}

/** What the host put in by itself is the client's to put in again; a session that begins with a summary begins with its words. */
function readPrompt(step: Step, before: Step | undefined) {
  const isOpening = before === undefined;
  const said = step.arrivals.filter(({ source }) => source === "prompt" || (isOpening && source === "summary"));
  const blocks = said.flatMap(({ block }) => toPromptBlock(block));
  const isAwaited = isOpening || !before.outputs.some(({ kind }) => kind === "toolCall");
  const atMs = said.find((arrival) => arrival.atMs !== undefined)?.atMs ?? step.atMs;
  return { blocks: blocks.length === 0 && isAwaited ? [{ type: "text", text: GO_ON }] : blocks, atMs };
}

function toPromptBlock(block: Block): readonly JsonObject[] {
  if (block.kind === "text") return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
  return block.kind === "image" ? [block.raw] : [];
}

function toAnswer(block: Block): readonly AnswerBlock[] {
  switch (block.kind) {
    case "text":
      return block.text === "" ? [] : [{ type: "text", text: block.text }];
    case "thinking":
      return [{ type: "thinking", thinking: block.text, signature: block.signature }];
    case "toolCall":
      return [{ type: "tool_use", id: block.callId, name: block.tool, input: withoutAdded(block.input) }];
    default:
      return [];
  }
}

/** An answer of thoughts alone is none to the client, which would ask again. */
function speak(step: ScriptStep): ScriptStep {
  const isSilent = step.answer.every(({ type }) => type === "thinking");
  return isSilent ? { ...step, answer: [...step.answer, { type: "text", text: "…" }] } : step;
}

function readResult({ block, label, atMs, detail }: Arrival): readonly ScriptResult[] {
  if (block.kind !== "toolResult") return [];
  const { callId, parts, isError } = block;
  const [first] = parts;
  const content =
    parts.length === 1 && first?.kind === "text"
      ? first.text
      : parts.map((part): JsonObject => (part.kind === "text" ? { type: "text", text: part.text } : part.raw));
  return [{ callId, tool: label, content, isError, atMs: atMs ?? 0, detail }];
}
