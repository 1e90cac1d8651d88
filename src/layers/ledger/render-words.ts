import { foldCodeBlocks } from "../../fold/fold-code-block.ts";
import { MEMBER_BUDGET } from "../../fold/thresholds.ts";
import { renderLine } from "../history/markers.ts";
import { renderSaid, renderShortened } from "./ledger-text.ts";
import { dropNarration } from "./narration.ts";
import type { Line } from "./piece.ts";
import { stripMarkup } from "./strip-markup.ts";

/** Longer words of the model lie behind the number in front of them. */
const SHORT_WORDS_CHARACTERS = 160;

interface Words {
  readonly room: number;
  readonly isAnswer: boolean;
}

/** The model's words: what it found and told as far as there is room, what it said in passing by a number alone. */
export function renderWords(text: string, words: Words): Line {
  const { message, blocks } = foldCodeBlocks(text);
  const sections = [{ part: "", text } as const];
  const render = (telling: string): string => {
    if (telling.trim() === "") return "";
    // A block is shown by its outline, and what was said behind it has the room that it would have had alone.
    const most = words.room + blocks * MEMBER_BUDGET;
    const line = renderLine(stripMarkup(telling.slice(0, most * 4)), most);
    const shown = blocks === 0 && telling.length <= most ? line : renderShortened(line, text.length);
    return renderSaid("assistant", shown);
  };
  // What the person was told they may have to do.
  const telling = words.isAnswer ? message : dropNarration(message);
  if (telling.trim() === "") return { kind: "line", text: "", label: REMARKS, sections, isPassing: true };
  const without = words.isAnswer ? telling : dropNarration(message, { isReplaced: true });
  const isShort = text.length <= SHORT_WORDS_CHARACTERS && !text.includes("\n");
  if (isShort && telling === text && without === telling)
    return { kind: "line", text: renderSaid("assistant", text), sections: [] };
  const line = { kind: "line", text: render(telling), label: REMARKS, sections } as const;
  return without === telling ? line : { ...line, replaced: { name: "announcement", text: render(without) } };
}

/** What a line in passing is called where only its number is shown. */
const REMARKS = "remarks";
