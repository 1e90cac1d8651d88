import { readFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../../core/sha256.ts";
import { decodeUtf8, encodeUtf8 } from "../../core/utf8.ts";
import type { Conversations } from "../../files/artifacts/prune-artifacts.ts";
import type { StoredBytes } from "../../files/artifacts/read-artifacts.ts";
import type { StoreResult } from "../../files/artifacts/store-result.ts";
import { listProject, listSessions } from "../../hosts/catalogue.ts";
import { locateOwnData } from "../../recorded/own-data.ts";
import { answerRecall, findNearest } from "../../survive/recall/answer-recall.ts";
import { type Part, pickParts } from "../../survive/recall/pick-parts.ts";
import { findWanted } from "../../survive/recall/recall.ts";
import { parseHandles, type Wanted } from "../../survive/recall/recall-request.ts";
import { findPlace, findTranscript, listSessionIds, openPlace, type Place } from "../mcp/place.ts";
import { createPort } from "../mcp/recall-port.ts";
import { createServerSession } from "../mcp/sessions.ts";
import { CliError, type Terminal } from "./command.ts";

/** An original to return, with the hash of its bytes. */
export interface Given extends StoredBytes {
  readonly name: string;
}

export interface Library {
  read(name: string): StoreResult<StoredBytes> | Promise<StoreResult<StoredBytes>>;
  handles(): readonly string[];
  readCall(wanted: Wanted): Promise<readonly Part[]>;
}

/** Everything that left the conversations of the current project. */
export function openLibrary(terminal: Terminal): Library {
  const place = locatePlace(terminal);
  const { read, handles } = openPlace(place);
  return { read, handles, readCall: (wanted) => readCall(place, wanted) };
}

export function locatePlace({ environment, directory }: Terminal): Place {
  return { ...findPlace(environment, directory), project: path.resolve(directory), sessionId: "" };
}

/** The original of a handle. If there are several texts, each gets the heading a model would see. */
export async function findOriginal(library: Library, handle: string): Promise<Given> {
  const wanted = parseHandles([handle]);
  const [only] = wanted;
  if (only && wanted.length === 1 && only.digits === undefined) {
    // A call's result, or the contents of a readable file.
    const [part] = await library.readCall(only);
    return part ? toGiven(handle, part.text) : requireFound(library, handle, await library.read(handle));
  }
  const given: (Given | readonly Part[])[] = [];
  for (const one of wanted) given.push(await findOne(library, one));
  const [first] = given;
  if (given.length === 1 && first && "bytes" in first) return first;
  const parts = given.flatMap((each) => ("bytes" in each ? toPart(each) : each));
  const [part] = parts;
  return toGiven(handle, parts.length === 1 && part !== undefined ? part.text : renderAll(parts));
}

async function findOne(library: Library, wanted: Wanted): Promise<Given | readonly Part[]> {
  const { name, digits, section, range } = wanted;
  const stored = await library.read(digits ?? name);
  if (!stored.ok && stored.problem.code === "notFound") {
    const parts = await library.readCall(wanted);
    if (parts.length > 0) return parts;
  }
  const found = requireFound(library, name, stored);
  const text = decodeUtf8(found.bytes);
  if (text === undefined && section === undefined && range === undefined) return found;
  const picked = pickParts(wanted, text ?? "");
  if ("missing" in picked) throw CliError.foundNothing(`there is no ${name}: ${picked.missing.why}`);
  const [part, ...more] = picked.parts;
  return part?.text === text && more.length === 0 ? found : picked.parts;
}

function requireFound(library: Library, name: string, found: StoreResult<StoredBytes>): Given {
  if (found.ok) return { name, ...found.value };
  const { code, detail } = found.problem;
  const nearest = code === "notFound" ? findNearest(name, library.handles()) : [];
  const hint = nearest.length === 0 ? "" : `; similar handles: ${nearest.join(", ")}`;
  const why = `${detail}${hint}`;
  throw code === "corrupt" ? CliError.failed(why) : CliError.foundNothing(why);
}

/** The call's result from the newest session that has the handle. */
async function readCall(place: Place, wanted: Wanted): Promise<readonly Part[]> {
  // Following a session takes a while; searching its file for the id is fast.
  const id = wanted.name.replace(/^call:/, "");
  for (const sessionId of listSessionIds(place)) {
    const file = findTranscript({ ...place, sessionId });
    if (file === undefined || !holds(file, id)) continue;
    const port = createPort(createServerSession({ ...place, sessionId }));
    const found = await findWanted({ ...wanted, digits: undefined }, port);
    if ("parts" in found) return found.parts;
  }
  return [];
}

function holds(file: string, id: string): boolean {
  try {
    return id !== "" && readFileSync(file).includes(id);
  } catch {
    return false;
  }
}

function renderAll(parts: readonly Part[]): string {
  const request = { wanted: [], page: 1, lines: undefined, pattern: "" };
  const answer = answerRecall(request, [{ parts }], { known: [], pageCharacters: Number.POSITIVE_INFINITY });
  return answer.isError ? "" : answer.blocks.filter((block) => typeof block === "string").join("\n");
}

function toPart({ name, bytes }: Given): Part {
  return { name, handle: name, text: decodeUtf8(bytes) ?? `${bytes.length} bytes that are not text` };
}

function toGiven(name: string, text: string): Given {
  const bytes = encodeUtf8(text);
  return { name, bytes, sha256: sha256(bytes) };
}

export function describeConversations({ environment, directory, nowMs }: Terminal): Conversations {
  const project = path.resolve(directory);
  return {
    project,
    dataFolder: locateOwnData(environment),
    resumable: listSessions(environment),
    transcripts: listProject(environment, project).map((file) => file.path),
    nowMs: nowMs(),
  };
}
