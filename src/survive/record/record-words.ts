import { sliceWhole } from "../../core/clip-text.ts";
import type { UserWords } from "../../session/track-words.ts";
import { renderList, type Section } from "./section.ts";

/** Words up to this length are quoted whole; of longer ones the beginning, and every sentence that binds. */
const WHOLE_CHARACTERS = 2000;
const BEGINNING_CHARACTERS = 120;
const OTHER_CHARACTERS = 400;

const HEADING = "## The user's constraints, corrections and deadlines, word for word";

/**
 * What binds what comes after, word for word: the last to be cut. When it gets tight, messages shrink to the sentences of
 * them that bind before any of those goes; hence twice as many items as there are messages.
 */
export function createBindingSection(words: readonly UserWords[]): Section {
  // Urgency and corrections pass, constraints stand: they come first, the newest of each first.
  const binding = unique(words)
    .filter(isBinding)
    .sort((left, right) => rank(left) - rank(right) || right.request - left.request);
  const render = (count: number): string => {
    const whole = new Set(binding.slice(0, Math.max(0, count - binding.length)));
    return renderQuotes(HEADING, binding, count, (said) => (whole.has(said) ? renderWhole(said) : renderBinding(said)));
  };
  return { name: "binding", items: binding.length * 2, share: 0.5, most: 0.7, render };
}

/** The other prompts: the newest, the very first, then backwards in time. */
export function createOtherWordsSection(words: readonly UserWords[]): Section {
  const others = unique(words).filter((said) => !isBinding(said));
  const [first, ...rest] = others;
  const newest = rest.reverse();
  const ordered = first ? [...newest.slice(0, 1), first, ...newest.slice(1)] : [];
  return {
    name: "otherWords",
    items: ordered.length,
    share: 0.04,
    most: 0.25,
    render: (count) => renderQuotes("## The user's other words", ordered, count, renderOther),
  };
}

function unique(words: readonly UserWords[]): readonly UserWords[] {
  return [...new Map(words.map((said) => [said.text, said])).values()];
}

function isBinding({ constraints, urgency, frustrations, isCorrection }: UserWords): boolean {
  return constraints.length > 0 || urgency.length > 0 || frustrations.length > 0 || isCorrection;
}

function rank({ constraints }: UserWords): number {
  return constraints.length > 0 ? 0 : 1;
}

/** Chosen by importance, shown in the order they were said. */
function renderQuotes(
  heading: string,
  words: readonly UserWords[],
  count: number,
  render: (said: UserWords) => string,
): string {
  const shown = words.slice(0, count).sort((left, right) => left.request - right.request);
  return renderList(heading, shown.map(render));
}

function renderWhole(said: UserWords): string {
  return said.text.length <= WHOLE_CHARACTERS ? renderQuote(said.request, said.text) : renderBinding(said);
}

/** The beginning, for what it was about, then every sentence that binds. */
function renderBinding({ request, text, constraints, urgency, frustrations }: UserWords): string {
  if (text.length <= BEGINNING_CHARACTERS) return renderQuote(request, text);
  const beginning = sliceWhole(text, BEGINNING_CHARACTERS);
  const binding = [...constraints, ...urgency, ...frustrations];
  const sentences = [...new Set(binding)].filter((sentence) => !beginning.includes(sentence));
  return renderQuote(request, [`${beginning}… [${text.length} characters, cut]`, ...sentences].join("\n"));
}

function renderOther({ request, text }: UserWords): string {
  if (text.length <= WHOLE_CHARACTERS) return renderQuote(request, text);
  return renderQuote(request, `${sliceWhole(text, OTHER_CHARACTERS)}… [${text.length} characters, cut]`);
}

/** Quoted line by line, so that no word of it can be taken for a heading of ours. */
function renderQuote(request: number, text: string): string {
  return `after request ${request}:\n${text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n")}`;
}
