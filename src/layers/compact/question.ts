import type { Message } from "../../core/message.ts";
import type { ExtractedMemory } from "../../library/prompt/memory/merge-memories.ts";

/** What to ask a model, as data; the caller does the asking. */
export interface Question {
  /** The same span gives the same id, so that a late answer can still be matched. */
  readonly id: string;
  readonly first: string;
  readonly last: string;
  readonly messages: readonly Message[];
  readonly instructions: string;
  /** The span's size: an answer must be smaller. */
  readonly tokens: number;
  /** Maximum size of the answer; reserved in the window until it arrives. */
  readonly maxOutputTokens: number;
  readonly handle: string;
}

/** Used until a person's own sizes are known: 99.99 % of summaries had at most 17,387 tokens. */
export const RESERVED_TOKENS = 20_000;

/** Asks for both parts in one answer, so that nothing is summarised without extracting lasting facts. */
export const INSTRUCTIONS = `Summarise the conversation above so that the work can go on without it. Do not call tools.
Answer with exactly these two parts:

<summary>
What the user asked for, in their words where it matters. What was done, with paths and lines. What was decided, and why.
What was tried and failed, one line each. What is still open, and the very next step (file, line, symbol).
</summary>
<memories>
What will still be true in other sessions: preferences, conventions, decisions, facts about the project. One per line, a topic
of one or two words first: "- Release: tag before publishing". Write "none" where there is nothing.
</memories>

Keep every number, name and path exactly. Leave out file contents and tool output: they can be fetched again.`;

/** A model's answer: a summary with the memories from the same pass, or why it is unusable. */
type SummaryAnswer =
  | { readonly kind: "usable"; readonly summary: string; readonly memories: readonly ExtractedMemory[] }
  | { readonly kind: "useless"; readonly why: string };

export function parseAnswer(text: string): SummaryAnswer {
  const summary = findTag(text, "summary");
  if (summary === undefined) return useless("the answer has no <summary>");
  if (summary === "") return useless("the summary is empty");
  const memories = findTag(text, "memories");
  // Never one without the other: lasting facts would be lost with the rest.
  if (memories === undefined) return useless("the answer has no <memories>");
  return { kind: "usable", summary, memories: parseMemories(memories) };
}

/** From the first opening to the last closing tag, because a summary may itself mention tags. */
function findTag(text: string, tag: string): string | undefined {
  const from = text.indexOf(`<${tag}>`);
  const to = text.lastIndexOf(`</${tag}>`);
  return from < 0 || to < from ? undefined : text.slice(from + tag.length + 2, to).trim();
}

const DEFAULT_TOPIC = "General";
/** `Release: tag before publishing`. A topic is short, and `https://…` is not one. */
const TOPIC = /^([^:\n]{1,40}):\s+(\S.*)$/;

function parseMemories(text: string): readonly ExtractedMemory[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^\s*[-*]\s+/, "").trim())
    .filter((line) => line !== "" && !/^\(?none\)?\.?$/i.test(line))
    .map((line) => {
      const [, topic = DEFAULT_TOPIC, lesson = line] = TOPIC.exec(line) ?? [];
      return { topic, text: lesson };
    });
}

function useless(why: string): SummaryAnswer {
  return { kind: "useless", why };
}
