import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

export interface Fixture {
  readonly transcript: string;
  /** Files next to the transcript, by their path in the session's folder. */
  readonly others: ReadonlyMap<string, string>;
}

/** Replaces a fixture as a whole: files of an earlier recording must not stay behind. Returns the bytes written. */
export async function writeFixture(target: string, fixture: Fixture): Promise<number> {
  const base = join(REPOSITORY, target);
  await rm(base, { recursive: true, force: true });
  await write(`${base}.jsonl`, fixture.transcript);
  let bytes = Buffer.byteLength(fixture.transcript);
  for (const [path, content] of fixture.others) {
    await write(join(base, path), content);
    bytes += Buffer.byteLength(content);
  }
  return bytes;
}

async function write(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
