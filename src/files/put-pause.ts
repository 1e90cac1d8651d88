import { redactSecrets } from "../fold/redact-secrets.ts";
import { CONTINUE_HERE_PATH, parseContinueHere, renderContinueHere } from "../policy/advice/continue-here.ts";
import { readPause } from "./project-reader.ts";
import type { ProjectStore } from "./save-project-state.ts";

/** Where the work stands, into the project for its next session; an empty text takes it away again. */
export async function putPause(store: ProjectStore, project: string, text: string): Promise<void> {
  const folder = `${project}/.plimsoll`;
  const file = `${project}/${CONTINUE_HERE_PATH}`;
  const kind = await store.kindOf(folder);
  if (kind !== undefined && kind !== "folder") throw new Error(`${folder} is not a folder`);
  const found = await store.kindOf(file);
  // A link, or what somebody else wrote in this place, is theirs.
  const isFree = found === undefined || isOurs(await readPause(store, project));
  if (text === "" && (found === undefined || !isFree)) return;
  if (!isFree) throw new Error(`${file} is not ours to replace`);
  await store.alone(folder, () => (text === "" ? store.remove(file) : store.write(file, redactSecrets(text))));
}

/** It says nothing but what we would write of it. */
function isOurs(text: string): boolean {
  const pause = parseContinueHere(text);
  return pause !== undefined && renderContinueHere(pause) === text;
}
