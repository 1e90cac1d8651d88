const MIN_HEADINGS = 2;
/** Nobody types so many lines: a plan, a review, a log or a screen. */
const MIN_LINES = 30;

/** Whether a prompt is a document that was pasted, whose sentences are its own and not the person's. */
export function isPasted(prompt: string): boolean {
  const lines = prompt.split("\n");
  return lines.length >= MIN_LINES || lines.filter((line) => /^\s*#{1,6} /.test(line)).length >= MIN_HEADINGS;
}
