import { renderCount } from "../../core/render-count.ts";
import { locateHome, nameSession, scanUsage } from "../../hosts/catalogue.ts";
import type { TranscriptFile } from "../../hosts/host.ts";
import { PRICES_AS_OF } from "../../models/model-table.ts";
import {
  type InjectionTotal,
  type PricedInjection,
  priceInjection,
  sumInjections,
  totalInjections,
} from "../../policy/injection/price-injections.ts";
import { listInjectedRequests, readActions } from "../../recorded/read-actions.ts";
import type { Terminal } from "./command.ts";
import { joinLines, markAtLeast, renderTable, renderTokens, renderUsd } from "./print/style.ts";

export interface InjectionReport {
  readonly pricesAsOf: string;
  readonly sessions: number;
  readonly skippedLines: number;
  readonly rows: readonly InjectionTotal[];
  readonly total: InjectionTotal;
}

export function collectInjections(files: readonly TranscriptFile[], terminal: Terminal): InjectionReport {
  const home = locateHome(terminal.environment);
  const priced: PricedInjection[] = [];
  let sessions = 0;
  let skippedLines = 0;
  for (const file of files.filter(({ isSubagent }) => !isSubagent)) {
    const { actions, skipped } = readActions(home, nameSession(file.path));
    skippedLines += skipped;
    const injected = actions.filter((action) => action.kind === "injected");
    if (injected.length === 0) continue;
    sessions++;
    const requests = listInjectedRequests(scanUsage(file.path));
    priced.push(...injected.map((action) => priceInjection(action, requests)));
  }
  return {
    pricesAsOf: PRICES_AS_OF,
    sessions,
    skippedLines,
    rows: totalInjections(priced),
    total: sumInjections("total", priced),
  };
}

export function renderInjections({ rows, total, sessions, skippedLines, pricesAsOf }: InjectionReport): string {
  if (sessions === 0)
    return "No injection is recorded: Plimsoll's hooks added nothing to these sessions, or did not run.";
  const cells = ({ what, times, tokens, requests, usd, isAtLeast }: InjectionTotal): readonly string[] => [
    what,
    String(times),
    renderTokens(tokens),
    String(requests),
    markAtLeast(isAtLeast, renderUsd(usd)),
  ];
  return joinLines(
    renderTable([["injected", "times", "tokens", "requests", "cost"], ...rows.map(cells), cells(total)]),
    "",
    `${renderCount(sessions, "session")}. Each injection is written to the prompt cache once and read in every later request until a compaction.`,
    total.isAtLeast && "\u2265 at least: some of these requests used a model without a known price.",
    skippedLines > 0 && `${renderCount(skippedLines, "unreadable journal line")} skipped.`,
    `Prices as of ${pricesAsOf}; a subscription bills differently.`,
  );
}
