import path from "node:path";
import type { TranscriptFile } from "../../../hosts/host.ts";

export interface NamedFile {
  readonly name: string;
  readonly file: TranscriptFile;
}

/** Each file by its path below the folder that holds them all, in the order of those names; with strokes on every system. */
export function nameSessions(files: readonly TranscriptFile[]): readonly NamedFile[] {
  const split = files.map((file) => ({ file, segments: path.resolve(file.path).split(path.sep) }));
  const [first] = split;
  let common = 0;
  const isCommon = (at: number): boolean =>
    split.every(({ segments }) => at < segments.length - 1 && segments[at] === first?.segments[at]);
  while (first && isCommon(common)) common++;
  return split
    .map(({ file, segments }) => ({ name: segments.slice(common).join("/"), file }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}
