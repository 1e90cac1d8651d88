import type { TranscriptFile } from "../hosts/claude-code/disk/projects.ts";
import type { Terminal } from "./command.ts";
import { createProgress } from "./progress.ts";
import { type ScanAttempt, tryScan } from "./try-scan.ts";

/** The accounts of many transcripts, in their order. */
export function scanFiles(files: readonly TranscriptFile[], terminal: Terminal): readonly ScanAttempt[] {
  const progress = createProgress(terminal, "Reading sessions");
  const totalBytes = files.reduce((sum, file) => sum + file.bytes, 0);
  let doneBytes = 0;
  const attempts = files.map((file) => {
    const attempt = tryScan(file.path);
    doneBytes += file.bytes;
    progress.advance(doneBytes, totalBytes);
    return attempt;
  });
  progress.finish();
  return attempts;
}
