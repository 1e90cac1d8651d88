import { clipText } from "../core/clip-text.ts";
import type { Json } from "../core/json.ts";

export interface Marker {
  readonly tool: string;
  readonly lines: number;
  readonly characters: number;
  /** What is shown: `first 10 lines`, `test output`. */
  readonly label: string;
  readonly preview: string;
  /** Where the original is stored, and the reader's tool for files; `Read` by default. */
  readonly path?: string | undefined;
  readonly readTool?: string | undefined;
  /** How to ask for it, `plimsoll:1a2b3c4d5e6f`, and the tool that takes this, if the reader has one. */
  readonly handle?: string | undefined;
  readonly recallTool?: string | undefined;
}

const MAX_TOOL = 64;

/** The one layout of a folded output. A summary that keeps its third part can still fetch the original. */
export function renderMarker(marker: Marker): string {
  const { lines, characters, label, preview } = marker;
  const body = preview === "" ? [] : [`Preview (${label}):`, preview];
  return [
    `[FOLDED: ${nameTool(marker.tool)} output — ${lines} lines, ${characters} chars]`,
    ...body,
    ...renderWayBack(marker),
  ].join("\n");
}

function renderWayBack({ path, readTool = "Read", handle, recallTool }: Marker): readonly string[] {
  const asked = handle !== undefined && recallTool !== undefined ? [`To read a part of it, use ${recallTool}`] : [];
  if (path !== undefined) {
    return [
      `Full output: ${path}${handle === undefined ? "" : ` (${handle})`}`,
      `Use ${readTool} to access the full artifact if needed.`,
      ...asked,
    ];
  }
  return handle === undefined ? [] : [`Full output: ${handle}`, ...asked];
}

/** One short line: hosts have been seen to report half a request as a tool's name. */
function nameTool(tool: string): string {
  const name = tool
    .replace(/\s{1,1000}/g, " ")
    .replaceAll("]", "")
    .trim();
  return clipText(name === "" ? "tool" : name, MAX_TOOL);
}

const HANDLE_DIGITS = 12;

/** The short name of stored content, with enough digits that no project holds two alike. */
export function nameHandle(sha256: string): string {
  return `plimsoll:${sha256.slice(0, HANDLE_DIGITS)}`;
}

/** A handle as a model asks for it: `plimsoll:` may be missing, and a part of the original may follow `#`. */
export const ASKED_HANDLE: RegExp = /^(?:plimsoll:)?([0-9a-f]{6,64})(?:#(.*))?$/i;

/** The single handles of a list, or of a text that has several, as JSON or bare. */
export function splitHandles(asked: Json | undefined): readonly string[] {
  const texts = [asked].flat().filter((item) => typeof item === "string");
  return texts.flatMap((text) => text.split(/[\s,;"'`[\]]+/)).filter((part) => part !== "");
}

/** The handles in a text, each once, so that a summary which quotes a marker can be followed back. */
export function findHandles(text: string): readonly string[] {
  return [...new Set(text.match(/\bplimsoll:[0-9a-f]{12}\b/g) ?? [])];
}

/** The handle of the folded output itself, which comes last; a preview may quote others before it. */
export function findOwnHandle(text: string): string | undefined {
  return text.startsWith("[FOLDED: ") ? findHandles(text).at(-1) : undefined;
}
