import { parseJson, parseObject } from "../../core/json.ts";

/** A text that a compaction removed from the window, by its call or, for a segment of the ledger, by its handle. */
export interface Archived {
  readonly callId: string;
  readonly text: string;
}

export function renderArchived({ callId, text }: Archived): string {
  return `${JSON.stringify({ callId, text })}\n`;
}

/** The archives in a session's folder: the newest compaction first; an older one may have several parts, in order. */
export function orderArchives(
  names: readonly string[],
): readonly { readonly name: string; readonly compaction: number }[] {
  const places = names.flatMap((name) => {
    const [, compaction = "", part = ""] = /^archive-(\d+)-(\d+)\.jsonl$/.exec(name) ?? [];
    return compaction === "" ? [] : [{ name, compaction: Number(compaction), part: Number(part) }];
  });
  return places.sort((left, right) => right.compaction - left.compaction || left.part - right.part);
}

export function findArchived(text: string, wanted: string): readonly Archived[] {
  return text.split("\n").flatMap((line) => {
    const callId = parseCallId(line);
    return callId !== undefined && isNamed(callId, wanted) ? (parseArchived(line) ?? []) : [];
  });
}

/** Joins the pieces that older archives split a long text into; nothing if a short handle matches more than one text. */
export function joinArchived(pieces: readonly Archived[]): string | undefined {
  const [first] = pieces;
  return first !== undefined && pieces.every(({ callId }) => callId === first.callId)
    ? pieces.map(({ text }) => text).join("")
    : undefined;
}

export function listArchivedHandles(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const callId = parseCallId(line);
    return callId?.startsWith(HANDLE) ? [callId] : [];
  });
}

const HANDLE = "plimsoll:";

/** A handle has twelve digits of a hash; a caller may give fewer, or the whole hash. */
function isNamed(callId: string, wanted: string): boolean {
  if (callId === wanted) return true;
  return (
    callId.startsWith(HANDLE) && wanted.startsWith(HANDLE) && (callId.startsWith(wanted) || wanted.startsWith(callId))
  );
}

/** Reads the id without parsing the text behind it, which may be long. */
function parseCallId(line: string): string | undefined {
  const quoted = /^\{"callId":("(?:[^"\\]|\\.)*"),/.exec(line)?.[1];
  const value = quoted === undefined ? undefined : parseJson(quoted);
  return typeof value === "string" ? value : undefined;
}

function parseArchived(line: string): Archived | undefined {
  const { callId, text } = parseObject(line);
  return typeof callId === "string" && typeof text === "string" ? { callId, text } : undefined;
}
