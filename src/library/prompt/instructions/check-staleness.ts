import { dropFences, type InstructionFile } from "./instruction-file.ts";

/** What an entry point found out. Anything unknown is not judged. */
export interface StalenessFacts {
  /** Whether the project has such a file or folder, seen from its root or from the instruction file's own folder. */
  readonly exists?: (path: string) => boolean;
  readonly scripts?: readonly string[];
  readonly targets?: readonly string[];
  /** Since the file's last change. */
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
  /** What is missing, or how old the file is. */
  readonly what: string;
  readonly fix: string;
}

/** After half a year, or five hundred commits, someone should have read it again. */
const MAX_AGE_DAYS = 180;
const MAX_COMMITS = 500;

/** Stale rules teach what is no longer true, which is worse than none. Empty if nothing speaks against the file. */
export function checkStaleness(
  file: Pick<InstructionFile, "path" | "text">,
  facts: StalenessFacts,
  { maxAgeDays = MAX_AGE_DAYS, maxCommits = MAX_COMMITS }: StalenessOptions = {},
): readonly StalenessFinding[] {
  for (const [name, value] of Object.entries({ maxAgeDays, maxCommits }))
    if (!(value > 0)) throw new TypeError(`${name} is ${value}: use a number above 0`);
  const { paths, scripts, targets } = listMentions(file.text);
  const { exists, ageDays = 0, commitsSince = 0 } = facts;
  const find = (kind: StalenessFinding["kind"], what: string, fix: string): StalenessFinding => {
    return { path: file.path, kind, what, fix };
  };
  const missingFrom = (known: readonly string[] | undefined, names: readonly string[]): readonly string[] =>
    known ? names.filter((name) => !known.includes(name)) : [];
  const findings = [
    ...(exists ? paths.filter((path) => !exists(path)) : []).map((path) =>
      find("missingPath", path, `${path} does not exist: name what took its place`),
    ),
    ...missingFrom(facts.scripts, scripts).map((name) =>
      find("missingScript", name, `there is no script "${name}": name the one to run`),
    ),
    ...missingFrom(facts.targets, targets).map((name) =>
      find("missingTarget", name, `there is no target "${name}": name the one to make`),
    ),
  ];
  const fix = "read it again and change what is no longer so";
  if (ageDays > maxAgeDays) findings.push(find("age", `${Math.floor(ageDays)} days`, fix));
  if (commitsSince > maxCommits) findings.push(find("commits", `${commitsSince} commits`, fix));
  return findings;
}

/** References in an instruction file that can be checked against the project. */
interface Mentions {
  /** As written, without line numbers. */
  readonly paths: readonly string[];
  /** `npm run NAME` and its relatives. */
  readonly scripts: readonly string[];
  /** `make NAME`. */
  readonly targets: readonly string[];
}

/** In backticks, as the target of a link, or bare. */
const CANDIDATE =
  /`([^`\n]{1,200})`|\]\(([^)\s]{1,200})\)|(?<![\w/.@-])((?:[\w.@-]{1,80}\/){1,20}[\w.@-]{1,80}\.\w{1,6})/g;
/** A plain path: no spaces, wildcards, placeholders, schemes, homes, flags. */
const PLAIN = /^(?:\.\/)?[\w.@][\w.@-]*(?:\/[\w.@-]+)+\/?$|^(?:\.\/)?[\w.@-]+\/$/;
const SCRIPT = /\b(?:npm|pnpm|yarn|bun) run (?:-{1,2}[\w-]+ )*([\w:.-]{1,80})/g;
const TARGET = /(?:^\s*(?:\$ )?|`)make ([a-z][\w.-]{0,60})/gm;

/** Paths only outside of fences, because inside they are examples; commands everywhere. */
export function listMentions(text: string): Mentions {
  const paths = [...dropFences(text).matchAll(CANDIDATE)].flatMap(([, quoted, linked, bare]) => {
    const path = (quoted ?? linked ?? bare ?? "").trim().replace(/[:#]L?\d[\d:,-]*$/, "");
    return isPath(path) ? [path] : [];
  });
  return { paths: [...new Set(paths)], scripts: listNames(text, SCRIPT), targets: listNames(text, TARGET) };
}

/** A path needs a folder, because a bare name does not say where a file is. Hidden folders do not count: tools create them when needed. */
function isPath(path: string): boolean {
  if (!PLAIN.test(path) || /^(?:@|\.(?!\/|\.\/|github\/))/.test(path)) return false;
  return path.endsWith("/") || /\.\w{1,6}$/.test(path);
}

function listNames(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name.replace(/[.:]+$/, "")))];
}
