/** A picture or a document such as a PDF, stored among texts as `data:image/png;base64,…` and nothing else, so that no other text is taken for one. */
export interface Picture {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
  readonly bytes: number;
}

/** How each type begins, in base64. Data that only claims to be a picture would make the API refuse the whole conversation. */
const BEGINNINGS: Readonly<Record<string, RegExp>> = {
  "image/png": /^iVBORw0KGgo/,
  "image/jpeg": /^\/9j\//,
  "image/gif": /^R0lGOD[dl]h/,
  "image/webp": /^UklGR.{7}RUJQ/,
  "application/pdf": /^JVBERi0/,
};

/** The API refuses larger pictures, and larger requests. */
const MAX_DATA = 5 * 1024 * 1024;
const MAX_DOCUMENT_DATA = 30 * 1024 * 1024;

export function parsePicture(text: string): Picture | undefined {
  const [opening, mediaType = ""] = /^data:([a-z]+\/[a-z]+);base64,/.exec(text) ?? [];
  const most = mediaType.startsWith("image/") ? MAX_DATA : MAX_DOCUMENT_DATA;
  if (opening === undefined || text.length > most + opening.length) return undefined;
  const data = text.slice(opening.length);
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data) || !BEGINNINGS[mediaType]?.test(data))
    return undefined;
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return { mediaType, data, bytes: (data.length / 4) * 3 - padding };
}

/** The note in place of a picture or document; without a handle if it could not be stored. */
export function renderPictureNote(url: string, handle: string | undefined): string {
  const [type = "image"] = url.slice("data:".length).split(";", 1);
  const what = type.startsWith("image") ? "picture" : "document";
  const kilobytes = Math.max(1, Math.round((url.length * 3) / 4 / 1000));
  return handle === undefined
    ? `[${what}, ${type}, ${kilobytes} KB]`
    : `[${what} ${handle}, ${type}, ${kilobytes} KB: recall shows it]`;
}

/** The handles in a text's notes, as written by `renderPictureNote`. */
export function findPictureNotes(text: string): readonly string[] {
  const notes = text.matchAll(/\[(?:picture|document) (plimsoll:[0-9a-f]+), [\w/+.-]+, \d+ KB: recall shows it\]/g);
  return [...new Set([...notes].map(([, handle = ""]) => handle))];
}
