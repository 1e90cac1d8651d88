import { STATE_FILES, type StateFile } from "../../survive/project-state/state-files.ts";

/** Entries of these were right less than eight times in ten, or too few were found to say, when two readers judged them (`docs/modes.md`). */
const SELDOM_RIGHT: readonly StateFile[] = ["conventions.md", "instincts.md", "session-log.md"];

export const DEFAULT_STATE_FILES: readonly StateFile[] = STATE_FILES.filter((file) => !SELDOM_RIGHT.includes(file));

/** Names as they stand in the folder, with or without their ending; `true` for all, `false` for none; or in words what to write. */
export function parseStateFiles(value: unknown): readonly StateFile[] | string {
  if (typeof value === "boolean") return value ? STATE_FILES : [];
  const names: readonly unknown[] = Array.isArray(value) ? value : [undefined];
  const files = names.map((name) => STATE_FILES.find((file) => file === name || file.replace(/\.\w+$/, "") === name));
  const known = files.filter((file) => file !== undefined);
  return known.length === files.length ? known : `write true, false or a list of ${STATE_FILES.join(", ")}`;
}
