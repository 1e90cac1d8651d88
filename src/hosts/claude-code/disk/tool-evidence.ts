import { setImmediate as giveWay } from "node:timers/promises";
import { estimateTextTokens, type Tokenizer } from "../../../models/tokens.ts";
import { selectEvidence, type ToolRecord } from "../../../policy/choose-deferred.ts";
import type { ToolEvidence } from "../../baseline.ts";
import type { Environment, TranscriptFile } from "../../host.ts";
import { projects } from "./projects.ts";
import { scanTools, type ToolScan } from "./scan-tools.ts";

/** Reads the newest sessions of the project or, if these are too few, of the person. Others may work between two files. */
export async function readToolEvidence(
  environment: Environment,
  project: string,
  tokenizer: Tokenizer,
): Promise<ToolEvidence> {
  const weigh = createWeigher(tokenizer);
  const ofProject = await readRecords(
    projects.listTranscripts(projects.locateTranscripts(environment, project)),
    weigh,
  );
  if (ofProject.isEnough) return { ...ofProject, of: "project" };
  const ofPerson = await readRecords(projects.listTranscripts(projects.locateTranscripts(environment)), weigh);
  // What this project called counts, however long ago.
  return { ...ofPerson, records: [...ofPerson.records, ...ofProject.records], of: "person" };
}

/** So much is read in about a second. */
const MOST_READ_BYTES = 400e6;

async function readRecords(
  files: readonly TranscriptFile[],
  weigh: (text: string) => number,
): Promise<Omit<ToolEvidence, "of">> {
  const read: { readonly file: TranscriptFile; readonly record: ToolRecord }[] = [];
  let newest: ToolScan | undefined;
  let bytes = 0;
  for (const file of files.filter(({ isSubagent }) => !isSubagent)) {
    bytes += file.bytes;
    if (bytes > MOST_READ_BYTES || selectEvidence(read.map(({ record }) => record))) break;
    const scan = await tryToScan(file);
    if (scan === undefined) continue;
    if (scan.schemas.size > 0) newest ??= scan;
    const sizes = new Map([...scan.schemas].map(([name, schema]) => [name, weigh(schema)]));
    read.push({ file, record: { ...scan, sizes } });
  }
  const own = read.map(({ record }) => record);
  const oldestMs = read.at(-1)?.file.modifiedMs ?? Number.POSITIVE_INFINITY;
  return {
    records: [...own, ...(await readDelegated(files, oldestMs))],
    sections: newest?.sections ?? [],
    schemas: newest?.schemas ?? new Map(),
    isEnough: selectEvidence(own) !== undefined,
  };
}

/** What a subagent called, its session called. The oldest session's may have ended before it. */
async function readDelegated(files: readonly TranscriptFile[], oldestMs: number): Promise<readonly ToolRecord[]> {
  const records: ToolRecord[] = [];
  for (const file of files.filter(({ isSubagent }) => isSubagent)) {
    const scan = file.modifiedMs > oldestMs - LONGEST_SESSION_MS ? await tryToScan(file) : undefined;
    if (scan) records.push({ requests: 0, called: scan.called, offered: new Set(), sizes: new Map() });
  }
  return records;
}

const LONGEST_SESSION_MS = 86_400_000;

/** `undefined` for a file that was deleted since it was listed, or cannot be read. */
async function tryToScan({ path }: TranscriptFile): Promise<ToolScan | undefined> {
  await giveWay();
  try {
    return scanTools(path);
  } catch {
    return undefined;
  }
}

/** Sessions send the same schemas, so each is weighed once. */
function createWeigher(tokenizer: Tokenizer): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const tokens = known.get(text) ?? Math.round(estimateTextTokens(text, tokenizer));
    known.set(text, tokens);
    return tokens;
  };
}
