import { setImmediate as giveWay } from "node:timers/promises";
import {
  isObject,
  type JsonObject,
  listField,
  objectField,
  parseObject,
  textField,
  textListField,
} from "../../../core/json.ts";
import { readAppendedLines } from "../../../files/file-cursor.ts";
import { estimateTextTokens, type Tokenizer } from "../../../models/tokens.ts";
import { selectEvidence, type ToolRecord } from "../../../policy/choose-deferred.ts";
import type { ToolEvidence } from "../../baseline.ts";
import type { Environment, TranscriptFile } from "../../host.ts";
import { projects } from "./projects.ts";
import { createByteFinder } from "./scan-usage.ts";

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

/** What a session's transcript says about the base of its requests. The texts are those of the newest request that the client recorded. */
type ToolScan = Omit<ToolRecord, "sizes"> & Pick<ToolEvidence, "sections" | "schemas">;

const CALL = Buffer.from('{"type":"tool_use",');
const MESSAGE = Buffer.from('"message":{');
const ATTACHMENT = Buffer.from('"attachment":{"type":"');
const LOOKED_AT_BYTES = 400;
const NAMED = /^\{"type":"tool_use","id":"[^"]*","name":"([^"]+)"/;
const ANSWERED = /^"message":\{(?:(?!"content":).)*?"id":"([^"]+)"/;
const ATTACHED = /^"attachment":\{"type":"(prompt_snapshot|deferred_tools_delta)"/;

/** A tool's name in earlier clients, and today's. */
const RENAMED: Readonly<Record<string, string>> = { Task: "Agent" };

/**
 * Looks for calls and for what the client recorded of its prompt, without decoding the rest: inside a JSON string the quotes of a needle would
 * be escaped, so a match is a block. Throws what the system throws.
 */
function scanTools(path: string): ToolScan {
  const answers = new Set<string>();
  const called = new Set<string>();
  const offered = new Set<string>();
  let sections: readonly string[] = [];
  let schemas = new Map<string, string>();
  const calls = createByteFinder(CALL);
  const messages = createByteFinder(MESSAGE);
  const attachments = createByteFinder(ATTACHMENT);

  const take = (attachment: JsonObject): void => {
    if (textField(attachment, "type") === "deferred_tools_delta") {
      for (const name of textListField(attachment, "addedNames")) offered.add(name);
      return;
    }
    sections = textListField(attachment, "systemPrompt");
    const tools = listField(attachment, "tools").filter(isObject);
    // A snapshot before the first request has no tools yet.
    if (tools.length > 0) schemas = new Map(tools.map((tool) => [textField(tool, "name"), renderSchema(tool)]));
    for (const name of schemas.keys()) offered.add(name);
  };

  readAppendedLines(path, {
    onRefill: () => {
      for (const finder of [calls, messages, attachments]) finder.forget();
    },
    onBytes: (bytes, from, to) => {
      const cut = (at: number): string => bytes.toString("latin1", at, Math.min(to, at + LOOKED_AT_BYTES));
      const attached = attachments.find(bytes, from);
      if (attached >= 0 && attached < to) {
        if (ATTACHED.test(cut(attached)))
          take(objectField(parseObject(bytes.toString("utf8", from, to)), "attachment") ?? {});
        return;
      }
      const message = messages.find(bytes, from);
      // A split answer has a line for each of its blocks. What the person said has no id.
      const id = message >= 0 && message < to ? ANSWERED.exec(cut(message))?.[1] : undefined;
      if (id !== undefined) answers.add(id);
      for (let at = calls.find(bytes, from); at >= 0 && at < to; at = calls.find(bytes, at + CALL.length)) {
        const name = NAMED.exec(cut(at))?.[1];
        if (name !== undefined) called.add(RENAMED[name] ?? name);
      }
    },
    onLine: () => undefined,
    onOverlongLine: () => undefined,
  });
  return { requests: answers.size, called, offered, sections, schemas };
}

function renderSchema(tool: JsonObject): string {
  return JSON.stringify({
    name: tool.name ?? "",
    description: tool.description ?? "",
    input_schema: tool.schema ?? {},
  });
}
