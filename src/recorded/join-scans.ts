import type { TranscriptFile } from "../hosts/host.ts";
import type { StepUsage, UsageScan } from "../hosts/usage.ts";
import { type NamedProject, nameProjects, type ProjectFile } from "./name-projects.ts";
import type { ScanAttempt } from "./try-scan.ts";

export interface ScannedFile extends UsageScan, NamedProject {
  readonly file: TranscriptFile;
  /** Its steps that no file before it held: a resumed session repeats what was recorded before. */
  readonly ownSteps: readonly StepUsage[];
}

export interface CollectedUsage {
  readonly scanned: readonly ScannedFile[];
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
}

/**
 * Files with their attempts, in the same order. A step that several files hold belongs to the first session among them: a file of a
 * subagent may repeat the conversation that it was started from (`agent-acompact-*` repeats all of it), and keeps only what is its own.
 */
export function joinScans(
  files: readonly TranscriptFile[],
  attempts: readonly (ScanAttempt | undefined)[],
): CollectedUsage {
  const ownerOf = new Map<string, number>();
  for (const isSubagent of [false, true])
    for (const [index, attempt] of attempts.entries())
      if (attempt && "scan" in attempt && files[index]?.isSubagent === isSubagent)
        for (const { stepId } of attempt.scan.steps) if (!ownerOf.has(stepId)) ownerOf.set(stepId, index);
  const scanned: Omit<ScannedFile, keyof NamedProject>[] = [];
  const began: ProjectFile[] = [];
  const unreadable: { readonly path: string; readonly why: string }[] = [];
  for (const [index, file] of files.entries()) {
    const attempt = attempts[index];
    if (attempt && "scan" in attempt) {
      const ownSteps = attempt.scan.steps.filter((step) => ownerOf.get(step.stepId) === index);
      scanned.push({ ...attempt.scan, file, ownSteps });
      began.push({ file, folder: attempt.scan.folder });
    } else unreadable.push({ path: file.path, why: attempt?.why ?? "not scanned" });
  }
  const projects = nameProjects(began);
  const unnamed: NamedProject = { folder: "", project: "" };
  return { scanned: scanned.map((one) => ({ ...one, ...(projects.get(one.file.path) ?? unnamed) })), unreadable };
}
