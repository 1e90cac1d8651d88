import path from "node:path";
import { sumContextTokens } from "../core/usage.ts";
import { type Hosts, hostOf, scanUsage } from "../hosts/catalogue.ts";
import type { UsageScan } from "../hosts/usage.ts";
import { billRequests, isLowerBound } from "../models/economics/bill.ts";

/** A subagent's own window, which no number of its session's window includes. */
export interface SubagentWindow {
  readonly transcript: string;
  readonly title: string;
  readonly model: string;
  readonly requests: number;
  /** Of its last request. */
  readonly contextTokens: number;
  readonly peakTokens: number;
  readonly compactions: number;
  readonly costUsd: number;
  readonly isAtLeast: boolean;
}

/** The subagents that a session started, the largest window first. Their files are in a folder of the session's name or, of older clients, next to its file. */
export function listSubagents(file: string, sessionId: string, hosts?: Hosts): readonly SubagentWindow[] {
  const { dir, name } = path.parse(file);
  const own = path.join(dir, name) + path.sep;
  const near = hostOf(file, hosts)
    .listTranscripts(dir)
    .filter(({ isSubagent }) => isSubagent);
  if (near.some((each) => each.path === file)) return [];
  return near
    .filter((each) => each.path.startsWith(own) || path.dirname(each.path) === dir)
    .flatMap((each) => {
      const scan = scanUsage(each.path, hosts);
      return scan.sessionId === sessionId && scan.steps.length > 0 ? [describeWindow(each.path, scan)] : [];
    })
    .sort((one, other) => other.peakTokens - one.peakTokens);
}

function describeWindow(transcript: string, { steps, title, compactions }: UsageScan): SubagentWindow {
  const bill = billRequests(steps);
  const sizes = steps.map(({ usage }) => sumContextTokens(usage));
  return {
    transcript,
    title,
    model: steps.at(-1)?.model ?? "",
    requests: steps.length,
    contextTokens: sizes.at(-1) ?? 0,
    peakTokens: Math.max(...sizes),
    compactions: compactions.length,
    costUsd: bill.spend.totalUsd,
    isAtLeast: isLowerBound(bill),
  };
}
