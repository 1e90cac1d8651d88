import { cutText, shareLengths, TRUNCATED } from "../../../core/clip-text.ts";
import { requireWhole } from "../../../core/require-option.ts";
import { type DuplicateFile, dedupeFiles } from "./dedupe-files.ts";
import type { InstructionFile } from "./instruction-file.ts";

export interface InstructionBudget {
  readonly maxFileCharacters?: number;
  /** Of the whole text, headings included. */
  readonly maxTotalCharacters?: number;
}

export interface FittedInstructions {
  /** For the section "Instruction files"; empty if there are none. */
  readonly text: string;
  readonly told: readonly string[];
  /** Files that were cut; the text marks each cut. */
  readonly truncated: readonly string[];
  /** Files left out for lack of room; the text mentions them. */
  readonly leftOut: readonly string[];
  readonly duplicates: readonly DuplicateFile[];
}

export const MAX_INSTRUCTION_FILE_CHARACTERS = 4000;
export const MAX_TOTAL_INSTRUCTION_CHARACTERS = 12_000;

/** A shorter part of a file is not worth its heading. */
const LEAST_CHARACTERS = 200;
const LEAST_TOTAL = 1000;

/** Instructions in the order of their scopes, each file within its limit and all within the total. Every cut is marked. */
export function fitInstructions(
  files: readonly InstructionFile[],
  {
    maxFileCharacters = MAX_INSTRUCTION_FILE_CHARACTERS,
    maxTotalCharacters = MAX_TOTAL_INSTRUCTION_CHARACTERS,
  }: InstructionBudget = {},
): FittedInstructions {
  requireWhole(LEAST_CHARACTERS, { maxFileCharacters });
  requireWhole(LEAST_TOTAL, { maxTotalCharacters });
  return shareOut(files, { maxFileCharacters, maxTotalCharacters });
}

/** The same for any room, even one in which nothing fits, with the caller's headings. */
export function shareOut(
  files: readonly InstructionFile[],
  { maxFileCharacters, maxTotalCharacters }: Required<InstructionBudget>,
  renderHeading: (file: InstructionFile) => string = ({ path, scope }) => `## ${toLine(path)} (${scope})\n\n`,
): FittedInstructions {
  const deduped = dedupeFiles(files);
  const limited = deduped.files.map((file) => {
    const whole = file.text.trim();
    return { path: file.path, heading: renderHeading(file), whole, length: Math.min(whole.length, maxFileCharacters) };
  });
  const tailRoom = Math.max(LEAST_CHARACTERS, Math.floor(maxTotalCharacters / 4));
  const count = countIncluded(limited, maxTotalCharacters, tailRoom);
  const included = limited.slice(0, count);
  const leftOut = limited.slice(count).map(({ path }) => path);
  const tail = renderTail(leftOut, Math.min(tailRoom, maxTotalCharacters));
  const frame = included.reduce((sum, { heading }) => sum + heading.length + GAP.length, tail.length);
  const shares = shareLengths(
    included.map(({ length }) => length),
    maxTotalCharacters - frame,
  );
  const bodies = included.map(({ whole }, index) => cutText(whole, shares[index] ?? 0));
  const parts = included.map(({ heading }, index) => `${heading}${bodies[index] ?? ""}`);
  return {
    text: [...parts, ...(tail === "" ? [] : [tail])].join(GAP),
    told: included.map(({ path }) => path),
    truncated: included.filter(({ whole }, index) => bodies[index] !== whole).map(({ path }) => path),
    leftOut,
    duplicates: deduped.duplicates,
  };
}

const GAP = "\n\n";

/** How many of the first files have room for their heading and a part worth reading. */
function countIncluded(
  files: readonly { heading: string; length: number }[],
  maxTotal: number,
  tailRoom: number,
): number {
  const need = ({ heading, length }: { heading: string; length: number }): number =>
    heading.length + GAP.length + Math.min(length, LEAST_CHARACTERS);
  const all = files.reduce((sum, file) => sum + need(file), 0);
  if (all <= maxTotal) return files.length;
  let left = maxTotal - tailRoom;
  const end = files.findIndex((file) => {
    left -= need(file);
    return left < 0;
  });
  return end < 0 ? files.length : end;
}

/** As many names as fit, then how many more there are; empty if not even that fits. */
function renderTail(leftOut: readonly string[], room: number): string {
  for (let count = leftOut.length; count >= 0 && leftOut.length > 0; count--) {
    const more = leftOut.length - count;
    const names = [...leftOut.slice(0, count).map(toLine), ...(more === 0 ? [] : [`and ${more} more`])];
    const line = `${TRUNCATED} No room here, read them when they matter: ${names.join(", ")}`;
    if (line.length <= room) return line;
  }
  return "";
}

function toLine(path: string): string {
  return path.replace(/[\r\n]+/g, " ");
}
