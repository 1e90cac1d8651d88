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
  const read = (folder: string) => readRecords(projects.listTranscripts(folder), weigh);
  const ofProject = await read(projects.locateTranscripts(environment, project));
  const ofPerson = ofProject.isEnough ? undefined : await read(projects.locateTranscripts(environment));
  if (!ofPerson?.isEnough) return { ...ofProject, of: "project", records: [...ofProject.records.values()] };
  // What this project called counts, however long ago, and its prompt is the newest that its sessions had.
  const records = new Map([...ofPerson.records, ...ofProject.records]);
  const { sections, schemas } = ofProject.schemas.size > 0 ? ofProject : ofPerson;
  return { of: "person", isEnough: true, records: [...records.values()], sections, schemas };
}

/** So much is read in about a second. */
const MOST_READ_BYTES = 400e6;

interface ReadRecords extends Omit<ToolEvidence, "of" | "records"> {
  /** By the session's file, the newest first. */
  readonly records: ReadonlyMap<string, ToolRecord>;
}

async function readRecords(files: readonly TranscriptFile[], weigh: (text: string) => number): Promise<ReadRecords> {
  const records = new Map<string, ToolRecord>();
  let newest: ToolScan | undefined;
  let oldestMs = Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (const file of files.filter(({ isSubagent }) => !isSubagent)) {
    bytes += file.bytes;
    if (bytes > MOST_READ_BYTES || selectEvidence(records.values())) break;
    const scan = await tryToScan(file);
    if (scan === undefined) continue;
    if (scan.schemas.size > 0) newest ??= scan;
    oldestMs = file.modifiedMs;
    const sizes = new Map([...scan.schemas].map(([name, schema]) => [name, weigh(schema)]));
    records.set(file.path, { ...scan, sizes });
  }
  const isEnough = selectEvidence(records.values()) !== undefined;
  // What a subagent called, its session called. The oldest session's may have ended before it.
  for (const file of files.filter(({ isSubagent }) => isSubagent)) {
    const scan = file.modifiedMs > oldestMs - LONGEST_SESSION_MS ? await tryToScan(file) : undefined;
    if (scan) records.set(file.path, { ...NO_SESSION, called: scan.called });
  }
  return { records, isEnough, sections: newest?.sections ?? [], schemas: newest?.schemas ?? new Map() };
}

const NO_SESSION: ToolRecord = { requests: 0, called: new Set(), offered: new Set(), sizes: new Map() };
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
