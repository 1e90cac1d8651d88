import { existsSync } from "node:fs";

/** Where was looked in vain, for a person: the folders of the clients that they use; the usual one where they use none. */
export function nameFolders(folders: readonly string[]): string {
  const present = folders.filter((folder) => existsSync(folder));
  return (present.length > 0 ? present : folders.slice(0, 1)).join(", ");
}
