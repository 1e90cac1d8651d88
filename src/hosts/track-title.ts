import { clipText, toOneLine } from "../core/clip-text.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";

const MOST_CHARACTERS = 90;
/** A file that begins in the middle of a session may hold no prompt at all: after so many records of the person's role nobody looks on. */
const LOOKED_AT = 8;

export interface TitleTracker {
  feed(entry: Pick<TranscriptEntry, "type" | "title" | "events">): void;
  /** Whether another prompt could still change it. */
  isOpen(): boolean;
  title(): string;
}

/** What a session is called: its newest title, else the first words of its person; empty where there are none. */
export function createTitleTracker(): TitleTracker {
  let told = "";
  let words = "";
  let looked = 0;
  const isOpen = (): boolean => words === "" && looked < LOOKED_AT;
  return {
    feed(entry) {
      told = entry.title || told;
      if (entry.type !== "user" || !isOpen()) return;
      looked++;
      words = findWords(entry.events);
    },
    isOpen,
    title: () => clipText(toOneLine(told), MOST_CHARACTERS) || words,
  };
}

function findWords(events: TranscriptEntry["events"]): string {
  for (const event of events) {
    if (event.kind !== "arrival" || event.source !== "prompt" || event.block.kind !== "text") continue;
    if (event.block.author !== "person") continue;
    const words = toOneLine(event.block.text);
    // What begins with a bracket was put there by the client in the person's name.
    if (words !== "" && !words.startsWith("<")) return clipText(words, MOST_CHARACTERS);
  }
  return "";
}
