/** A picture as it is stored among texts: a line of its own, `data:image/png;base64,…`. */
export interface Picture {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
  readonly bytes: number;
}

/** How each begins, in base64: what only says that it is a picture would make the API refuse the whole conversation. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  png: /^iVBORw0KGgo/,
  jpeg: /^\/9j\//,
  gif: /^R0lGOD[dl]h/,
  webp: /^UklGR.{7}RUJQ/,
};

/** The API takes none that are larger. */
const MAX_DATA = 5 * 1024 * 1024;

export function parsePicture(text: string): Picture | undefined {
  const [opening, kind = ""] = /^data:image\/(png|jpeg|gif|webp);base64,/.exec(text) ?? [];
  if (opening === undefined || text.length > MAX_DATA + opening.length) return undefined;
  const data = text.slice(opening.length);
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data) || !BEGINNINGS[kind]?.test(data)) return undefined;
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return { mediaType: `image/${kind}`, data, bytes: (data.length / 4) * 3 - padding };
}

/** A text as what stands between its pictures, and they; the line feeds around a picture belong to neither. */
export function splitPictures(text: string): readonly (string | Picture)[] {
  if (!text.includes("data:image/")) return [text];
  const pieces: (string | Picture)[] = [];
  let lines: string[] = [];
  const close = (): void => {
    if (lines.length > 0) pieces.push(lines.join("\n"));
    lines = [];
  };
  for (const line of text.split("\n")) {
    const picture = parsePicture(line);
    if (picture === undefined) lines.push(line);
    else {
      close();
      pieces.push(picture);
    }
  }
  close();
  return pieces;
}
