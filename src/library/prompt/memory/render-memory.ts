import { cutText } from "../../../core/cut-text.ts";
import { fitIndex } from "./memory-index.ts";

/** What of the memory enters one turn. */
export interface TurnMemory {
  readonly index: string;
  /** Those that the turn's task is about, and no others. */
  readonly topics: readonly { readonly file: string; readonly text: string }[];
}

const MAX_TOPIC_CHARACTERS = 4000;

/** The context's side of the memory: the index, always; topics, only those that were asked for. For a dynamic section. */
export function renderMemory(
  { index, topics }: TurnMemory,
  { maxTopicCharacters = MAX_TOPIC_CHARACTERS }: { readonly maxTopicCharacters?: number } = {},
): string {
  if (!Number.isInteger(maxTopicCharacters) || maxTopicCharacters < 100)
    throw new TypeError(`maxTopicCharacters is ${maxTopicCharacters}: use a whole number of at least 100`);
  const parts = topics.map(({ file, text }) => `## ${file}\n\n${cutText(text.trim(), maxTopicCharacters)}`);
  return [fitIndex(index).text, ...parts].filter((part) => part !== "").join("\n\n");
}
