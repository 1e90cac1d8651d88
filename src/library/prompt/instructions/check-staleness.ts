import type { InstructionFile } from "./instruction-file.ts";
import { listMentions } from "./list-mentions.ts";

/** What a door found out; what it does not know is not judged. */
export interface StalenessFacts {
  /** Whether the project has such a file or folder, seen from its root or from the instruction file's own folder. */
  readonly exists?: (path: string) => boolean;
  readonly scripts?: readonly string[];
  readonly targets?: readonly string[];
  /** Since the file was last changed. */
  readonly ageDays?: number;
  readonly commitsSince?: number;
}

export interface StalenessOptions {
  readonly maxAgeDays?: number;
  readonly maxCommits?: number;
}

export interface StalenessFinding {
  readonly path: string;
  readonly kind: "missingPath" | "missingScript" | "missingTarget" | "age" | "commits";
  /** What is gone, or how old. */
  readonly what: string;
  readonly fix: string;
}

/** Half a year, or five hundred commits: then somebody should have read it again. */
const MAX_AGE_DAYS = 180;
const MAX_COMMITS = 500;

/** Stale rules teach what is no longer true, which is worse than none. Empty where nothing speaks against the file. */
export function checkStaleness(
  file: Pick<InstructionFile, "path" | "text">,
  facts: StalenessFacts,
  options: StalenessOptions = {},
): readonly StalenessFinding[] {
  const { maxAgeDays, maxCommits } = checkOptions(options);
  const { paths, scripts, targets } = listMentions(file.text);
  const { exists, ageDays = 0, commitsSince = 0 } = facts;
  const find = (kind: StalenessFinding["kind"], what: string, fix: string): StalenessFinding => {
    return { path: file.path, kind, what, fix };
  };
  const isMissing = (known: readonly string[] | undefined) => (name: string) =>
    known !== undefined && !known.includes(name);
  return [
    ...paths
      .filter((path) => exists !== undefined && !exists(path))
      .map((path) => find("missingPath", path, `${path} does not exist: name what took its place`)),
    ...scripts
      .filter(isMissing(facts.scripts))
      .map((name) => find("missingScript", name, `there is no script "${name}": name the one to run`)),
    ...targets
      .filter(isMissing(facts.targets))
      .map((name) => find("missingTarget", name, `there is no target "${name}": name the one to make`)),
    ...(ageDays > maxAgeDays
      ? [find("age", `${Math.floor(ageDays)} days`, "read it again and change what is no longer so")]
      : []),
    ...(commitsSince > maxCommits
      ? [find("commits", `${commitsSince} commits`, "read it again and change what is no longer so")]
      : []),
  ];
}

function checkOptions({
  maxAgeDays = MAX_AGE_DAYS,
  maxCommits = MAX_COMMITS,
}: StalenessOptions): Required<StalenessOptions> {
  if (!(maxAgeDays > 0)) throw new TypeError(`maxAgeDays is ${maxAgeDays}: use a number above 0`);
  if (!(maxCommits > 0)) throw new TypeError(`maxCommits is ${maxCommits}: use a number above 0`);
  return { maxAgeDays, maxCommits };
}
