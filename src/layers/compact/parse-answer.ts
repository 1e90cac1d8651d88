/** What a model's answer holds: a summary with the memories from the same pass, or why it is of no use. */
export type SummaryAnswer =
  | { readonly kind: "usable"; readonly summary: string; readonly memories: readonly string[] }
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

function parseMemories(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/^\s*[-*]\s+/, "").trim())
    .filter((line) => line !== "" && !/^\(?none\)?\.?$/i.test(line));
}

function useless(why: string): SummaryAnswer {
  return { kind: "useless", why };
}
