const MAX_RESULTS = 64;
/** A path longer than any system opens is not taken apart. */
const MAX_CHARACTERS = 4096;

/** `{a,b}/c` as `a/c` and `b/c`, nested ones as well; at most 64, the rest is left out. */
export function expandBraces(text: string): readonly string[] {
  if (!text.includes("{") || text.length > MAX_CHARACTERS) return [text];
  const results: string[] = [];
  const waiting = [text];
  for (let steps = 0; waiting.length > 0 && results.length < MAX_RESULTS; steps++) {
    const next = waiting.pop() ?? "";
    const group = steps < MAX_RESULTS * 4 ? findGroup(next) : undefined;
    if (group === undefined) results.push(next);
    else {
      const { open, close } = group;
      const parts = next.slice(open + 1, close).split(",");
      for (const part of parts.reverse()) waiting.push(next.slice(0, open) + part + next.slice(close + 1));
    }
  }
  return results;
}

/** The group that is closed first, so that there is none inside it. */
function findGroup(text: string): { readonly open: number; readonly close: number } | undefined {
  const opened: { readonly open: number; hasComma: boolean }[] = [];
  for (let at = 0; at < text.length; at++) {
    const last = opened.at(-1);
    if (text[at] === "{") opened.push({ open: at, hasComma: false });
    else if (text[at] === "," && last !== undefined) last.hasComma = true;
    else if (text[at] === "}" && opened.pop()?.hasComma === true && last !== undefined)
      return { open: last.open, close: at };
  }
  return undefined;
}
