import { decodeUtf8 } from "../../core/utf8.ts";

interface SseFields {
  readonly event: string;
  readonly data: string | undefined;
  readonly id: string | undefined;
  readonly retryMs: number | undefined;
  readonly comments: readonly string[];
  readonly unknownLines: number;
  readonly invalidLines: number;
}

const BOM = "\uFEFF";
const LOSSY = new TextDecoder("utf-8", { ignoreBOM: true });

/** What the lines of one whole frame say, as the HTML standard has it: the last event, id and retry count, data lines are joined. */
export function parseSseFields(raw: Uint8Array, { isFirst }: { readonly isFirst: boolean }): SseFields {
  const { text: whole, invalidLines } = decode(raw);
  // A byte order mark counts at the beginning of the stream alone.
  const text = isFirst && whole.startsWith(BOM) ? whole.slice(BOM.length) : whole;
  const data: string[] = [];
  const comments: string[] = [];
  let event = "";
  let id: string | undefined;
  let retryMs: number | undefined;
  let unknownLines = 0;
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (line === "") continue;
    const { name, value } = parseLine(line);
    if (name === "") comments.push(value);
    else if (name === "data") data.push(value);
    else if (name === "event") event = value;
    else if (name === "id" && !value.includes("\0")) id = value;
    else if (name === "retry" && /^\d{1,15}$/.test(value)) retryMs = Number(value);
    else unknownLines++;
  }
  return {
    event,
    data: data.length === 0 ? undefined : data.join("\n"),
    id,
    retryMs,
    comments,
    unknownLines,
    invalidLines,
  };
}

/** A comment is a line without a name. One blank after the colon is no part of the value. */
function parseLine(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":");
  if (colon < 0) return { name: line, value: "" };
  return { name: line.slice(0, colon), value: line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1) };
}

function decode(raw: Uint8Array): { readonly text: string; readonly invalidLines: number } {
  const lossy = LOSSY.decode(raw);
  // Without a replacement character nothing was replaced; with one, a strict look tells whether it was there before.
  const strict = lossy.includes("\uFFFD") ? decodeUtf8(raw) : lossy;
  const text = strict ?? lossy;
  const invalidLines =
    strict === undefined ? lossy.split(/\r\n|\r|\n/).filter((line) => line.includes("\uFFFD")).length : 0;
  return { text, invalidLines };
}
