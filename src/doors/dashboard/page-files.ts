import { readFileSync } from "node:fs";
import path from "node:path";

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  "index.html": "text/html; charset=utf-8",
  "page.js": "text/javascript; charset=utf-8",
  "page.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
};

/** The built page, held in memory: four files, by the names that it knows them by. */
export function readPage(folder: string): ReadonlyMap<string, PageFile> {
  return new Map(
    Object.entries(TYPES).map(([name, type]) => [name, { type, bytes: readFileSync(path.join(folder, name)) }]),
  );
}
