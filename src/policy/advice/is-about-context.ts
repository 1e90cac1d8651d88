/** Words after "context" with which people ask about the window. */
const ASPECTS = new Set(["window", "usage", "limit", "size", "left", "full", "budget", "health"]);

/** Words before the adjective: "a compact table" is not about the window. */
const DESCRIBES = new Set("a an the more most less very so too as it is are be".split(" "));

const COMPACTING = new Set(["compaction", "compacting", "compacted", "autocompact"]);

/** Whether a prompt is about the context window: its size, its limit, compacting or clearing it. */
export function isAboutContext(text: string): boolean {
  const words = text
    .toLowerCase()
    .split(/[^a-z/]+/)
    .filter((word) => word !== "");
  return words.some((word, index) => {
    const before = words[index - 1] ?? "";
    const after = words[index + 1] ?? "";
    if (word === "/compact" || COMPACTING.has(word)) return true;
    if (word === "compact") return !DESCRIBES.has(before);
    if (word !== "context") return false;
    return ASPECTS.has(after) || isLeft(words, index) || isClearing(words, index) || isRunningOut(words, index);
  });
}

/** "how much context is left", "context is almost full". */
function isLeft(words: readonly string[], index: number): boolean {
  return words.slice(index + 1, index + 4).some((word) => word === "left" || word === "full" || word === "remains");
}

/** "clear context", "clear the context". */
function isClearing(words: readonly string[], index: number): boolean {
  return words.slice(Math.max(0, index - 2), index).includes("clear");
}

/** "running out of context", "out of context window". */
function isRunningOut(words: readonly string[], index: number): boolean {
  const [running, out, of] = words.slice(Math.max(0, index - 3), index);
  return (running === "running" || running === "run" || running === "ran") && out === "out" && of === "of";
}
