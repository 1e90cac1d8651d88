import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface IgnoreRules {
  readonly text: string;
  /** The project has no file of its own. */
  readonly isDefault: boolean;
}

/** Both count, ours last, so that a line of ours can allow what the other one keeps out. */
const NAMES = [".ckignore", ".plimsollignore"] as const;
const MAX_BYTES = 100_000;

/** What a project keeps out of the window. A file that cannot be read whole counts as absent: a guard fails open. */
export function readIgnoreRules(project: string): IgnoreRules {
  const texts = NAMES.map((name) => readPlain(join(project, name))).filter((text) => text !== "");
  return { text: texts.join("\n"), isDefault: texts.length === 0 };
}

function readPlain(file: string): string {
  if (!existsSync(file)) return "";
  const status = lstatSync(file);
  return status.isFile() && status.size <= MAX_BYTES ? readFileSync(file, "utf8") : "";
}
