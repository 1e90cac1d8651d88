import { sumContextTokens } from "../../core/usage.ts";
import { hostOfListed } from "../../hosts/catalogue.ts";
import { sumMissedUsd } from "../../measure/cache-miss.ts";
import { billRequests, isLowerBound } from "../../models/economics/bill.ts";
import { decideModelWindow } from "../../models/find-model.ts";
import type { Period, ScannedFile } from "../../recorded/join-scans.ts";
import { wasAsked } from "../../recorded/list-own-sessions.ts";
import { selectSpent } from "../../recorded/look-back/look-back.ts";
import { sumDollars } from "../../replay/client-dollars.ts";
import { sumCarried } from "../../replay/what-was-saved.ts";
import type { LookedAround } from "../person/look-around.ts";
import { nameDays } from "../person/report-look-back.ts";
import { type KnownSession, nameKey } from "./catalogue.ts";
import { nameTitle } from "./describe-head.ts";
import type { SessionPart, SessionRow, SessionsList, Spent } from "./wire.ts";

/** Every recorded session with a request, newest first; subagents are listed with the session that started them. */
export function describeSessions(
  sessions: readonly KnownSession[],
  { look, findReplayed }: Pick<LookedAround, "look" | "findReplayed">,
  isRunning: (file: ScannedFile) => boolean,
): SessionsList {
  // Of a file that is gone there is nothing to open.
  const asked = sessions.filter(
    ({ scanned }) => scanned.keptOf === undefined && wasAsked(scanned, () => hostOfListed(scanned.file)),
  );
  const byId = new Map(
    asked.filter(({ scanned }) => !scanned.file.isSubagent).map((one) => [one.scanned.sessionId, one]),
  );
  const started = new Map<KnownSession, KnownSession[]>();
  for (const one of asked) {
    const main = one.scanned.file.isSubagent ? (byId.get(one.scanned.sessionId) ?? one) : one;
    started.set(main, [...(started.get(main) ?? []), ...(main === one ? [] : [one])]);
  }
  const rows = [...started].map(([known, subagents]): SessionRow => {
    const { scanned: main, host, id } = known;
    const all = [known, ...subagents].map(({ scanned }) => scanned);
    const { own, peakTokens, compactions } = describeWindow(main);
    const model = own.at(-1)?.model ?? "";
    const recent = look && sumSpent(all, look);
    return {
      ...describePart(known),
      id,
      project: main.project,
      model,
      host,
      isSubagent: main.file.isSubagent,
      isRunning: isRunning(main),
      lastMs: main.steps.findLast(({ atMs }) => atMs !== undefined)?.atMs ?? main.file.modifiedMs,
      ...sumSpent(all),
      recent: recent && recent.requests > 0 ? recent : undefined,
      ...sumReplayed(all, findReplayed),
      peakTokens,
      windowTokens: decideModelWindow(model, { largestContextTokens: peakTokens }).windowTokens,
      compactions,
      subagents: subagents.map((one) => {
        const { peakTokens, compactions } = describeWindow(one.scanned);
        return { ...describePart(one), ...sumSpent([one.scanned]), peakTokens, compactions };
      }),
    };
  });
  return { days: look && nameDays(look), rows: rows.sort((left, right) => right.lastMs - left.lastMs) };
}

function describeWindow({ file, steps, compactions }: ScannedFile) {
  const own = steps.filter(({ isSidechain }) => file.isSubagent || !isSidechain);
  const peakTokens = own.reduce((most, { usage }) => Math.max(most, sumContextTokens(usage)), 0);
  return { own, peakTokens, compactions: compactions.length };
}

function describePart({ scanned, id }: KnownSession): Pick<SessionPart, "key" | "title"> {
  return { key: nameKey(scanned.file.path), title: nameTitle(scanned.title, id) };
}

/** Counts only requests that are in no other file, as all sums here do. */
function sumSpent(files: readonly ScannedFile[], period?: Period): Spent {
  const spent = files.map((file) => selectSpent(file, period));
  const bill = billRequests(spent.flatMap(({ steps }) => steps));
  const misses = spent.flatMap((one) => one.misses);
  return {
    requests: spent.reduce((sum, { steps }) => sum + steps.length, 0),
    totalUsd: bill.spend.totalUsd,
    // A client that records no usage is missing in the sums.
    isAtLeast: isLowerBound(bill) || files.some(({ file }) => hostOfListed(file).recordsUsage === false),
    pauses: sumMissedUsd(misses.filter(({ cause }) => cause === "idle")),
    rewrites: sumMissedUsd(misses.filter(({ cause }) => cause !== "idle")),
  };
}

function sumReplayed(
  files: readonly ScannedFile[],
  find: LookedAround["findReplayed"],
): Pick<SessionRow, "carriedUsd" | "savedUsd"> {
  const replayed = files.flatMap(({ file }) => find(file.path) ?? []);
  if (replayed.length === 0) return { carriedUsd: undefined, savedUsd: undefined };
  return {
    carriedUsd: sumCarried(replayed),
    savedUsd: sumDollars(replayed).savedUsd,
  };
}
