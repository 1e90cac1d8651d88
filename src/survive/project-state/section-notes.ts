import { toOneLine } from "../../core/clip-text.ts";
import { type Merged, normaliseValue } from "./entry-log.ts";
import { parseStamp, renderStamp } from "./stamp.ts";

/** One line of knowledge, with its heading. */
export interface Note {
  readonly section: string;
  readonly text: string;
  /** It no longer holds, so it is taken off its list if we wrote it. */
  readonly isSettled?: boolean;
}

interface DatedNote extends Note {
  readonly atMs: number | undefined;
}

interface NotesShape {
  readonly header: string;
  readonly maxLines: number;
  readonly sections: readonly string[];
}

export const CUMULATIVE_NOTES: NotesShape = {
  header: "Cumulative Project Notes",
  maxLines: 200,
  sections: `Project Profile, Architecture Map, Recurring Themes, Active Topics, Relationship Map, Follow-Up Items,
    Attention Points`.split(/,\s+/),
};

export const TASK_NOTES: NotesShape = {
  header: "Task Notes",
  maxLines: 50,
  sections: ["What Worked", "What Failed", "What's Left", "Key Context"],
};

const ITEM_STAMP = / \((\d{4}-\d\d-\d\d(?: \d\d:\d\d)?)\)$/;

export function parseNotes(text: string): readonly DatedNote[] {
  return toPieces(text)
    .filter(({ isItem }) => isItem)
    .map(parsePiece);
}

function parsePiece({ lines, section }: NotePiece): DatedNote {
  const line = lines
    .map((part) => part.trim())
    .join(" ")
    .slice(2);
  return { section, text: line.replace(ITEM_STAMP, "").trim(), atMs: parseStamp(ITEM_STAMP.exec(line)?.[1] ?? "") };
}

/** Adds new notes at the end of their section. What the file's limit pushes out is returned. */
export function mergeNotes(
  text: string,
  added: readonly Note[],
  { shape, atMs }: { shape: NotesShape; atMs: number },
): Merged {
  const settled = new Set(added.filter(({ isSettled }) => isSettled).map((note) => identify(toNote(note))));
  const known = new Set(parseNotes(text).map(identify));
  const fresh: Note[] = [];
  for (const note of added.filter(({ isSettled }) => !isSettled).map(toNote)) {
    if (note.text === "" || known.has(identify(note))) continue;
    known.add(identify(note));
    fresh.push(note);
  }
  const headings = shape.sections.flatMap((section) => ["", `## ${section}`]);
  const empty = [`# ${shape.header}`, ...headings, ""].join("\n");
  const pieces = toPieces(normaliseValue(text) === "" ? empty : text);
  const gone = pieces.filter((piece) => isOurs(piece) && settled.has(identify(toNote(parsePiece(piece)))));
  if (fresh.length + gone.length === 0 && (text === "" || countPieceLines(pieces) <= shape.maxLines))
    return { text, evicted: [] };
  const kept = pieces.filter((piece) => !gone.includes(piece));
  const merged = shortenNotes(insertNotes(kept, fresh, atMs), shape.maxLines);
  return { text: merged.text, evicted: [...gone.map(({ lines }) => lines.join("\n")), ...merged.evicted] };
}

/** Notes with a date are ours. What a person wrote is theirs to remove. */
function isOurs({ isItem, lines }: NotePiece): boolean {
  return isItem && ITEM_STAMP.test(lines.at(-1) ?? "");
}

function toNote({ section, text }: Note): Note {
  return { section: toOneLine(section), text: toOneLine(text).replace(ITEM_STAMP, "").trim() };
}

function identify({ section, text }: Note): string {
  return JSON.stringify([section, text]);
}

function insertNotes(pieces: readonly NotePiece[], notes: readonly Note[], atMs: number): readonly NotePiece[] {
  const result = [...pieces];
  for (const { section, text } of notes) {
    const piece = { lines: [`- ${text} (${renderStamp(atMs)})`], isItem: true, section };
    // Insert after the section's last non-blank line, so that the blank line before the next heading stays.
    const at = result.findLastIndex((other) => other.section === section && other.lines[0]?.trim() !== "");
    if (at >= 0) result.splice(at + 1, 0, piece);
    else result.push(...toPieces(`\n## ${section}`), piece);
  }
  return result;
}

/** Ticked items go first, then the oldest items of the fullest sections. The limit always holds. */
function shortenNotes(pieces: readonly NotePiece[], maxLines: number): Merged {
  const surplus = new Set<NotePiece>();
  const isKept = (piece: NotePiece): boolean => !surplus.has(piece);
  let excess = countPieceLines(pieces) - maxLines;
  const drop = (piece: NotePiece): void => {
    surplus.add(piece);
    excess -= piece.lines.length;
  };
  for (const piece of pieces) if (excess > 0 && piece.isItem && /^- \[x\] /i.test(piece.lines[0] ?? "")) drop(piece);
  const ranks = rankItems(pieces.filter(isKept));
  while (excess > 0 && ranks.length > 0) for (const piece of ranks.pop() ?? []) drop(piece);
  // Headings and prose alone may be too long: then the end of the file goes.
  let total = 0;
  for (const piece of pieces.filter(isKept)) {
    total += piece.lines.length;
    if (total > maxLines) surplus.add(piece);
  }
  const render = (some: readonly NotePiece[]): readonly string[] => some.map(({ lines }) => lines.join("\n"));
  return {
    text: `${render(pieces.filter(isKept)).join("\n")}\n`,
    evicted: render(pieces.filter((each) => !isKept(each))),
  };
}

/** The newest item of every section, then the second newest of every section, and so on. */
function rankItems(pieces: readonly NotePiece[]): NotePiece[][] {
  const ranks: NotePiece[][] = [];
  const seen = new Map<string, number>();
  for (const piece of [...pieces].reverse().filter(({ isItem }) => isItem)) {
    const rank = seen.get(piece.section) ?? 0;
    seen.set(piece.section, rank + 1);
    const same = ranks[rank];
    if (same) same.push(piece);
    else ranks.push([piece]);
  }
  return ranks;
}

/** Lines that stay together: an item with its indented lines, or any other single line. */
interface NotePiece {
  readonly lines: readonly string[];
  readonly isItem: boolean;
  readonly section: string;
}

function toPieces(text: string): readonly NotePiece[] {
  const pieces: { lines: string[]; isItem: boolean; section: string }[] = [];
  let section = "";
  for (const line of text.replace(/\n$/, "").split("\n")) {
    const last = pieces.at(-1);
    if (line.startsWith("## ")) section = line.slice(3).trim();
    const isItem = line.startsWith("- ");
    if (!isItem && last?.isItem && /^\s+\S/.test(line)) last.lines.push(line);
    else pieces.push({ lines: [line], isItem, section });
  }
  return pieces;
}

function countPieceLines(pieces: readonly NotePiece[]): number {
  return pieces.reduce((sum, { lines }) => sum + lines.length, 0);
}
