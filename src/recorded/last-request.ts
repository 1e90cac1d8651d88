import type { TranscriptFile } from "../hosts/host.ts";
import type { UsageScan } from "../hosts/usage.ts";

/**
 * When a session was last at work: its last request, because files that were copied or restored are all as new as the copy. No
 * request is younger than its file, whatever it says; a file without any is as old as itself.
 */
export function findLastRequestMs(
  { steps }: Pick<UsageScan, "steps">,
  { modifiedMs }: Pick<TranscriptFile, "modifiedMs">,
): number {
  const last = steps.reduce<number | undefined>(
    (latest, { atMs }) => (atMs !== undefined && (latest === undefined || atMs > latest) ? atMs : latest),
    undefined,
  );
  return last === undefined ? modifiedMs : Math.min(last, modifiedMs);
}

/** The one of the last request first; where nothing is known of a file, by its own time. */
export function rankByLastRequest<File extends Pick<TranscriptFile, "modifiedMs">>(
  files: readonly File[],
  scanOf: (file: File) => Pick<UsageScan, "steps"> | undefined,
): readonly File[] {
  return files
    .map((file) => {
      const scan = scanOf(file);
      return { file, atMs: scan ? findLastRequestMs(scan, file) : file.modifiedMs };
    })
    .sort((left, right) => right.atMs - left.atMs)
    .map(({ file }) => file);
}
