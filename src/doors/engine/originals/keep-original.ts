import { sha256 } from "../../../core/sha256.ts";
import { encodeUtf8 } from "../../../core/utf8.ts";
import { agreeTo, hasAgreed } from "../../../files/agreed-files.ts";
import { type ArtifactFile, nameArtifactFile, renderArtifactFile } from "../../../fold/artifact-file.ts";
import { nameHandle } from "../../../fold/marker.ts";
import { redactSecrets } from "../../../fold/redact-secrets.ts";
import { claimOriginal } from "../../../policy/trust/agreement.ts";
import type { Archived } from "../../../survive/recall/archive-lines.ts";
import type { ClientPort } from "../client-port.ts";
import { engineProjectFiles } from "../engine-project-files.ts";
import { lacksIgnoreRule, readRegular } from "../read-regular.ts";
import { runTool } from "../run-tool.ts";
import { listArchived, MAX_CHARACTERS, readArchived, writeArchive } from "./archive.ts";

export interface OutputToKeep {
  readonly output: string;
  readonly tool: string;
  readonly command: string;
}

export interface Shelf {
  keep(original: OutputToKeep): Promise<{ readonly sha256: string; readonly path: string } | undefined>;
  /** By its full hash, or by the digits of a handle. */
  read(digits: string): Promise<string | undefined>;
  /** Whether anything can be stored: false if no place can be opened, or if the last original found no room. */
  isOpen(): Promise<boolean>;
  /** What this session stored: in this process, or split in its own folder. */
  list(): Promise<readonly string[]>;
  /** Stores results by call; false if that failed. */
  archive(results: readonly Archived[]): Promise<boolean>;
}

interface Places {
  readonly root: string;
  /** The session's own, for what has to be split. */
  readonly folder: string;
  readonly sessionId: string;
  readonly nowMs: () => number;
  /** The person's private folder, for projects that cannot be written. */
  readonly data: string;
}

const IN_PROJECT = ".plimsoll/artifacts";

/** Originals in the layout of `files/artifacts`, in the project or else in the data folder. The engine sets no modes, so a folder is made private before it is used. */
export function createShelf($: ClientPort, { root, folder, data, sessionId, nowMs }: Places): Shelf {
  const places = [
    createPlace($, {
      folder: `${root}/${IN_PROJECT}`,
      quoted: IN_PROJECT,
      parent: `${root}/.plimsoll`,
      dataFolder: data,
    }),
    createPlace($, { folder: `${data}/artifacts`, quoted: `${data}/artifacts` }),
  ];
  const kept = new Set<string>();
  let hasFailed = false;
  let lastStamp = 0;

  /** Every archive has a unique name. */
  const archive = (results: readonly Archived[]): Promise<boolean> => {
    lastStamp = Math.max(lastStamp + 1, nowMs());
    return writeArchive($, folder, lastStamp, results);
  };

  const keepInPieces = async (hash: string, output: string): ReturnType<Shelf["keep"]> => {
    hasFailed = !(await archive([{ callId: nameHandle(hash), text: output }]));
    return hasFailed ? undefined : { sha256: hash, path: `${folder}/archive-${lastStamp}-1.jsonl` };
  };

  return {
    archive,
    async keep({ output, tool, command }) {
      const hash = await hashText(output);
      if (output.length > MAX_CHARACTERS) return keepInPieces(hash, output);
      const about = {
        sha256: hash,
        bytes: encodeUtf8(output).length,
        tool,
        command: redactSecrets(command).slice(0, 1000),
        sessionId,
        generated: new Date(nowMs()).toISOString(),
      };
      for (const place of places) {
        const path = await place.put(output, about).catch(() => undefined);
        if (path === undefined) continue;
        hasFailed = false;
        kept.add(`plimsoll:${hash}`);
        return { sha256: hash, path };
      }
      hasFailed = true;
      return undefined;
    },
    async read(digits) {
      if (!/^[0-9a-f]{6,64}$/.test(digits)) return undefined;
      for (const place of places) {
        const text = await place.find(digits).catch(() => undefined);
        if (text !== undefined) return text;
      }
      return readArchived($, folder, nameHandle(digits));
    },
    async list() {
      return [...kept, ...(await listArchived($, folder))];
    },
    async isOpen() {
      if (hasFailed) return false;
      for (const place of places) if (await place.open().catch(() => false)) return true;
      return false;
    },
  };
}

