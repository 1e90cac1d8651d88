/** If red: a recording holds something of the machine that it was made on. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CLIENT_VERSIONS } from "../client/fetch-client.ts";
import { RECORDINGS } from "./recordings.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));
const FIXTURES = "test/fixtures/claude-code";
const MAX_FIXTURE_BYTES = 1_200_000;
const MAX_SAMPLE_BYTES = 800 * 1024;

interface RecordedFile {
  readonly path: string;
  readonly content: string;
}

async function readFolder(folder: string): Promise<readonly RecordedFile[]> {
  const entries = await readdir(join(REPOSITORY, folder), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path, content: await readFile(path, "utf8") })));
}

describe("the recorded fixtures", async () => {
  const fixtures = await readFolder(FIXTURES);
  const samples = await readFolder("samples");

  it("exist for every recording and version", () => {
    const present = fixtures.map((file) => file.path.slice(join(REPOSITORY, FIXTURES).length + 1));
    const expected = CLIENT_VERSIONS.flatMap((version) =>
      RECORDINGS.filter(
        (recording) => recording.target === undefined && (recording.versions?.includes(version) ?? true),
      ).map((recording) => `${version}/${recording.name}.jsonl`),
    );
    expect(present).toEqual(expect.arrayContaining(expected));
  });

  it("hold nothing of the machine they were made on", () => {
    const leaks = [...fixtures, ...samples].filter(({ content }) =>
      /\/tmp\/plimsoll|\/root\b|sk-ant-|-tmp-plimsoll/.test(content),
    );
    expect(leaks.map((file) => file.path)).toEqual([]);
  });

  it("are whole JSON lines, but for the one that is cut by hand", () => {
    const broken = [...fixtures, ...samples]
      .filter(({ path, content }) => path.endsWith(".jsonl") && !content.trimEnd().split("\n").every(isJson))
      .map(({ path }) => path.split("/").at(-1));
    expect(broken).toEqual(CLIENT_VERSIONS.map(() => "interrupted.jsonl"));
  });

  it("stay small", () => {
    const sample = samples.find((file) => file.path.endsWith("demo-session.jsonl"));
    expect(Buffer.byteLength(sample?.content ?? "")).toBeLessThanOrEqual(MAX_SAMPLE_BYTES);
    expect(fixtures.reduce((sum, file) => sum + Buffer.byteLength(file.content), 0)).toBeLessThan(MAX_FIXTURE_BYTES);
  });
});

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
