import { existsSync, mkdirSync, statSync, utimesSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../core/sha256.ts";
import { encodeUtf8 } from "../core/utf8.ts";
import { nameArtifactFile, renderArtifactFile } from "../fold/artifact-file.ts";
import { nameHandle } from "../fold/marker.ts";
import { redactSecrets } from "../fold/redact-secrets.ts";
import { locateArtifacts, locateObject, openArtifactFolder } from "./artifact-folder.ts";
import { type ArtifactRecord, listNames, locateRecord, readRecords, renderRecord } from "./artifact-record.ts";
import { readPlainBytes } from "./private-files.ts";
import { type Pruned, type PruneOptions, pruneArtifacts } from "./prune-artifacts.ts";
import { attempt, fail, type StoreResult, succeed } from "./store-result.ts";
import { type Verification, verifyArtifacts } from "./verify-artifacts.ts";
import { writeAtomically, writeUnderFreeName } from "./write-file.ts";

/** Something to keep before it leaves the conversation. */
export interface ArtifactToKeep {
  readonly output: string | Uint8Array;
  readonly tool: string;
  readonly command?: string | undefined;
  readonly sessionId?: string | undefined;
}

export interface StoredArtifact extends ArtifactRecord {
  readonly handle: string;
  /** As quoted in a marker, relative to the project. */
  readonly path: string;
}

/** The originals of one project. Every answer is a result: a full disk costs a fold, never a turn. */
export interface ArtifactStore {
  /** The original first, then the readable file, then the record that lists it. */
  keep(artifact: ArtifactToKeep): StoreResult<StoredArtifact>;
  list(): { readonly artifacts: readonly StoredArtifact[]; readonly unreadable: number };
  /** By handle, by the first digits of a hash, or by the name of a readable file. The bytes are checked against their hash. */
  read(name: string): StoreResult<{ readonly sha256: string; readonly bytes: Uint8Array }>;
  verify(): Verification;
  prune(options: PruneOptions): StoreResult<Pruned>;
}

const LEAST_DIGITS = 6;

export function createArtifactStore(project: string, nowMs: () => number): ArtifactStore {
  const folder = locateArtifacts(project);
  const describe = (record: ArtifactRecord): StoredArtifact => ({
    ...record,
    handle: nameHandle(record.sha256),
    path: `${folder.quoted}/${record.file}`,
  });

  const keep = ({ output, tool, command = "", sessionId = "" }: ArtifactToKeep): StoreResult<StoredArtifact> => {
    const opened = openArtifactFolder(folder);
    if (!opened.ok) return opened;
    return attempt("unwritable", () => {
      const bytes = typeof output === "string" ? encodeUtf8(output) : output;
      const hash = sha256(bytes);
      keepObject(locateObject(folder, hash), bytes);
      const generated = new Date(nowMs()).toISOString();
      const header = encodeUtf8(renderArtifactFile({ tool, generated, command, output: "" }));
      const file = writeUnderFreeName(folder.root, joinBytes(header, bytes), (copy) =>
        nameArtifactFile(generated, tool, copy),
      );
      const record: ArtifactRecord = {
        file,
        sha256: hash,
        bytes: bytes.length,
        tool,
        command: redactSecrets(command).slice(0, 1000),
        sessionId,
        generated,
      };
      writeAtomically(locateRecord(folder, file), renderRecord(record));
      return describe(record);
    });
  };

  const find = (name: string): StoreResult<string> => {
    const { records } = readRecords(folder);
    const byFile = records.find(({ file }) => file === path.basename(name));
    if (byFile) return succeed(byFile.sha256);
    const digits = name.replace(/^plimsoll:/, "").toLowerCase();
    if (!/^[0-9a-f]+$/.test(digits) || digits.length < LEAST_DIGITS)
      return fail("notFound", `"${name}" is no handle: give plimsoll:… or at least ${LEAST_DIGITS} digits of a hash`);
    const found = listNames(path.join(folder.objects, digits.slice(0, 2))).filter((hash) => hash.startsWith(digits));
    const [only] = found;
    if (only === undefined) return fail("notFound", `nothing is kept under ${name}`);
    return found.length === 1
      ? succeed(only)
      : fail("ambiguous", `${name} stands for ${found.length} originals: give more digits`);
  };

  return {
    keep,
    list: () => {
      const { records, unreadable } = readRecords(folder);
      return { artifacts: records.map(describe), unreadable };
    },
    read: (name) => {
      const found = find(name);
      if (!found.ok) return found;
      const read = attempt("notFound", () => readPlainBytes(locateObject(folder, found.value)));
      if (!read.ok) return read;
      if (sha256(read.value) !== found.value)
        return fail("corrupt", `the bytes kept under ${name} are no longer what was stored`);
      return succeed({ sha256: found.value, bytes: read.value });
    },
    verify: () => verifyArtifacts(folder),
    prune: (options) => attempt("unwritable", () => pruneArtifacts(folder, nowMs(), options)),
  };
}

/** What is there already is only touched, so that pruning sees it is still in use. */
function keepObject(file: string, bytes: Uint8Array): void {
  if (existsSync(file) && statSync(file).size === bytes.length) {
    const now = new Date();
    utimesSync(file, now, now);
    return;
  }
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeAtomically(file, bytes);
}

function joinBytes(head: Uint8Array, body: Uint8Array): Uint8Array {
  const joined = new Uint8Array(head.length + body.length);
  joined.set(head);
  joined.set(body, head.length);
  return joined;
}
