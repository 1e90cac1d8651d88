import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Edit } from "../../core/edit.ts";
import { readPlainFile } from "../../files/private-files.ts";
import { writeAtomically } from "../../files/write-file.ts";
import { locateSession } from "../../policy/deeds/data-paths.ts";
import { parseItems } from "../gateway/store/parse-stored.ts";

/** A long session has hundreds of decisions, each a few thousand characters. */
const MAX_BYTES = 64 << 20;

/** What was decided about a session, in Plimsoll's own data: OpenCode has no place for it. */
export interface DecisionsFile {
  readonly decisions: readonly Edit[];
  /** Throws where it cannot be written: then nothing may be decided. */
  add(edits: readonly Edit[]): void;
}

export function openDecisions(configFolder: string, sessionId: string): DecisionsFile {
  const folder = locateSession(configFolder, sessionId.replaceAll("_", "-"));
  const file = folder === undefined ? undefined : path.join(folder, "decisions.json");
  let decisions = file === undefined ? [] : read(file);
  return {
    get decisions() {
      return decisions;
    },
    add(edits) {
      if (folder === undefined || file === undefined) throw new Error(`no session id: ${sessionId}`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const next = [...decisions, ...edits];
      writeAtomically(file, JSON.stringify(next));
      decisions = next;
    },
  };
}

function read(file: string): readonly Edit[] {
  try {
    const items = parseItems(JSON.parse(readPlainFile(file, MAX_BYTES)?.text || "[]")) ?? [];
    return items.flatMap((item) => (item.kind === "recalled" ? [] : [item]));
  } catch {
    return [];
  }
}
