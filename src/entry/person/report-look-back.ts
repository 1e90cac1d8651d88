import { renderCount } from "../../core/render-count.ts";
import { HOSTS } from "../../hosts/catalogue.ts";
import { THROUGH_GATEWAY } from "../../hosts/through-gateway.ts";
import { renderLowerUsd, renderUsd } from "../../models/economics/render-usd.ts";
import type { LookBack } from "../../recorded/look-back/look-back.ts";
import type { Saved } from "../../replay/what-was-saved.ts";
import { noteAtLeast } from "./labels.ts";
import type { LookedAround } from "./look-around.ts";
import { reportLoss, reportParts, reportSaving } from "./report-saving.ts";
import type { ReplayState } from "./start-replay.ts";

/** The last days in sentences that the terminal and the page share. */
export interface LookBackReport {
  readonly total: ReportedFigure;
  /** Parts of the total, and what could have been saved. */
  readonly parts: readonly ReportedFigure[];
  /** Caveats about the figures. */
  readonly notes: readonly string[];
}

export interface ReportedFigure {
  readonly kind: "total" | "pauses" | "rewrites" | "carried" | "saved";
  readonly text: string;
  /** The command that shows the sessions behind it. */
  readonly command: string;
}

type Looked = Pick<
  LookedAround,
  "look" | "saved" | "savedByClient" | "savedByInstalling" | "isInstalled" | "proposedLife" | "canSave"
>;

export function reportLookBack(looked: Looked, replay: ReplayState): LookBackReport | undefined {
  const { look, saved, proposedLife, canSave } = looked;
  if (!look) return undefined;
  const { totalUsd, sessions, pauses, otherMisses } = look;
  const period = renderPeriod(look);
  const assumed = look.isAssumed ? " (some at an assumed price)" : "";
  const parts: readonly (ReportedFigure | false)[] = [
    pauses.count > 0 && {
      kind: "pauses",
      text: `${renderLowerUsd(pauses.usd, pauses.isAtLeast)} re-caching after ${renderCount(pauses.count, "long break")}`,
      command: `plimsoll stats --by session --sort pauses ${period}`,
    },
    otherMisses.count > 0 && {
      kind: "rewrites",
      text: `${renderLowerUsd(otherMisses.usd, otherMisses.isAtLeast)} for ${renderCount(otherMisses.count, "other cache rebuild")}`,
      command: `plimsoll stats ${period}`,
    },
    ...reportSaved(looked, look, period),
  ];
  return {
    total: {
      kind: "total",
      text: `Your ${nameDays(look)}: ${renderLowerUsd(totalUsd, look.isAtLeast)}${assumed} in ${renderCount(sessions, "session")}`,
      command: `plimsoll stats --by session ${period}`,
    },
    parts: parts.filter((part) => part !== false),
    notes: [
      ...reportClients(look, period),
      ...(saved && proposedLife !== undefined ? [`${proposedLife}. Run: plimsoll install`] : []),
      canSave ? reportReplay(replay, saved) : reportOnlyRead(look),
      ...noteAtLeast(look.unfinalOutputRequests, look.unpricedRequests),
    ].filter((note) => note !== ""),
  };
}

/** A person who uses only one client need not be told which. */
function reportClients({ clients }: LookBack, period: string): readonly string[] {
  if (clients.length < 2) return [];
  const each = clients.map(
    ({ client, totalUsd, ...spend }) => `${client} ${renderLowerUsd(totalUsd, spend.isAtLeast)}`,
  );
  return [`By agent: ${each.join(", ")} (plimsoll stats --by agent ${period}).`];
}

/** The days as a phrase to follow "your", in sentences next to the look back. */
export function callDays({ days, isUntilNow }: LookBack): string {
  return `last ${days} days${isUntilNow ? "" : " with work"}`;
}

export function nameDays(look: LookBack): string {
  const { isUntilNow, firstDay, lastDay } = look;
  return `${callDays(look)}${isUntilNow ? "" : ` (${firstDay} to ${lastDay})`}`;
}

/** Nothing is recorded after the last day, so the first day is enough. */
export function renderPeriod({ days, isUntilNow, firstDay }: LookBack): string {
  return isUntilNow ? `--since ${days}d` : `--since ${firstDay}`;
}

function reportSaved(
  { saved, savedByClient, savedByInstalling, isInstalled }: Looked,
  look: LookBack,
  period: string,
): readonly (ReportedFigure | false)[] {
  if (!saved) return [];
  const of = ` (${saved.sessions} of ${renderCount(look.files.length, "session file")} replayed)`;
  const { carriedUsd, loss } = saved;
  const parts = reportParts(savedByClient.map((one) => ({ client: one.client, savedUsd: one.saved.savedUsd })));
  const more = [...parts, ...(loss.summaries > 0 ? [reportLoss(loss)] : [])].map((sentence) => `. ${sentence}`);
  return [
    carriedUsd !== undefined && {
      kind: "carried",
      text: `${renderUsd(carriedUsd)} for text that was never needed again, in hindsight`,
      command: `plimsoll replay --policies clairvoyant --sessions ${period}`,
    },
    {
      kind: "saved",
      // One number, because these sessions are over; an interval would be about other sessions.
      text: `With Plimsoll installed you would have ${reportSaving(saved)}${of}${more.join("")}`,
      command: chooseInstall({ savedByClient, savedByInstalling, isInstalled }) ?? "plimsoll replay --sessions",
    },
  ];
}

/** How to get the saving: in Claude Code if it is there and has none yet, else in the only agent with one, if Plimsoll can be installed in it. */
function chooseInstall({
  savedByClient,
  savedByInstalling,
  isInstalled,
}: Pick<Looked, "savedByClient" | "savedByInstalling" | "isInstalled">): string | undefined {
  const [only, ...others] = savedByClient.filter(({ saved }) => saved.savedUsd > 0);
  if ((savedByInstalling?.savedUsd ?? 0) > 0) return isInstalled ? undefined : "plimsoll install";
  if (!only || others.length > 0 || only.client in THROUGH_GATEWAY) return undefined;
  const host = HOSTS.find(({ title }) => title === only.client);
  return host && `plimsoll install --agent ${host.name}`;
}

/** No replay can say anything about agents in which Plimsoll cannot run. */
function reportOnlyRead({ clients }: LookBack): string {
  const names = clients.map(({ client }) => client).join(" and ");
  return `Plimsoll reads what ${names} records, but does not run inside it, so there is no saving to calculate.`;
}

function reportReplay(replay: ReplayState, saved: Saved | undefined): string {
  switch (replay.status) {
    case "started":
      return `Calculating in the background what Plimsoll would have saved (process ${replay.processId}, lowest priority; PLIMSOLL_BACKGROUND=0 prevents it). Run plimsoll again in a minute.`;
    case "running":
      return `Calculating what Plimsoll would have saved: ${Math.floor(replay.share * 100)} % done (process ${replay.processId}).`;
    case "none":
      return "Savings not calculated yet. Run: plimsoll replay";
    case "old":
      return `${saved ? "Your newest sessions are not in this saving" : "Savings of these sessions not calculated"} yet. Run: plimsoll replay`;
    case "done":
      return saved ? "" : "None of these sessions could be replayed. Run plimsoll replay to see why.";
  }
}
