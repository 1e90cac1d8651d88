import type { Engine } from "./engine.ts";

/** A call's result as the model read it, put away when a compaction takes it out of the window. */
export interface Archived {
  readonly callId: string;
  readonly text: string;
}

/** The engine reads no file above 4 MiB; a character is at most three bytes of it. */
export const MAX_CHARACTERS = 1_200_000;
/** Written as JSON a character may take six. */
const MAX_PIECE = 200_000;

/**
 * Writes the results that leave the window, some to a file, before they leave it: into the first folder that takes them all.
 * A very long one goes in pieces. False where none does.
 */
export async function writeArchive(
  $: Engine,
  folders: readonly string[],
  compaction: number,
  results: readonly Archived[],
): Promise<boolean> {
  const files: string[][] = [];
  let room = 0;
  for (const line of results.flatMap(renderPieces)) {
    if (line.length > room) {
      files.push([]);
      room = MAX_CHARACTERS;
    }
    files.at(-1)?.push(line);
    room -= line.length;
  }
  for (const folder of folders) {
    const writes = files.map((lines, part) =>
      $.fs.write(`${folder}/archive-${compaction}-${part + 1}.jsonl`, `${lines.join("\n")}\n`),
    );
    const outcomes = await Promise.allSettled(writes);
    if (outcomes.every(({ status }) => status === "fulfilled")) return true;
  }
  return false;
}

function renderPieces({ callId, text }: Archived): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from === 0 || from < text.length; from += MAX_PIECE)
    pieces.push(JSON.stringify({ callId, text: text.slice(from, from + MAX_PIECE) }));
  return pieces;
}

/** The newest archived result of a call. */
export async function readArchived($: Engine, folders: readonly string[], callId: string): Promise<string | undefined> {
  for (const folder of folders) {
    const found = await readFolder($, folder, callId);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function readFolder($: Engine, folder: string, callId: string): Promise<string | undefined> {
  const entries = await $.fs.list(folder).catch(() => []);
  const places = entries.flatMap(({ name }) => {
    const [, compaction = "", part = ""] = /^archive-(\d+)-(\d+)\.jsonl$/.exec(name) ?? [];
    return compaction === "" ? [] : [{ name, compaction: Number(compaction), part: Number(part) }];
  });
  places.sort((left, right) => right.compaction - left.compaction || left.part - right.part);
  const opening = `{"callId":${JSON.stringify(callId)},`;
  const pieces: string[] = [];
  let foundIn: number | undefined;
  for (const { name, compaction } of places) {
    if (foundIn !== undefined && compaction !== foundIn) break;
    const text = await $.fs.read(`${folder}/${name}`).catch(() => "");
    for (const line of text.split("\n")) {
      const found = line.startsWith(opening) ? parseArchived(line) : undefined;
      if (!found) continue;
      pieces.push(found.text);
      foundIn = compaction;
    }
  }
  return foundIn === undefined ? undefined : pieces.join("");
}

function parseArchived(line: string): Archived | undefined {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || !("text" in value) || !("callId" in value)) return undefined;
    return typeof value.text === "string" && typeof value.callId === "string"
      ? { callId: value.callId, text: value.text }
      : undefined;
  } catch {
    return undefined;
  }
}
