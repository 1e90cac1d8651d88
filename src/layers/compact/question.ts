import type { Message } from "../../core/message.ts";
import type { ExtractedMemory } from "../../library/prompt/memory/merge-memories.ts";

/** What to ask a model, as data: whoever has one asks it. */
export interface Question {
  /** The same span gives the same id: an answer that comes late is still known by it. */
  readonly id: string;
  /** Message ids of the span that the answer will replace. */
  readonly first: string;
  readonly last: string;
  readonly messages: readonly Message[];
  readonly instructions: string;
  /** What the span weighs: an answer must weigh less. */
  readonly tokens: number;
  /** What the answer may take; reserved in the window until then. */
  readonly maxOutputTokens: number;
  /** Names the span word for word. */
  readonly handle: string;
}

/** Until a person's own sizes are known: 99.99 of 100 summaries had at most 17,387 tokens. */
export const RESERVED_TOKENS = 20_000;

/** Both parts in one answer, so that nothing is summarised without what lasts being taken out of it. */
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

/** What a model's answer holds: a summary with the memories from the same pass, or why it is of no use. */
type SummaryAnswer =
  | { readonly kind: "usable"; readonly summary: string; readonly memories: readonly ExtractedMemory[] }
  | { readonly kind: "useless"; readonly why: string };

export function parseAnswer(text: string): SummaryAnswer {
  const summary = findTag(text, "summary");
  if (summary === undefined) return useless("the answer has no <summary>");
  if (summary === "") return useless("the summary is empty");
  const memories = findTag(text, "memories");
  // Never the one without the other: what lasts would leave with what does not.
  if (memories === undefined) return useless("the answer has no <memories>");
  return { kind: "usable", summary, memories: parseMemories(memories) };
}

/** From the first opening to the last closing tag: a summary may itself speak of tags. */
function findTag(text: string, tag: string): string | undefined {
  const from = text.indexOf(`<${tag}>`);
  const to = text.lastIndexOf(`</${tag}>`);
  return from < 0 || to < from ? undefined : text.slice(from + tag.length + 2, to).trim();
}

/** Where a line names no topic. */
const DEFAULT_TOPIC = "General";
/** `Release: tag before publishing`. A topic is short; `https://…` is none. */
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
