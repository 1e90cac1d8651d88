import type { ExtractedMemory } from "../../library/prompt/memory/merge-memories.ts";

/** What a model's answer holds: a summary with the memories from the same pass, or why it is of no use. */
export type SummaryAnswer =
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
