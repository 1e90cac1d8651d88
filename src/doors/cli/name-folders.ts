import { accessSync, constants, existsSync } from "node:fs";
import { errorCode } from "../../core/render-failure.ts";

/** Where was looked in vain, for a person: the folders of the clients that they use; the usual one where they use none. */
export function nameFolders(folders: readonly string[]): string {
  const closed = folders.filter(isClosed);
  const present = folders.filter((folder) => existsSync(folder) && !closed.includes(folder));
  // Of a home that is closed as a whole the first says it all.
  const named = present.length > 0 ? closed : closed.slice(0, 1);
  const told = [...named.map((folder) => `${folder} (no permission to read it)`), ...present];
  return (told.length > 0 ? told : folders.slice(0, 1)).join(", ");
}

/** Nobody knows what is in it: that is not the same as nothing. */
function isClosed(folder: string): boolean {
  try {
    accessSync(folder, constants.R_OK | constants.X_OK);
    return false;
  } catch (error) {
    return errorCode(error) === "EACCES" || errorCode(error) === "EPERM";
  }
}
