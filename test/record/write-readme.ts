import { readFile, writeFile } from "node:fs/promises";
import { CLIENT_VERSIONS } from "../client/fetch-client.ts";
import type { Recording } from "./recording.ts";
import { type FixtureEntry, renderReadme } from "./render-readme.ts";

const FIXTURES = new URL("../fixtures/claude-code/", import.meta.url);

/** Writes the README for every recording that has a fixture, whether or not it was recorded just now. */
export async function writeReadme(recordings: readonly Recording[]): Promise<void> {
  const entries: FixtureEntry[] = [];
  for (const version of CLIENT_VERSIONS) {
    for (const recording of recordings.filter((entry) => entry.target === undefined)) {
      const file = `${version}/${recording.name}.jsonl`;
      const transcript = await readFile(new URL(file, FIXTURES), "utf8").catch(() => null);
      if (transcript === null) continue;
      entries.push({ file, bytes: Buffer.byteLength(transcript), shows: recording.shows, transcript });
    }
  }
  await writeFile(new URL("README.md", FIXTURES), renderReadme(entries));
}
