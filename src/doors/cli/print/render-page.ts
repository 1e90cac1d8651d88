import type { Terminal } from "../command.ts";
import { paint, renderSafely } from "./style.ts";

/** Headings of the pages a model reads, so that a person finds them too: Markdown's, and lines that a sign begins. */
const HEADING = /^(?:#{1,6} |═|[^\p{ASCII}…] ?\p{Lu})/u;

/** A text made for a model, on a person's terminal: line by line without anything that steers it, headings in bold. */
export function renderPage(text: string, terminal: Terminal): string {
  return text
    .split("\n")
    .map((line) => {
      const shown = `${line.slice(0, line.search(/\S|$/))}${renderSafely(line)}`;
      return HEADING.test(shown) ? paint(terminal, "bold", shown) : shown;
    })
    .join("\n");
}
