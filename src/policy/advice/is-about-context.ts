/** How people ask about the window, in lower-case words with one space around each. "A compact table" is not about it. */
const ABOUT: readonly RegExp[] = [
  / (?:\/compact|compaction|compacting|compacted|autocompact) /,
  /(?<! (?:a|an|the|more|most|less|very|so|too|as|it|is|are|be)) compact /,
  / context (?:window|usage|limit|size|left|full|budget|health) /,
  / context (?:\S+ ){0,2}(?:left|full|remains) /,
  / clear (?:\S+ )?context /,
  / (?:running|run|ran) out of context /,
];

/** A longer prompt, such as a plan or a pasted issue, mentions the window among other things. */
const MOST_CHARACTERS = 400;

/** Whether a prompt is about the context window: its size, its limit, compacting or clearing it. */
export function isAboutContext(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const words = ` ${text.toLowerCase().replaceAll(/[^a-z/]+/g, " ")} `;
  return ABOUT.some((pattern) => pattern.test(words));
}
