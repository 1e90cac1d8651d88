import { mkdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { quietly } from "../core/quietly.ts";
import { sha256 } from "../core/sha256.ts";
import { locateData, locateSpareHome } from "../policy/actions/data-paths.ts";
import {
  addAgreement,
  type Claim,
  claimOriginal,
  isAgreed,
  locateAgreement,
  MAX_RECORD_BYTES,
  WAITS,
} from "../policy/trust/agreement.ts";
import type { TrustedPlace } from "./agreed-files.ts";
import { type PlainFile, readPlainFile, writeAtomically, writePrivateFile } from "./private-files.ts";
import { readQuietly } from "./read-regular-file.ts";

/** A project's place on this machine. Its folder may be reached through a link, and is the same folder all the same. */
export function locateTrust(project: string, dataFolder: string): Required<TrustedPlace> {
  const resolved = quietly(() => realpathSync.native(project).replaceAll("\\", "/"), project);
  return { project, dataFolder, spareFolder: locateSpare(), resolved };
}

/** Where a user without the client agreed: that counts on when the client's folder appears. */
function locateSpare(): string {
  return locateData(locateSpareHome(process.env));
}

/** Synchronous, for settings, modes, memory and originals. */
export function hasAgreedSync(dataFolder: string, claim: Claim): boolean {
  return [dataFolder, locateSpare()].some((folder) =>
    isAgreed(readQuietly(locateAgreement(folder, claim), MAX_RECORD_BYTES), claim),
  );
}

export function agreeToSync(dataFolder: string, claim: Claim): void {
  const file = locateAgreement(dataFolder, claim);
  const before = readQuietly(file, MAX_RECORD_BYTES);
  if (!isAgreed(before, claim)) writeRecord(file, addAgreement(before, claim));
}

/** The record of an original has one hash, so nothing is read before it is written: a hook loads this for every fold. */
export function recordOriginal(dataFolder: string, hash: string): void {
  writeRecord(locateAgreement(dataFolder, claimOriginal(hash)), sha256(hash));
}

function writeRecord(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, text);
}

/** A guarded file of a project; a problem if the person has not agreed to it. */
export function readAgreedFile(place: Required<TrustedPlace>, name: string, maxBytes: number): PlainFile | undefined {
  const found = readPlainFile(path.join(place.project, name), maxBytes);
  if (found === undefined || found.problem !== undefined) return found;
  const claim = { project: place.resolved, name, text: found.text };
  return hasAgreedSync(place.dataFolder, claim) ? found : { text: "", problem: WAITS };
}

export function writeAgreedFile(place: Required<TrustedPlace>, name: string, text: string): void {
  agreeToSync(place.dataFolder, { project: place.resolved, name, text });
  writePrivateFile(path.join(place.project, name), text);
}
