import { parseArgs } from "node:util";
import { CLIENT_VERSIONS, type ClientVersion, fetchClient } from "../client/fetch-client.ts";
import { canIsolate, rerunIsolated } from "./isolate.ts";
import { recordSession } from "./record-session.ts";
import { recordStreams } from "./record-streams.ts";
import type { Recording } from "./recording.ts";
import { RECORDINGS } from "./recordings.ts";
import { writeReadme } from "./write-readme.ts";

const HELP = `Records fixtures from the real client against a scripted API on loopback.

  npm run record                                    every recording on every version
  npm run record -- --only parallel                 one recording (may be given several times)
  npm run record -- --version 2.1.325               one version of the client
  npm run record -- --streams                       what the module and the engine say to each other, and nothing else
  npm run record -- --isolated                      in a network namespace with loopback alone (needs root, unshare and ip)
  npm run record -- --help

Recordings: ${RECORDINGS.map((recording) => recording.name).join(", ")}
Versions:   ${CLIENT_VERSIONS.join(", ")}
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true },
      version: { type: "string" },
      streams: { type: "boolean", default: false },
      isolated: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const versions = CLIENT_VERSIONS.filter((version) => values.version === undefined || values.version === version);
  const recordings = RECORDINGS.filter((recording) => values.only?.includes(recording.name) ?? true);
  if (versions.length === 0 || recordings.length === 0) {
    process.stderr.write(`nothing to record: no such recording or version\n\n${HELP}`);
    return 2;
  }
  // Fetched before the network goes away.
  for (const version of versions) await fetchClient(version);
  if (values.isolated) {
    if (await canIsolate()) return rerunIsolated(process.argv.slice(2).filter((argument) => argument !== "--isolated"));
    process.stderr.write("a network namespace is not to be had here; record without --isolated\n");
    return 2;
  }
  if (values.streams) {
    await recordStreams("2.1.325");
    return 0;
  }
  const failures = await recordAll(recordings, versions);
  await writeReadme(RECORDINGS);
  return failures === 0 ? 0 : 1;
}

async function recordAll(recordings: readonly Recording[], versions: readonly ClientVersion[]): Promise<number> {
  let failures = 0;
  for (const version of versions) {
    for (const recording of recordings.filter((entry) => entry.versions?.includes(version) ?? true)) {
      const startMs = Date.now();
      process.stdout.write(`${version} ${recording.name.padEnd(18)} `);
      try {
        const bytes = await recordSession(recording, version);
        process.stdout.write(`${(bytes / 1024).toFixed(1).padStart(7)} KB  ${Date.now() - startMs} ms\n`);
      } catch (error) {
        failures += 1;
        process.stdout.write(`failed: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
  }
  return failures;
}

process.exitCode = await main();
