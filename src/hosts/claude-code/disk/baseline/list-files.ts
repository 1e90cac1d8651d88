import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { readPlainFile } from "../../../../files/private-files.ts";

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

const MAX_FILE_BYTES = 1_000_000;
const MOST_DEPTH = 6;
const MOST_FILES = 2000;

/** The files below a folder that the name fits, in the order of their paths; what cannot be read is passed over. */
export function listFiles(folder: string, fits: (name: string) => boolean): readonly TextFile[] {
  const found: TextFile[] = [];
  walk(folder, 0, (file) => {
    if (!fits(path.basename(file))) return;
    const read = readPlainFile(file, MAX_FILE_BYTES);
    if (read && read.problem === undefined) found.push({ path: file, text: read.text });
  });
  return found.sort((left, right) => (left.path < right.path ? -1 : 1));
}

function walk(folder: string, depth: number, onFile: (file: string) => void, seen = { files: 0 }): void {
  if (depth > MOST_DEPTH || seen.files > MOST_FILES || !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return;
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) walk(full, depth + 1, onFile, seen);
      else if (entry.isFile() && seen.files++ <= MOST_FILES) onFile(full);
    }
  } catch {
    // A folder that may not be listed has nothing to tell.
  }
}

/** The fields at the head of a definition, as far as they are single texts, and what stands below. */
interface FrontMatter {
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Enough of YAML for what clients read: `key: text`, folded and literal blocks, quotes. Lists come as their text. */
export function parseFrontMatter(text: string): FrontMatter {
  const match = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match) return { fields: {}, body: text };
  const fields: Record<string, string> = {};
  let key = "";
  for (const line of (match[1] ?? "").split(/\r?\n/)) {
    const start = /^([\w-]+):[ \t]*(.*)$/.exec(line);
    if (start) {
      key = start[1] ?? "";
      const value = (start[2] ?? "").trim();
      fields[key] = /^[|>][+-]?$/.test(value) ? "" : value.replace(/^(["'])(.*)\1$/, "$2");
    } else if (key !== "" && line.trim() !== "") {
      fields[key] = `${fields[key] ?? ""} ${line.trim()}`.trim();
    }
  }
  return { fields, body: text.slice(match[0].length) };
}
