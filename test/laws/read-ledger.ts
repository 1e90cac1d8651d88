import { findHandles } from "./own-texts.ts";

/** A line of a ledger that stands for more than it says, by the handle that gives it back whole. */
export interface LedgerLine {
  readonly handle: string;
  /** What the line itself shows, behind its number; empty for a line that is only named in a range. */
  readonly shown: string;
}

export interface LedgerReading {
  /** The person's and the model's words that stand in it word for word. */
  readonly said: readonly { readonly by: "person" | "note" | "assistant"; readonly text: string }[];
  readonly lines: readonly LedgerLine[];
  /** The handle of the segment that the text ends in; a text behind a picture goes on with it. */
  readonly open: string | undefined;
}

const HEADING = /^\[LEDGER: .*?(?:; recall (plimsoll:[0-9a-f]{12})#N gives line N whole.*)?\]$/;
const SAID = /^(person|note|assistant): ([\s\S]*)$/;
const NUMBERED = /^(\d+) ([\s\S]*)$/;
const RANGES = /^\((?=[^)]*#\d)(.*)\)$/;
const NO_HANDLE = "";

/** Reads the segments in a text of ours; `open` is the segment that an earlier text left off in. */
export function readLedger(text: string, open?: string): LedgerReading {
  const said: { by: "person" | "note" | "assistant"; text: string }[] = [];
  const lines: LedgerLine[] = [];
  let segment = open;
  let speaking: { by: "person" | "note" | "assistant"; text: string } | undefined;
  for (const line of text.split("\n")) {
    const heading = HEADING.exec(line);
    if (heading) {
      segment = heading[1] ?? NO_HANDLE;
      speaking = undefined;
      continue;
    }
    if (segment === undefined) continue;
    if (speaking && line.startsWith("  ")) {
      speaking.text += `\n${line.slice(2)}`;
      continue;
    }
    speaking = undefined;
    const [, by, words = ""] = SAID.exec(line) ?? [];
    if (by === "person" || by === "note" || by === "assistant") {
      speaking = { by, text: words };
      said.push(speaking);
      continue;
    }
    if (segment === NO_HANDLE) continue;
    const [, number, shown = ""] = NUMBERED.exec(line) ?? [];
    if (number !== undefined) lines.push({ handle: `${segment}#${number}`, shown });
    for (const named of listRanges(RANGES.exec(line)?.[1] ?? ""))
      lines.push({ handle: `${segment}#${named}`, shown: "" });
  }
  return { said, lines, open: segment };
}

/** Whether a text may go on with a segment that a picture or a system message has broken. */
export function continuesLedger(text: string): boolean {
  return SAID.test(text.split("\n", 1)[0] ?? "") || /^\d+ \S/.test(text);
}

/** `#3-#9, #12` is a handle to each of its lines. */
function listRanges(text: string): readonly number[] {
  return [...text.matchAll(/#(\d+)(?:-#?(\d+))?/g)].flatMap(([, first = "0", last = first]) =>
    Array.from({ length: Math.max(0, Number(last) - Number(first) + 1) }, (_, index) => Number(first) + index),
  );
}

/** What speaks against a line having been written of what its handle gives; empty where they agree. */
export function contradictLine(shown: string, whole: string, like?: string): string {
  // It failed as another did: they have a line in common.
  if (like !== undefined) return like.split("\n").some((line) => line !== "" && whole.includes(line)) ? "" : like;
  const characters = /^(?:assistant|note|report): .* \((\d+) chars\)$/.exec(shown)?.[1];
  if (characters !== undefined) return Number(characters) === whole.length ? "" : `${whole.length} characters`;
  const lineCount = / → (?:failed: .*)?\((\d+) lines\)$/.exec(shown)?.[1];
  if (lineCount !== undefined) {
    const counted = whole.replace(/\n$/, "").split("\n").length;
    return Math.abs(Number(lineCount) - counted) <= 1 ? "" : `${counted} lines`;
  }
  return contradictFacts(shown, whole) || contradictResult(shown, whole);
}

/** The names of files in what a look found are in what it found, whatever folder is left out before them. */
function contradictFacts(shown: string, whole: string): string {
  const facts = / => (?:on \S+: |\d+ (?:hits|files? changed)[^:]*: )(.*) \(\d+ lines\)$/.exec(shown)?.[1] ?? "";
  const names = facts.match(/[\w./-]+\.\w+/g) ?? [];
  return names.find((name) => !whole.includes(name)) ?? "";
}

const SHORT_RESULT_CHARACTERS = 120;

/** A short result stands in its line whole: as it is, or quoted where it has several lines. */
function contradictResult(shown: string, whole: string): string {
  // What somebody said may have an arrow in it, too.
  const isOther = SAID.test(shown) || !shown.includes(" → ") || shown.endsWith(" → no result") || /[…)]$/.test(shown);
  if (isOther || whole.length > SHORT_RESULT_CHARACTERS || findHandles(shown).length > 0) return "";
  const forms = [whole, JSON.stringify(whole), whole === "" ? "nothing" : whole];
  const isShown = forms.some((form) => shown.endsWith(` → ${form}`) || shown.endsWith(` → failed: ${form}`));
  return isShown ? "" : JSON.stringify(whole);
}
