import { encodeUtf8 } from "../../core/utf8.ts";

/** What to say in a frame; what is left out is not said. */
export interface SseMessage {
  readonly event?: string;
  /** Line breaks of any kind arrive as LF: the format has no other. */
  readonly data?: string;
  readonly id?: string;
  readonly retryMs?: number;
  readonly comments?: readonly string[];
}

const LINE_BREAK = /\r\n|\r|\n/;

/** The bytes of one frame. A name with a line break would begin a line of its own: that is refused. */
export function renderSseFrame({ event, data, id, retryMs, comments = [] }: SseMessage): Uint8Array {
  if (event !== undefined && LINE_BREAK.test(event))
    throw new TypeError("event takes one line: leave the line breaks out, or put the text into data");
  if (id !== undefined && /[\r\n\0]/.test(id)) throw new TypeError("id takes one line without NUL: encode it first");
  if (retryMs !== undefined && !(Number.isInteger(retryMs) && retryMs >= 0))
    throw new TypeError(`retryMs takes a whole number of at least 0, not ${retryMs}`);
  const lines = [
    ...comments.flatMap((comment) => comment.split(LINE_BREAK).map((line) => `: ${line}`)),
    ...(event === undefined || event === "" ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : data.split(LINE_BREAK).map((line) => `data: ${line}`)),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retryMs === undefined ? [] : [`retry: ${retryMs}`]),
  ];
  return encodeUtf8(`${lines.map((line) => `${line}\n`).join("")}\n`);
}
