import { createLineFinder } from "../choose-lines.ts";
import { type Excerpt, HEAD } from "../excerpt.ts";
import { extensionOf } from "../hint.ts";
import { type Kind, shareOf } from "../kind.ts";
import { listOdd } from "../odd-rows.ts";
import { renderAlike, surveyLines } from "../survey-lines.ts";

/** HTML, XML and SVG: title, headings, named elements and links; otherwise the outermost elements. */
export const markupKind: Kind = {
  name: "markup",
  recognise({ lines, start, isNumbered }, hint) {
    if (/^(?:html?|xml|svg|xhtml|plist|xsd|xsl|csproj|pom)$/.test(extensionOf(hint))) return 0.92;
    if (/^<(?:!doctype|\?xml|html|svg)/i.test(start)) return 0.93;
    return isNumbered ? 0 : shareOf(lines, /^\s*<\/?[a-zA-Z!][^>]{0,200}>?/, 0.6) * 0.8;
  },
  outline({ lines, isPartial }) {
    // Joins the chosen lines only, so that matches have their line numbers.
    const source = lines.join("\n").slice(0, MAX_SOURCE);
    const pieces = listPieces(source);
    const lineOf = createLineFinder(source);
    const byLine = new Map<number, Excerpt>();
    for (const { at, text: piece, weight } of pieces) {
      const line = lineOf(at);
      const known = byLine.get(line);
      const whole = known ? `${known.text} ${piece}` : piece;
      byLine.set(line, { line, text: whole, weight: Math.max(weight, known?.weight ?? 0), cut: 200 });
    }
    const survey = surveyLines(lines);
    const outer = lines.flatMap((line, index): readonly Excerpt[] => {
      const depth = survey.isFirst(index) ? /^(\s{0,40})<[a-zA-Z!?]/.exec(line)?.[1]?.length : undefined;
      if (depth === undefined) return [];
      const remark = renderAlike(survey.countLike(index), isPartial);
      return [{ line: index, text: line, remark, weight: Math.max(8, 46 - depth * 3), cut: 140 }];
    });
    const words = source.length > 200 ? [{ line: HEAD, text: summarise(source), weight: 90 }] : [];
    // Shows its text pieces if it has any.
    const odd = listOdd(survey, MAX_ODD).map((line): Excerpt => {
      return { line, text: byLine.get(line)?.text ?? lines[line] ?? "", weight: 91, cut: 200 };
    });
    return [
      ...words,
      ...odd,
      ...byLine.values(),
      ...outer,
      { line: lines.length - 1, text: lines.at(-1) ?? "", weight: 30 },
    ];
  },
};

/** Enough for the structure of a page; its lines are shown from all of it. */
const MAX_SOURCE = 60_000;
const MAX_ODD = 3;
const PIECE =
  /<(title|h[1-6]|a|script|link|form|input|button|img|meta|section|main|nav|id|name|loc|dependency|artifactId|version|url)\b([^>]{0,300})>([^<]{0,160})/gi;
const MARKS = /\b(?:href|src|id|name|action|content|property)=["'][^"']{1,160}["']/gi;
const WEIGHTS: Readonly<Record<string, number>> = {
  title: 96,
  h1: 92,
  h2: 84,
  h3: 76,
  h4: 66,
  a: 48,
  form: 60,
  section: 50,
  main: 50,
};

function listPieces(source: string) {
  return [...source.matchAll(PIECE)].flatMap(({ 1: name = "", 2: attributes = "", 3: inner = "", index = 0 }) => {
    const words = inner.replace(/\s{1,200}/g, " ").trim();
    const named = attributes.includes("=") ? (attributes.match(MARKS) ?? []).slice(0, 2).join(" ") : "";
    if (words === "" && named === "") return [];
    const tag = name.toLowerCase();
    return [{ at: index, text: `<${tag}${named && ` ${named}`}> ${words}`, weight: WEIGHTS[tag] ?? 36 }];
  });
}

function summarise(source: string): string {
  const counts = new Map<string, number>();
  for (const [, name = ""] of source.matchAll(/<([a-zA-Z][\w:-]{0,40})/g))
    counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = [...counts].sort((left, right) => right[1] - left[1]).slice(0, 8);
  return `elements: ${most.map(([name, count]) => `${name} ${count}`).join(", ")}`;
}
