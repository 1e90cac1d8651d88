import path from "node:path";
import { sha256 } from "../../core/sha256.ts";
import { nameHandle } from "../../fold/marker.ts";
import { claimOriginal, WAITS } from "../../policy/trust/agreement.ts";
import { hasAgreedSync } from "../node-agreement.ts";
import { readPlainBytes, StoreError } from "../private-files.ts";
import { type ArtifactFolder, findLink, listOwnNames, locateObject, readRecords } from "./artifact-folder.ts";
import { describeArtifact, type StoredArtifact } from "./keep-artifact.ts";
import { attempt, fail, type StoreResult, succeed } from "./store-result.ts";

/** The bytes of an original, and the hash that they were checked against. */
export interface StoredBytes {
  readonly sha256: string;
  readonly bytes: Uint8Array;
}

const LEAST_DIGITS = 6;

export function listArtifacts(folder: ArtifactFolder): {
  readonly artifacts: readonly StoredArtifact[];
  readonly unreadable: number;
} {
  const { records, unreadable } = readRecords(folder);
  const own = records.filter(({ sha256 }) => isOwn(folder, sha256));
  return { artifacts: own.map((record) => describeArtifact(folder, record)), unreadable };
}

/** By handle, by the first digits of a hash, or by the name of a readable file. */
export function readArtifact(folder: ArtifactFolder, name: string): StoreResult<StoredBytes> {
  const found = find(folder, name);
  if (!found.ok) return found;
  const read = attempt("notFound", () => readStoredObject(folder, found.value));
  if (!read.ok) return read;
  if (sha256(read.value) !== found.value)
    return fail("corrupt", `the bytes kept under ${name} have changed since they were stored`);
  return succeed({ sha256: found.value, bytes: read.value });
}

/** Whether this person's sessions stored it, or the person agreed to it: a repository can contain any text under its true hash. */
export function isOwn({ agreedIn }: ArtifactFolder, hash: string): boolean {
  return agreedIn === undefined || hasAgreedSync(agreedIn, claimOriginal(hash));
}

/** Every handle that can be read, whether a record lists it or not. */
export function listHandles(folder: ArtifactFolder): readonly string[] {
  return listObjects(folder)
    .filter((hash) => isOwn(folder, hash))
    .map(nameHandle);
}

export function listObjects(folder: ArtifactFolder): readonly string[] {
  return listOwnNames(folder, folder.objects)
    .flatMap((part) => listOwnNames(folder, path.join(folder.objects, part)))
    .filter((name) => /^[0-9a-f]{64}$/.test(name));
}

/** The bytes stored under a hash, unchecked; throws if there are none. */
export function readStoredObject(folder: ArtifactFolder, hash: string): Uint8Array {
  const file = locateObject(folder, hash);
  const link = findLink(folder, file);
  if (link !== undefined) throw new StoreError("link", `${link} is a link`);
  return readPlainBytes(file);
}

function find(folder: ArtifactFolder, name: string): StoreResult<string> {
  const { records } = readRecords(folder);
  const byFile = records.find(({ file }) => file === path.basename(name));
  if (byFile) return isOwn(folder, byFile.sha256) ? succeed(byFile.sha256) : refuseForeign(name);
  const digits = name.replace(/^plimsoll:/, "").toLowerCase();
  if (!/^[0-9a-f]+$/.test(digits) || digits.length < LEAST_DIGITS)
    return fail("notFound", `"${name}" is not a handle: pass plimsoll:… or at least ${LEAST_DIGITS} digits of a hash`);
  const kept = listOwnNames(folder, path.join(folder.objects, digits.slice(0, 2))).filter((hash) =>
    hash.startsWith(digits),
  );
  const found = kept.filter((hash) => isOwn(folder, hash));
  const [only] = found;
  if (only === undefined)
    return kept.length > 0 ? refuseForeign(name) : fail("notFound", `nothing is kept under ${name}`);
  return found.length === 1
    ? succeed(only)
    : fail("ambiguous", `${name} matches ${found.length} originals: give more digits`, found);
}

function refuseForeign(name: string): StoreResult<string> {
  return fail("waits", `the original ${name} was not recorded as yours and ${WAITS}`);
}
