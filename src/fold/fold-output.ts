import { clipText } from "../core/clip-text.ts";
import { sha256 } from "../core/sha256.ts";
import { recogniseSheet } from "./detect-kind.ts";
import { composeExcerpts } from "./excerpt.ts";
import type { Hint } from "./hint.ts";
import type { Kind } from "./kind.ts";
import { type Marker, nameHandle, renderMarker } from "./marker.ts";
import { renderNamesIndex } from "./names-index.ts";
import { redactSecrets } from "./redact-secrets.ts";
import { parseSheet, type Sheet } from "./sheet.ts";
import { DEFAULT_BUDGET } from "./thresholds.ts";

/** What folding leaves in the conversation. The caller must have stored the original first. */
export interface FoldedOutput {
  /** Never longer than the budget or the original. */
  readonly text: string;
  readonly kind: string;
  readonly sha256: string;
  readonly handle: string;
  readonly lines: number;
  readonly characters: number;
}

export interface FoldOutputOptions extends Pick<Marker, "path" | "readTool" | "recallTool"> {
  /** Maximum characters of marker and preview together. */
  readonly budget?: number | undefined;
  /** Whether the original can be fetched by its handle. */
  readonly hasHandle?: boolean | undefined;
  /** The original's hash if the caller already has it: a native hash takes a fifth of the time of ours. */
  readonly sha256?: string | undefined;
  /** `classic` shows the first ten lines, whatever they are. */
  readonly style?: "content" | "classic" | undefined;
}

const NAMES_SHARE = 0.5;
/** The marker alone, with a path of ordinary length. */
export const LEAST_BUDGET = 240;

export function foldOutput(text: string, hint: Hint = {}, options: FoldOutputOptions = {}): FoldedOutput {
  const { budget = DEFAULT_BUDGET, path, readTool, recallTool, hasHandle = true, style = "content" } = options;
  if (!(budget >= LEAST_BUDGET))
    throw new TypeError(`a budget of ${budget} characters is too small: pass at least ${LEAST_BUDGET}`);
  const hash = options.sha256 ?? sha256(text);
  const handle = nameHandle(hash);
  const most = Math.min(budget, text.length);
  const safe = maskKeys(text);
  const ends = parseSheet(safe);
  const kind = recogniseSheet(ends, hint);
  const sheet = ends.isPartial ? parseSheet(safe, kind.middle ?? "troubleAndOdd") : ends;
  const frame: Marker = {
    tool: hint.tool ?? "",
    lines: sheet.total,
    characters: text.length,
    label: style === "classic" ? "first 10 lines" : kind.name,
    preview: "",
    path,
    readTool,
    handle: hasHandle ? handle : undefined,
    recallTool,
  };
  // The preview brings its own line and label.
  const room = most - renderMarker({ ...frame, preview: "x" }).length;
  const preview = style === "classic" ? classicPreview(text, room) : composePreview(kind, sheet, room, hint);
  const folded = squeeze({ ...frame, preview: redactSecrets(preview) }, most) || clipText(redactSecrets(text), most);
  return { text: folded, kind: kind.name, sha256: hash, handle, lines: frame.lines, characters: frame.characters };
}

/** Lines first, then an index of names in the remaining room, then more lines if there were few names. */
function composePreview(kind: Kind, sheet: Sheet, room: number, hint: Hint): string {
  const { names: policy = "pathsAndWords" } = kind;
  const excerpts = kind.outline(sheet, room, hint);
  if (policy === "none") return composeExcerpts(excerpts, sheet, room);
  const lines = composeExcerpts(excerpts, sheet, Math.floor(room * (1 - NAMES_SHARE)));
  const names = renderNamesIndex(sheet, { names: policy, shown: lines, room: room - lines.length - 1 });
  if (names === "") return composeExcerpts(excerpts, sheet, room);
  const spare = room - lines.length - names.length;
  return `${spare > 60 ? composeExcerpts(excerpts, sheet, room - names.length - 1) : lines}\n${names}`;
}

/** A multi-line key is recognised only here: single lines of it look like any letters. */
function maskKeys(text: string): string {
  return text.includes("PRIVATE KEY") ? redactSecrets(text) : text;
}

/** Drops the preview first, then the path; empty if not even the marker fits. */
function squeeze(marker: Marker, most: number): string {
  const whole = renderMarker(marker);
  if (whole.length <= most) return whole;
  const preview = clipText(marker.preview, marker.preview.length - (whole.length - most));
  if (renderMarker({ ...marker, preview: "" }).length < most) return renderMarker({ ...marker, preview });
  const short = renderMarker({ ...marker, preview: "", path: undefined });
  return short.length <= most ? short : "";
}

const FIRST_LINES = 10;

/** The first ten lines and dots, for users who want the same preview for everything. */
function classicPreview(text: string, maxCharacters: number): string {
  const lines = text.split("\n", FIRST_LINES + 1);
  const isWhole = lines.length <= FIRST_LINES;
  const safe = redactSecrets(lines.slice(0, FIRST_LINES).join("\n"));
  const dots = isWhole ? "" : "\n...";
  return clipText(safe, Math.max(0, maxCharacters - dots.length)) + dots;
}
