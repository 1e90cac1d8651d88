import { HEAD } from "../excerpt.ts";
import { type Kind, shareOf } from "../kind.ts";

/** Base64, hex dumps and binary data: shows only what it is and how much, since it is not readable. */
export const encodedKind: Kind = {
  name: "encoded data",
  names: "none",
  middle: "nothing",
  recognise({ lines, start }) {
    if (countControls(start) > start.length * 0.1) return 0.98;
    if (/^data:[\w/+.-]{1,60};base64,/.test(start)) return 0.98;
    return shareOf(lines, { test: isEncoded }, 0.8) > 0 ? 0.95 : 0;
  },
  outline({ text, lines }) {
    const start = text.slice(0, 200).trimStart();
    const [, magic] = Object.entries(MAGIC).find(([bytes]) => start.startsWith(bytes)) ?? [];
    const type = /^data:([\w/+.-]{1,60});base64,/.exec(start)?.[1] ?? (magic && `${magic} (base64)`);
    const bytes = Math.floor(text.length * (/^[0-9a-f\s]{40}/i.test(start) ? 0.5 : 0.75));
    return [
      { line: HEAD, text: `${type ?? "encoded or binary data"}, about ${bytes} bytes when decoded`, weight: 100 },
      { line: 0, text: lines[0] ?? "", weight: 60, cut: 80 },
      { line: lines.length - 1, text: lines.at(-1) ?? "", weight: 40, cut: 80 },
    ];
  },
};

/** Unbroken, of one alphabet: both cases and digits, or hexadecimal digits only. */
function isEncoded(line: string): boolean {
  if (line.length < 40 || !/^[A-Za-z0-9+/=_-]{40,}$/.test(line))
    return /^[0-9a-f]{7,8}:? (?: ?[0-9a-f]{2,4}){6}/.test(line);
  return /^[0-9a-f]+$/i.test(line) || (/\d/.test(line) && /[A-Z]/.test(line) && /[a-z]/.test(line));
}

function countControls(start: string): number {
  let controls = 0;
  for (let index = 0; index < start.length; index++) {
    const unit = start.charCodeAt(index);
    if (unit === 0xfffd || (unit < 32 && unit !== 9 && unit !== 10 && unit !== 13)) controls++;
  }
  return controls;
}

/** The first bytes of common formats, as base64 shows them. */
const MAGIC = {
  iVBORw0KGgo: "PNG image",
  "/9j/": "JPEG image",
  R0lGOD: "GIF image",
  JVBERi0: "PDF document",
  UEsDB: "ZIP archive",
  H4sI: "gzip data",
} as const;
