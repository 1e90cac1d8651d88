import { renderFailure } from "../core/render-failure.ts";
import { type Hosts, scanUsage } from "../hosts/catalogue.ts";
import type { TranscriptFile } from "../hosts/host.ts";
import type { StepUsage, UsageScan } from "../hosts/usage.ts";
import { type KeptFile, type KeptHistory, NO_HISTORY } from "./history.ts";
import { type NamedProject, nameProjects } from "./name-projects.ts";

export interface ScannedFile extends UsageScan, NamedProject {
  readonly file: TranscriptFile;
  /** Its steps that no earlier file holds. A resumed session repeats what was recorded before. */
  readonly ownSteps: readonly StepUsage[];
  /** Only for sums of a file that cannot be read: where it was; empty for this machine. */
  readonly keptOf?: string;
}

export interface CollectedUsage {
  readonly scanned: readonly ScannedFile[];
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
}

/**
 * Joins files with their scans, in the same order. A step that several files hold belongs to the first session among them: a subagent's
 * file may repeat the conversation that it was started from (`agent-acompact-*` repeats all of it), and keeps only its own steps.
 * What is kept of files that are gone counts in its place in time, as long as the file is not back.
 */
export function joinScans(
  given: readonly TranscriptFile[],
  scans: readonly (ScanAttempt | undefined)[],
  history: Pick<KeptHistory, "files" | "aliases"> = NO_HISTORY,
): CollectedUsage {
  const { files, attempts, keptOf } = addKept(given, scans, history.files);
  const ownerOf = new Map<string, number>();
  for (const isSubagent of [false, true])
    for (const [index, attempt] of attempts.entries())
      if (attempt && "scan" in attempt && files[index]?.isSubagent === isSubagent)
        for (const { stepId } of attempt.scan.steps) if (!ownerOf.has(stepId)) ownerOf.set(stepId, index);
  const scanned: Omit<ScannedFile, "project">[] = [];
  const unreadable: { readonly path: string; readonly why: string }[] = [];
  for (const [index, file] of files.entries()) {
    const attempt = attempts[index];
    if (attempt && "scan" in attempt) {
      const ownSteps = attempt.scan.steps.filter((step) => ownerOf.get(step.stepId) === index);
      const machine = keptOf.get(file);
      scanned.push({ ...attempt.scan, file, ownSteps, ...(machine === undefined ? {} : { keptOf: machine }) });
    } else unreadable.push({ path: file.path, why: attempt?.why ?? "not scanned" });
  }
  const projects = nameProjects(scanned, history.aliases);
  const unnamed: NamedProject = { folder: "", project: "" };
  return { scanned: scanned.map((one) => ({ ...one, ...(projects.get(one.file.path) ?? unnamed) })), unreadable };
}

function addKept(
  files: readonly TranscriptFile[],
  attempts: readonly (ScanAttempt | undefined)[],
  kept: readonly KeptFile[],
) {
  const paths = new Set(files.map((file) => file.path));
  const gone = kept.filter(({ file }) => !paths.has(file.path));
  const all = [
    ...files.map((file, index) => ({ file, attempt: attempts[index] })),
    ...gone.map(({ file, scan }) => ({ file, attempt: { scan } })),
  ];
  // Both are newest first, and so is what they make together; without kept files the given order stays.
  if (gone.length > 0) all.sort((left, right) => right.file.modifiedMs - left.file.modifiedMs);
  return {
    files: all.map(({ file }) => file),
    attempts: all.map(({ attempt }) => attempt),
    keptOf: new Map(gone.map(({ file, machine }) => [file, machine])),
  };
}

/** The usage of one file, or why it could not be read: one unreadable file among a thousand is no reason to stop. */
export type ScanAttempt = { readonly scan: UsageScan } | { readonly why: string };

export function tryScan(path: string, hosts?: Hosts): ScanAttempt {
  try {
    return { scan: scanUsage(path, hosts) };
  } catch (error) {
    return { why: renderFailure(error) };
  }
}

/** Files that several threads scan; each takes the next one as soon as it is free. */
export interface ScanOrder {
  readonly paths: readonly string[];
  /** Index of the next file, in shared memory. */
  readonly next: Int32Array;
}

/** By index in the order. */
export type ScanAnswer = readonly (readonly [taken: number, attempt: ScanAttempt])[];

export function takeEach({ paths, next }: ScanOrder, scan: (path: string, taken: number) => void): void {
  for (;;) {
    const taken = Atomics.add(next, 0, 1);
    const path = paths[taken];
    if (path === undefined) return;
    scan(path, taken);
  }
}

/** `fromMs` is included, `untilMs` is not. */
export type Period = Readonly<Record<"fromMs" | "untilMs", number>>;

/** Each file with only the requests and misses of the period; files without any are left out. */
export function selectPeriod(scanned: readonly ScannedFile[], period: Period | undefined): readonly ScannedFile[] {
  if (!period) return scanned;
  const cut = <Timed extends { readonly atMs: number | undefined }>(all: readonly Timed[]): readonly Timed[] =>
    all.filter(({ atMs }) => atMs !== undefined && atMs >= period.fromMs && atMs < period.untilMs);
  return scanned
    .map((file) => ({
      ...file,
      steps: cut(file.steps),
      ownSteps: cut(file.ownSteps),
      misses: cut(file.misses),
      compactions: cut(file.compactions),
    }))
    .filter(({ steps }) => steps.length > 0);
}
