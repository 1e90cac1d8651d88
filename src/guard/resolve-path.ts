import { isAbsolute, normalizePath } from "../session/file-path.ts";

/** Where a call is made. Both paths are absolute. */
export interface ResolvedPlace {
  /** The project's folder. Paths outside it are not guarded. */
  readonly root: string;
  /** The directory that relative paths start from. */
  readonly directory: string;
}

const HOME = /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Z]:\/Users\/[^/]+)(?=\/|$)/;

/** The home folder, guessed from the project's path. */
export function guessHome({ root }: ResolvedPlace): string | undefined {
  return HOME.exec(normalizePath(root))?.[0];
}

/** Makes a path absolute, without `.` and `..`; `undefined` if that cannot be known. Globs stay as they are. */
export function resolvePath(
  word: string,
  { directory, home }: { readonly directory: string | undefined; readonly home?: string | undefined },
): string | undefined {
  if (word === "~" || word.startsWith("~/"))
    return home === undefined ? undefined : normalizePath(home + word.slice(1));
  const slashed = /^[a-z]:\\|^\\\\/i.test(word) ? word.replaceAll("\\", "/") : word;
  if (isAbsolute(slashed)) return normalizePath(slashed);
  return directory === undefined ? undefined : normalizePath(`${directory}/${slashed}`);
}

/** The path relative to the root: empty for the root itself, `undefined` outside it. Both must be resolved. */
export function relativeToRoot(path: string, root: string): string | undefined {
  const folder = normalizePath(root);
  if (folder === "") return undefined;
  const spelt = spellLike(path, folder);
  if (spelt === folder) return "";
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return spelt.startsWith(prefix) ? spelt.slice(prefix.length) : undefined;
}

/** A Unix shell on Windows writes `/c/work` for `C:/work`. `//work` means `/work` unless the root itself is on a server. */
function spellLike(path: string, folder: string): string {
  if (/^[A-Z]:/.test(folder))
    return path.replace(/^\/([a-z])(?=\/|$)/i, (_, drive: string) => `${drive.toUpperCase()}:`);
  return folder.startsWith("//") ? path : path.replace(/^\/\//, "/");
}
