import {
  type Archived,
  findArchived,
  joinArchived,
  listArchivedHandles,
  orderArchives,
  renderArchived,
} from "../../../survive/recall/archive-lines.ts";
import type { ClientPort } from "../client-port.ts";

/** The engine reads no file above 4 MiB; a character takes at most three bytes of it. */
export const MAX_CHARACTERS = 1_200_000;

/** Writes the results that leave the window before they leave it, several to a file; a very long one is split. Returns whether all were written. */
export async function writeArchive(
  $: ClientPort,
  folder: string,
  compaction: number,
  results: readonly Archived[],
): Promise<boolean> {
  const files: string[][] = [];
  let room = 0;
  for (const line of results.flatMap(renderArchived)) {
    if (line.length > room) {
      files.push([]);
      room = MAX_CHARACTERS;
    }
    files.at(-1)?.push(line);
    room -= line.length;
  }
  const writes = files.map((lines, part) =>
    $.fs.write(`${folder}/archive-${compaction}-${part + 1}.jsonl`, `${lines.join("\n")}\n`),
  );
  const outcomes = await Promise.allSettled(writes);
  return outcomes.every(({ status }) => status === "fulfilled");
}

/** The newest archived result of a call, or the segment of ledger that a handle names. */
export async function readArchived($: ClientPort, folder: string, callId: string): Promise<string | undefined> {
  const pieces: Archived[] = [];
  let foundIn: number | undefined;
  for (const { name, compaction } of await listArchives($, folder)) {
    if (foundIn !== undefined && compaction !== foundIn) break;
    const found = findArchived(await readQuietly($, `${folder}/${name}`), callId);
    pieces.push(...found);
    if (found.length > 0) foundIn = compaction;
  }
  return joinArchived(pieces);
}

export async function listArchived($: ClientPort, folder: string): Promise<readonly string[]> {
  const archives = await listArchives($, folder);
  const texts = await Promise.all(archives.map(({ name }) => readQuietly($, `${folder}/${name}`)));
  return texts.flatMap(listArchivedHandles);
}

async function listArchives($: ClientPort, folder: string): Promise<ReturnType<typeof orderArchives>> {
  const entries = await $.fs.list(folder).catch(() => []);
  return orderArchives(entries.map(({ name }) => name));
}

function readQuietly($: ClientPort, path: string): Promise<string> {
  return $.fs.read(path).catch(() => "");
}
