import {
  addAgreement,
  type Claim,
  isAgreed,
  isGuarded,
  locateAgreement,
  MAX_RECORD_BYTES,
  WAITS,
} from "../policy/trust/agreement.ts";
import type { ProjectFiles } from "./project-files.ts";
import type { ProjectStore } from "./save-project-state.ts";

/** Whose files are read, and where this person's agreements are recorded. */
export interface TrustedPlace {
  /** As an entry point names it in the paths that it asks for. */
  readonly project: string;
  /** The same folder with links resolved; `project` where that is not known. */
  readonly resolved?: string;
  readonly dataFolder: string;
}

/**
 * A project's files as the person agreed to them. What no record names cannot be read, like a file that is a link; what Plimsoll
 * writes is recorded first, so that nobody is asked about their own state.
 */
export function openAgreedFiles(files: ProjectStore, place: TrustedPlace): ProjectStore {
  return {
    ...files,
    async read(path, maxBytes) {
      const found = await files.read(path, maxBytes);
      if (found === undefined || !("text" in found)) return found;
      const claim = claimOf(place, path, found.text);
      return claim === undefined || (await hasAgreed(files, place, claim)) ? found : { problem: WAITS };
    },
    async write(path, text) {
      const claim = claimOf(place, path, text);
      if (claim !== undefined) await agreeTo(files, place, claim);
      await files.write(path, text);
    },
  };
}

/** `undefined` for what needs nobody's agreement. */
export function claimOf(place: TrustedPlace, path: string, text: string): Claim | undefined {
  const root = `${place.project}/`;
  const name = path.startsWith(root) ? path.slice(root.length) : "";
  return isGuarded(name) ? { project: place.resolved ?? place.project, name, text } : undefined;
}

export async function hasAgreed(
  files: Pick<ProjectFiles, "read">,
  { dataFolder }: Pick<TrustedPlace, "dataFolder">,
  claim: Claim,
): Promise<boolean> {
  return isAgreed(await readRecord(files, locateAgreement(dataFolder, claim)), claim);
}

export async function agreeTo(
  files: Pick<ProjectStore, "read" | "write">,
  { dataFolder }: Pick<TrustedPlace, "dataFolder">,
  claim: Claim,
): Promise<void> {
  const path = locateAgreement(dataFolder, claim);
  const before = await readRecord(files, path);
  if (!isAgreed(before, claim)) await files.write(path, addAgreement(before, claim));
}

async function readRecord(files: Pick<ProjectFiles, "read">, path: string): Promise<string> {
  const found = await files.read(path, MAX_RECORD_BYTES);
  return found !== undefined && "text" in found ? found.text : "";
}
