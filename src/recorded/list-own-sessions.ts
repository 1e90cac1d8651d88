import { type Hosts, hostOf, listAll } from "../hosts/catalogue.ts";
import type { Host, TranscriptFile } from "../hosts/host.ts";
import type { Accounts, UsageScan } from "../hosts/usage.ts";
import type { Surroundings } from "./file-index.ts";
import { tryScan } from "./try-scan.ts";
import { openUsageIndex } from "./usage-index.ts";

export interface OwnSession {
  /** 1 for the newest: what a person may call it by. */
  readonly number: number;
  readonly file: TranscriptFile;
  readonly scan: UsageScan;
}

/**
 * The person's sessions in which something was asked, newest first and no more of them read than are taken. Subagents' files and
 * such as hold only a prompt or a title are passed over, so that every list counts alike.
 */
export function* listOwnSessions(
  surroundings: Surroundings & { readonly hosts?: Hosts },
): Generator<OwnSession, void, void> {
  const index = openUsageIndex(surroundings);
  let number = 0;
  for (const file of listAll(surroundings.environment, surroundings.hosts)) {
    if (file.isSubagent || file.bytes === 0) continue;
    const known = index.find(file);
    const attempt = known ? { scan: known } : tryScan(file.path, surroundings.hosts);
    if (!("scan" in attempt) || !wasAsked(attempt.scan, () => hostOf(file.path, surroundings.hosts))) continue;
    yield { number: ++number, file, scan: attempt.scan };
  }
}

/** Whether something was asked in a session: a request is known by its usage, and where no usage is recorded by the words that began it. */
export function wasAsked({ steps, title }: Pick<Accounts, "steps" | "title">, hostOfIt: () => Host): boolean {
  return steps.length > 0 || (title !== "" && hostOfIt().recordsUsage === false);
}
