import { statSync } from "node:fs";
import path from "node:path";
import { addSpend, priceUsage, type Spend, zeroSpend } from "../core/economics/spend.ts";
import { addUsage, type Usage, zeroUsage } from "../core/usage.ts";
import { listTranscripts, locateClientHome, type TranscriptFile } from "../hosts/claude-code/disk/projects.ts";
import type { StepUsage, UsageScan } from "../hosts/claude-code/disk/scan-usage.ts";
import { CliError, EXIT_NOTHING_FOUND, type Terminal } from "./command.ts";
import { scanFiles } from "./scan-files.ts";

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
  for (const [index, name] of given.entries()) {
    const status = statSync(roots[index] ?? name, { throwIfNoEntry: false });
    if (!status) throw new CliError(`there is no ${name}`);
    // A pipe would be waited for without end.
    if (!status.isFile() && !status.isDirectory()) throw new CliError(`${name} is neither a file nor a folder`);
  }
  const found = roots.flatMap((root) => listTranscripts(root));
  // A file and the folder it lies in may both be given.
  const files = [...new Map(found.map((file) => [file.path, file])).values()];
  if (files.length === 0)
    throw new CliError(
      `no recorded sessions in ${roots.join(", ")}: pass a folder or .jsonl files`,
      EXIT_NOTHING_FOUND,
    );
  return files;
}

export interface CollectedUsage {
  readonly scanned: readonly ScannedFile[];
  readonly unreadable: readonly { readonly path: string; readonly why: string }[];
}

/** Scans all of them; a step that several files hold belongs to the first. */
export async function collectUsage(files: readonly TranscriptFile[], terminal: Terminal): Promise<CollectedUsage> {
  const attempts = await scanFiles(files, terminal);
  const seen = new Set<string>();
  const scanned: ScannedFile[] = [];
  const unreadable: { readonly path: string; readonly why: string }[] = [];
  for (const [index, file] of files.entries()) {
    const attempt = attempts[index];
    if (attempt && "scan" in attempt) {
      const ownSteps = attempt.scan.steps.filter((step) => !seen.has(step.stepId));
      for (const step of ownSteps) seen.add(step.stepId);
      scanned.push({ ...attempt.scan, file, ownSteps });
    } else unreadable.push({ path: file.path, why: attempt?.why ?? "not scanned" });
  }
  const [first] = unreadable;
  if (scanned.length === 0 && first) throw new CliError(`cannot read ${first.path}: ${first.why}`);
  return { scanned, unreadable };
}

/** Refuses files in which no request was recorded: a sentence says more than an empty table. */
export function requireRequests(scanned: readonly ScannedFile[]): void {
  if (scanned.some(({ steps }) => steps.length > 0)) return;
  const lines = scanned.reduce((sum, file) => sum + file.lines.read + file.lines.notAboutUsage, 0);
  const [only, ...others] = scanned;
  const where = only && others.length === 0 ? only.file.path : `${scanned.length} files`;
  throw new CliError(`no request is recorded in the ${lines} lines of ${where}`, EXIT_NOTHING_FOUND);
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

/** All accounts as one. */
export function sumAccounts(accounts: Iterable<Account>): Account {
  let total = emptyAccount;
  for (const { requests, usage, spend, unpriced, isAssumed } of accounts) {
    total = {
      requests: total.requests + requests,
      usage: addUsage(total.usage, usage),
      spend: addSpend(total.spend, spend),
      unpriced: total.unpriced + unpriced,
      isAssumed: total.isAssumed || isAssumed,
    };
  }
  return total;
}
