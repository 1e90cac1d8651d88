import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { INTERLEAVED, type LawScenario, playScenario, STEERED } from "../client/law-scenarios.ts";
import { buildRecordingPlugin, withoutPlaces } from "../support/engine-stream.ts";
import { cutVendorParts } from "./sanitise.ts";

const FIXTURES = path.resolve(import.meta.dirname, "../fixtures/engine");

/** Law scenarios of which a recorded stream is small. */
const STREAMS: Readonly<Record<string, LawScenario>> = {
  interleaved: INTERLEAVED,
  steered: STEERED,
};

/** Records what the module in the real client and the engine say to each other in law scenarios. */
export async function recordStreams(version: "2.1.325"): Promise<void> {
  const folder = path.join(FIXTURES, version);
  await mkdir(folder, { recursive: true });
  const own = await mkdtemp(path.join(tmpdir(), "plimsoll-stream-"));
  const [plugin, said] = [path.join(own, "plugin"), path.join(own, "said.jsonl")];
  await buildRecordingPlugin(plugin, said);
  for (const [name, scenario] of Object.entries(STREAMS)) {
    const session = await playScenario(scenario, { version, model: "claude-opus-5-5", plugins: [plugin] });
    const lines = (await readFile(said, "utf8")).split("\n").filter((line) => line !== "");
    const short = lines.map((line) => `${JSON.stringify(cutVendorParts(JSON.parse(line)))}\n`).join("");
    const recorded = withoutPlaces(short, session.workspace.root);
    await session.close();
    await rm(said);
    await writeFile(path.join(folder, `${name}.jsonl`), recorded);
    process.stdout.write(
      `${version} stream ${name.padEnd(12)} ${(recorded.length / 1024).toFixed(1).padStart(7)} KB\n`,
    );
  }
  await rm(own, { recursive: true, force: true });
}
