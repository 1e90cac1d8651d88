import { CONTINUE_HERE_PATH } from "../policy/advice/continue-here.ts";
import {
  addAgreement,
  type Claim,
  isAgreed,
  isGuarded,
  locateAgreement,
  MAX_RECORD_BYTES,
  WAITS,
} from "../policy/trust/agreement.ts";
import { STATE_FILES } from "../survive/project-state/state-files.ts";
import { type ProjectFiles, readRules, readText } from "./project-reader.ts";
import type { ProjectStore } from "./save-project-state.ts";

export interface TrustedPlace {
  /** As an entry point names it in the paths that it asks for. */
  readonly project: string;
  /** The same folder with links resolved; `project` if unknown. */
  readonly resolved?: string;
  readonly dataFolder: string;
  /** Where else the user may have agreed; absent if nowhere. */
  readonly spareFolder?: string;
}

/** A file without a record cannot be read, like a link. What Plimsoll writes is recorded first, so that the person is not asked about their own state. */
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

/** `undefined` for paths that need no agreement. */
function claimOf(place: TrustedPlace, path: string, text: string): Claim | undefined {
  const root = `${place.project}/`;
  const name = path.startsWith(root) ? path.slice(root.length) : "";
  return isGuarded(name) ? { project: place.resolved ?? place.project, name, text } : undefined;
}

async function hasAgreed(files: ProjectFiles, place: TrustedPlace, claim: Claim): Promise<boolean> {
  const { dataFolder, spareFolder = dataFolder } = place;
  for (const folder of new Set([dataFolder, spareFolder]))
    if (isAgreed(await readRecord(files, locateAgreement(folder, claim)), claim)) return true;
  return false;
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
  return (await readText(files, path, MAX_RECORD_BYTES)) ?? "";
}

const MAX_BYTES = 1_000_000;
const MAX_TOPICS = 200;

const NAMES: readonly string[] = [
  ".plimsoll/settings.json",
  CONTINUE_HERE_PATH,
  ...STATE_FILES.map((file) => `.plimsoll/${file}`),
];

/** The texts of a project that are, or would be, used as the person's own. */
interface Claims {
  readonly agreed: readonly Claim[];
  readonly waiting: readonly Claim[];
}

export async function findWaiting(files: ProjectFiles, place: TrustedPlace): Promise<readonly Claim[]> {
  return (await findClaims(files, place)).waiting;
}

export async function findClaims(files: ProjectFiles, place: TrustedPlace): Promise<Claims> {
  const { project } = place;
  if (project === "") return { agreed: [], waiting: [] };
  const rules = await readRules(files, project);
  const texts = new Map(rules.map(({ name, text }) => [name, text]));
  for (const name of [...NAMES, ...(await listMemory(files, project))]) {
    const text = await readText(files, `${project}/${name}`, MAX_BYTES);
    if (text !== undefined) texts.set(name, text);
  }
  const agreed: Claim[] = [];
  const waiting: Claim[] = [];
  for (const [name, text] of texts) {
    const claim = claimOf(place, `${project}/${name}`, text);
    if (claim === undefined) continue;
    if (await hasAgreed(files, place, claim)) agreed.push(claim);
    else waiting.push(claim);
  }
  return { agreed, waiting };
}

async function listMemory(files: ProjectFiles, project: string): Promise<readonly string[]> {
  const folder = ".plimsoll/memory";
  const names = await files.list(`${project}/${folder}`);
  return names
    .filter((name) => /^[\w-][\w.-]*\.md$/.test(name))
    .sort()
    .slice(0, MAX_TOPICS)
    .map((name) => `${folder}/${name}`);
}
