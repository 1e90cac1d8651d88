import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import { appendPrivateFile, writePrivateFile } from "../../../files/private-files.ts";
import { locateHome } from "../../../hosts/catalogue.ts";
import { locateData } from "../../../policy/deeds/data-paths.ts";
import type { ContextPreview } from "../../../recorded/preview/preview-context.ts";
import type { Terminal } from "../command.ts";

/** Above this the record begins anew. */
const MAX_BYTES = 1024 * 1024;

/** A line for each answer given; where it was written, or `null` where it could not be: a record is not worth failing for. */
export function recordPreview(preview: ContextPreview, { environment, directory, nowMs }: Terminal): string | null {
  const folder = locateData(locateHome(environment));
  const file = path.join(folder, "previews.jsonl");
  const line = `${JSON.stringify({ atMs: nowMs(), directory, ...preview })}\n`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const isFull = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) + line.length > MAX_BYTES;
    if (isFull) writePrivateFile(file, line);
    else appendPrivateFile(file, line);
    return file;
  } catch {
    return null;
  }
}
