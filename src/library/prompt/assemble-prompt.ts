import { hashText } from "../../core/hash.ts";
import { checkSections } from "./check-sections.ts";
import { DYNAMIC_BOUNDARY, type Section, type SectionKind } from "./section.ts";

/** A system prompt in the order in which a cache reads it. */
export interface AssembledPrompt {
  /** Those that say something, in order, with the text that stands in the prompt for each. */
  readonly sections: readonly Section[];
  /** Up to the boundary line, which is its last one. */
  readonly staticText: string;
  readonly dynamicText: string;
  readonly text: string;
  /** The same for as long as the static part is: what a cache hit depends on. */
  readonly staticHash: string;
}

const GAP = "\n\n";

/**
 * The static part, the boundary line, the dynamic part. The same sections give the same text, always. Throws where a section
 * is in the wrong place, because the price of that is paid on every request of every session, silently.
 */
export function assemblePrompt(sections: readonly Section[]): AssembledPrompt {
  checkSections(sections);
  const shown = sections.flatMap((section) => {
    const text = trimBlankLines(section.text);
    return text === "" ? [] : [{ ...section, text: `# ${section.name}\n\n${text}` }];
  });
  const staticText = [...textsOf(shown, "static"), DYNAMIC_BOUNDARY].join(GAP);
  const dynamicText = textsOf(shown, "dynamic").join(GAP);
  return {
    sections: shown,
    staticText,
    dynamicText,
    text: dynamicText === "" ? staticText : staticText + GAP + dynamicText,
    staticHash: hashText(staticText),
  };
}

function textsOf(sections: readonly Section[], kind: SectionKind): readonly string[] {
  return sections.filter((section) => section.kind === kind).map(({ text }) => text);
}

/** The first line keeps its indentation: it may be code. */
function trimBlankLines(text: string): string {
  return text.trimEnd().replace(/^(?:[ \t]*\r?\n)+/, "");
}
