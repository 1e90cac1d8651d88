import { statSync } from "node:fs";
import path from "node:path";
import { addSpend, priceUsage, type Spend, zeroSpend } from "../core/economics/spend.ts";
import { addUsage, type Usage, zeroUsage } from "../core/usage.ts";
import { listTranscripts, locateClientHome, type TranscriptFile } from "../hosts/claude-code/disk/projects.ts";
import { type StepUsage, scanUsage, type UsageScan } from "../hosts/claude-code/disk/scan-usage.ts";
import { CliError, EXIT_NOTHING_FOUND, type Terminal } from "./command.ts";
import { createProgress } from "./progress.ts";

export interface ScannedFile extends UsageScan {
  readonly file: TranscriptFile;
  /** Its steps that no file before it held: a resumed session repeats what was recorded before. */
  readonly ownSteps: readonly StepUsage[];
}

/** The transcripts below the given paths, or all that the client keeps. */
export function findTranscripts(given: readonly string[], terminal: Terminal): readonly TranscriptFile[] {
  const roots =
    given.length > 0
      ? given.map((name) => path.resolve(terminal.directory, name))
      : [path.join(locateClientHome(terminal.environment), "projects")];
  for (const [index, root] of roots.entries()) {
    if (given.length > 0 && !statSync(root, { throwIfNoEntry: false }))
      throw new CliError(`there is no ${given[index]}`);
  }
  const files = roots.flatMap((root) => listTranscripts(root));
  if (files.length === 0)
    throw new CliError(
      `no recorded sessions in ${roots.join(", ")}: pass a folder or .jsonl files`,
      EXIT_NOTHING_FOUND,
    );
  return files;
}

export function scanFiles(files: readonly TranscriptFile[], terminal: Terminal): readonly ScannedFile[] {
  const progress = createProgress(terminal, "Reading sessions");
  const total = files.reduce((sum, file) => sum + file.bytes, 0);
  const seen = new Set<string>();
  let done = 0;
  const scanned = files.map((file) => {
    const scan = scanUsage(file.path);
    const ownSteps = scan.steps.filter((step) => !seen.has(step.stepId));
    for (const step of ownSteps) seen.add(step.stepId);
    done += file.bytes;
    progress.advance(done, total);
    return { ...scan, file, ownSteps };
  });
  progress.finish();
  return scanned;
}

export interface Account {
  readonly requests: number;
  readonly usage: Usage;
  readonly spend: Spend;
  /** Requests of models that have no price: their tokens count, their dollars do not. */
  readonly unpriced: number;
  readonly isAssumed: boolean;
}

const emptyAccount: Account = { requests: 0, usage: zeroUsage, spend: zeroSpend, unpriced: 0, isAssumed: false };

/** Sums the steps by a key, in order of first appearance. */
export function keepAccounts(steps: Iterable<readonly [string, StepUsage]>): ReadonlyMap<string, Account> {
  const accounts = new Map<string, Account>();
  for (const [key, { usage, model }] of steps) {
    const account = accounts.get(key) ?? emptyAccount;
    const priced = priceUsage(usage, model);
    accounts.set(key, {
      requests: account.requests + 1,
      usage: addUsage(account.usage, usage),
      spend: priced ? addSpend(account.spend, priced) : account.spend,
      unpriced: account.unpriced + (priced ? 0 : 1),
      isAssumed: account.isAssumed || priced?.standing === "assumed",
    });
  }
  return accounts;
}
