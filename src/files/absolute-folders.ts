import path from "node:path";

/** The folders of PATH in which a program may be looked for: a relative one names a folder of whichever project we are in. */
export function absoluteFolders({ PATH = "" }: Readonly<Record<string, string | undefined>>): readonly string[] {
  return PATH.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}
