import { isAbsolute, normalizePath } from "../session/file-path.ts";
import { UNKNOWN_WORD } from "./shell-words.ts";

/** Where a call is made; both absolute. */
export interface ResolvedPlace {
  /** The project's folder: whatever is outside is not ours to guard. */
  readonly root: string;
  /** The directory that relative paths start from. */
  readonly directory: string;
}

const HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Z]:\/Users\/[^/]+)(?=\/|$)/;

/** The home folder as far as the project's own path tells it. */
export function guessHome({ root }: ResolvedPlace): string | undefined {
  return HOME.exec(normalizePath(root))?.[0];
}

/** Absolute and without `.` and `..`; `undefined` for what cannot be known. Globs stay as they are. */
export function resolvePath(
  word: string,
  { directory, home }: { readonly directory: string | undefined; readonly home?: string | undefined },
): string | undefined {
  // An unknown beginning is taken for nothing at all where a name follows (`${x}dist`); `$x/dist` may be anywhere.
  const known = word.startsWith(UNKNOWN_WORD) ? word.replace(/^\0+/, "") : word;
  if (known !== word && (known === "" || known.startsWith("/"))) return undefined;
  const path = known.replaceAll(UNKNOWN_WORD, "*");
  if (path === "~" || path.startsWith("~/"))
    return home === undefined ? undefined : normalizePath(home + path.slice(1));
  const slashed = /^[a-z]:\\|^\\\\/i.test(path) ? path.replaceAll("\\", "/") : path;
  if (isAbsolute(slashed)) return normalizePath(slashed);
  return directory === undefined ? undefined : normalizePath(`${directory}/${slashed}`);
}

/** `path` as seen from the root: empty for the root itself, `undefined` outside it. Both are resolved. */
export function relativeToRoot(path: string, root: string): string | undefined {
  const folder = normalizePath(root);
  if (folder === "") return undefined;
  const spelt = spellLike(path, folder);
  if (spelt === folder) return "";
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return spelt.startsWith(prefix) ? spelt.slice(prefix.length) : undefined;
}

/** A Unix shell on Windows writes `/c/work` for `C:/work`; `//work` is `/work` unless the root itself is on a server. */
function spellLike(path: string, folder: string): string {
  if (/^[A-Z]:/.test(folder))
    return path.replace(/^\/([a-z])(?=\/|$)/i, (_, drive: string) => `${drive.toUpperCase()}:`);
  return folder.startsWith("//") ? path : path.replace(/^\/\//, "/");
}
