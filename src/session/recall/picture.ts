/** A picture as it is stored among texts: `data:image/png;base64,…` and nothing else, so that no text is taken for one. */
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