interface Place {
  open(): Promise<boolean>;
  /** The path to quote; `undefined` if the place must not be used. */
  put(output: string, about: Omit<ArtifactFile, "output"> & { readonly sha256: string }): Promise<string | undefined>;
  find(digits: string): Promise<string | undefined>;
}

interface PlaceOptions {
  readonly folder: string;
  readonly quoted: string;
  /** Of a place in a project, which may be a link. */
  readonly parent?: string;
  /** Records which originals are this person's: a repository can contain any text under its true hash. */
  readonly dataFolder?: string;
}

function createPlace($: ClientPort, { folder, quoted, parent, dataFolder }: PlaceOptions): Place {
  const files = engineProjectFiles($);
  const filterOwn = async (hashes: readonly string[]): Promise<readonly string[]> => {
    if (dataFolder === undefined) return hashes;
    const isOwn = await Promise.all(hashes.map((hash) => hasAgreed(files, { dataFolder }, claimOriginal(hash))));
    return hashes.filter((_, index) => isOwn[index]);
  };
  const names = new Set<string>();
  let isOpen = false;

  // A repository may contain a link in any of these places: nothing may be stored where it leads, nor read from there.
  const hasLink = async (...places: readonly string[]): Promise<boolean> => {
    const paths = [parent ?? folder, folder, `${folder}/objects`, ...places];
    const stats = await Promise.all(paths.map((path) => $.fs.stat(path).catch(() => undefined)));
    return stats.some((stat) => stat?.isLink === true);
  };

  const open = async (): Promise<boolean> => {
    if (isOpen) return true;
    if (await hasLink(`${folder}/records`)) return false;
    const ignore = `${folder}/.gitignore`;
    if (await lacksIgnoreRule($, ignore)) await $.fs.write(ignore, "*\n");
    await runTool($, "chmod", ["700", folder]).catch(() => undefined);
    isOpen = true;
    return true;
  };

  const nameFree = async (generated: string, tool: string): Promise<string> => {
    for (let copy = 1; ; copy++) {
      const name = nameArtifactFile(generated, tool, copy);
      if (names.has(name)) continue;
      // Reserved before the check: another result may be stored at the same moment.
      names.add(name);
      if (!(await $.fs.exists(`${folder}/${name}`))) return name;
    }
  };

  return {
    open,
    async put(output, about) {
      if (!(await open())) return undefined;
      const hash = about.sha256;
      const shelf = `${folder}/objects/${hash.slice(0, 2)}`;
      if (await hasLink(shelf, `${shelf}/${hash}`)) return undefined;
      // Recorded before it is stored: an original without a record could not be read back.
      if (dataFolder !== undefined) await agreeTo(files, { dataFolder }, claimOriginal(hash));
      const file = await nameFree(about.generated, about.tool);
      await Promise.all([
        $.fs.write(`${shelf}/${hash}`, output),
        $.fs.write(`${folder}/${file}`, renderArtifactFile({ ...about, output })),
        $.fs.write(`${folder}/records/${file}.json`, `${JSON.stringify({ file, ...about })}\n`),
      ]);
      return `${quoted}/${file}`;
    },
    async find(digits) {
      const shelf = `${folder}/objects/${digits.slice(0, 2)}`;
      if (await hasLink(shelf)) return undefined;
      const entries = await $.fs.list(shelf).catch(() => []);
      const named = entries.map(({ name }) => name).filter((name) => name.startsWith(digits));
      const [only, ...others] = await filterOwn(named);
      if (only === undefined || others.length > 0 || (await hasLink(`${shelf}/${only}`))) return undefined;
      const text = await readRegular($, `${shelf}/${only}`);
      return (await hashText(text)) === only ? text : undefined;
    },
  };
}

/** The engine's own hash takes a fifth of the time of ours. */
async function hashText(text: string): Promise<string> {
  if (globalThis.crypto?.subtle === undefined) return sha256(text);
  const digest = await globalThis.crypto.subtle.digest("SHA-256", encodeUtf8(text).slice());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
