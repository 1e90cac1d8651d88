import { CONTINUE_HERE_PATH } from "../policy/advice/continue-here.ts";
import { DOC_RULES_FILE } from "../policy/rules/parse-doc-conventions.ts";
import type { Claim } from "../policy/trust/agreement.ts";
import { STATE_FILES } from "../survive/project-state/state-files.ts";
import { claimOf, hasAgreed, type TrustedPlace } from "./agreed-files.ts";
import type { ProjectFiles } from "./project-files.ts";
import { readRules } from "./project-reader.ts";

const MAX_BYTES = 1_000_000;
const MAX_TOPICS = 200;

const NAMES: readonly string[] = [
  ".plimsoll/settings.json",
  ".plimsoll/active-context.md",
  ".rune/active-context.md",
  DOC_RULES_FILE,
  CONTINUE_HERE_PATH,
  ...STATE_FILES.map((file) => `.plimsoll/${file}`),
];

/** The texts of a project that are, or would be, used as the person's own. */
export interface Claims {
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
    const found = await files.read(`${project}/${name}`, MAX_BYTES);
    if (found !== undefined && "text" in found) texts.set(name, found.text);
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
  const names = (await files.list(`${project}/${folder}`)).filter((name) => /^[\w-][\w.-]*\.md$/.test(name));
  return [...names]
    .sort()
    .slice(0, MAX_TOPICS)
    .map((name) => `${folder}/${name}`);
}
