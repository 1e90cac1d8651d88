import { readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import type { ClientVersion } from "../client/fetch-client.ts";
import type { SessionFiles } from "../client/find-session-files.ts";
import { createStage } from "./create-stage.ts";
import type { Line, Recording } from "./recording.ts";
import { type Places, sanitiseText, shortenVendorText } from "./sanitise.ts";
import { type Clock, scaleClock, startOf } from "./scale-clock.ts";
import { writeFixture } from "./write-fixture.ts";

/** Plays a recording on one version of the client, checks the session and writes it down. Returns the bytes written. */
export async function recordSession(recording: Recording, version: ClientVersion): Promise<number> {
  const { stage, workspace, api, session, close } = await createStage(version);
  try {
    await recording.play(stage);
    const files = await session();
    const places: Places = { home: workspace.home, cwd: workspace.cwd, hostName: hostname() };
    const raw = await readFile(files.transcript, "utf8");
    recording.verify({
      lines: parseLines(raw),
      requests: api().requests,
      subagents: files.subagents.map((path) => basename(path)),
      toolResults: files.toolResults.map((path) => basename(path)),
    });
    const clock: Clock = { startMs: startOf(raw), factor: recording.clockFactor ?? 1 };
    const render = (text: string) => scaleClock(renderTranscript(text, places), clock);
    const transcript = render(raw);
    const target = recording.target ?? join("test/fixtures/claude-code", version, recording.name);
    return await writeFixture(target, {
      transcript: recording.finish?.(transcript) ?? transcript,
      others: new Map([...(await readSubagents(files, { places, render })), ...(await readOthers(files, places))]),
    });
  } finally {
    await close();
  }
}

interface Rendering {
  readonly places: Places;
  readonly render: (transcript: string) => string;
}

async function readSubagents(files: SessionFiles, { places, render }: Rendering): Promise<ReadonlyMap<string, string>> {
  const read = new Map<string, string>();
  for (const path of files.subagents) {
    const content = await readFile(path, "utf8");
    const clean = path.endsWith(".jsonl") ? render(content) : sanitiseText(content, places);
    read.set(join("subagents", basename(path)), clean);
  }
  return read;
}

async function readOthers(files: SessionFiles, places: Places): Promise<ReadonlyMap<string, string>> {
  const read = new Map<string, string>();
  for (const [folder, paths] of Object.entries({ "tool-results": files.toolResults, tasks: files.tasks })) {
    for (const path of paths) {
      read.set(join(folder, basename(path)), sanitiseText(await readFile(path, "utf8"), places));
    }
  }
  return read;
}

/** Names of places go first: a text that is cut in the middle of one would keep its half. */
function renderTranscript(raw: string, places: Places): string {
  const lines = parseLines(sanitiseText(raw, places));
  return lines.map((line) => `${JSON.stringify(shortenVendorText(line))}\n`).join("");
}

function parseLines(transcript: string): readonly Line[] {
  return transcript
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}
