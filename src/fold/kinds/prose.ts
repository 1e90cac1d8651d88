import type { Excerpt } from "../excerpt.ts";
import { extensionOf } from "../hint.ts";
import { type Kind, shareOf } from "../kind.ts";

/** Markdown and running text: headings, how each section begins, and the lines that name files, numbers or results. */
export const proseKind: Kind = {
  name: "prose",
  middle: "trouble",
  recognise({ lines, isNumbered }, hint) {
    if (/^(?:md|mdx|markdown|rst|adoc)$/.test(extensionOf(hint))) return 0.91;
    if (isNumbered) return 0;
    const headings = lines.filter((line) => HEADING.test(line)).length;
    const sentences = shareOf(lines, SENTENCE);
    const items = shareOf(lines, ITEM);
    const isReport = /^(?:task|agent|webfetch|websearch|exitplanmode)$/i.test(hint.tool ?? "");
    const share = sentences + items * 0.6 + (headings > 1 ? 0.25 : 0) + (isReport ? 0.3 : 0);
    return share > 0.4 ? Math.min(0.8, 0.25 + share * 0.5) : 0;
  },
  outline({ lines }) {
    const excerpts: Excerpt[] = [];
    let sinceHeading = 0;
    let inFence = false;
    for (const [line, text] of lines.entries()) {
      if (text.trim() === "") continue;
      if (FENCE.test(text)) {
        inFence = !inFence;
        continue;
      }
      sinceHeading++;
      const level = inFence ? 0 : (HEADING.exec(text)?.[1]?.length ?? 0);
      if (level > 0) {
        sinceHeading = 0;
        excerpts.push({ line, text, weight: 92 - level * 5, cut: 110 });
      } else excerpts.push({ line, text, weight: weigh(text, line, sinceHeading) - (inFence ? 18 : 0), cut: 150 });
    }
    const last = lines.findLastIndex((text) => text.trim() !== "");
    return [...excerpts, { line: last, text: lines[last] ?? "", weight: 48 }];
  },
};

const FENCE = /^\s{0,3}(?:```|~~~)/;
const HEADING = /^\s{0,3}(#{1,6})\s+\S/;
const SENTENCE = /^\s*(?:[-*>]\s+|\d+\.\s+)?[A-Z"“(*].{30,}[.!?:)*"”]\s*$/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/;
/** Files, code, figures and verdicts: what a reader acts on. */
const REFERENCE = /`\w|\/[\w.-]{1,60}\.\w|\.\w{1,4}:\d/;
const VERDICT =
  /\*\*\w|[Mm]ust|[Nn]ever|mportant|[Ww]arning|[Ee]rror|\b[Bb]ug|[Ff]ail|TODO|ecision|onclusion|[Ss]ummary|[Rr]esult/;

function weigh(text: string, line: number, sinceHeading: number): number {
  if (line === 0) return 80;
  const opening = sinceHeading === 1 ? 12 : 0;
  const content = (REFERENCE.test(text) ? 16 : 0) + (VERDICT.test(text) ? 8 : 0);
  return 24 + opening + content - Math.min(12, sinceHeading / 2);
}
