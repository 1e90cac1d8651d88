import { findContinuation } from "../session/compaction/continuation.ts";
import { listOpenWork } from "../session/open-work.ts";
import type { Live } from "./live.ts";
import { renderStatus } from "./status.ts";

export const COMMAND_SPEC = {
  name: "plimsoll",
  description: "The load line: how full the window is, what is open, what was folded",
  argumentHint: "[status | open | help]",
} as const;

const HELP = `/plimsoll            the load, open work, what was folded
/plimsoll open       where to go on, and every open piece of work
/compact             compacts at once and without a model
Settings: ~/.claude/plimsoll.json, or .plimsoll/settings.json in a project. Everything else: \`plimsoll --help\` in a shell.`;

/** What `/plimsoll` answers; for the person, so it is words and no JSON. */
export function runCommand(live: Live, args: string): string {
  const [verb = "status"] = args
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  switch (verb) {
    case "status":
      return renderOverview(live);
    case "open":
      return renderOpen(live);
    default:
      return HELP;
  }
}

function renderOverview(live: Live): string {
  const health = live.watch.health();
  const open = listOpenWork(live.watch.happened().state);
  const { folds, savedTokens, compactions } = live.totals;
  return [
    renderStatus(health),
    health.note,
    `${folds} results folded, about ${Math.round(savedTokens / 1000)}k tokens less in every request since; ${compactions} compactions answered`,
    open.length === 0
      ? "no open work known"
      : `${open.length} open: ${open
          .map(({ subject }) => subject)
          .slice(0, 3)
          .join(" · ")}`,
    `compaction: ${live.settings.compaction}${live.settings.isEarly ? ", early when the price is right" : ""}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function renderOpen({ watch }: Live): string {
  const happened = watch.happened();
  const { action } = findContinuation(happened);
  return [
    `next: ${action}`,
    ...listOpenWork(happened.state).map(({ subject, status }) => `- ${status}: ${subject}`),
  ].join("\n");
}
