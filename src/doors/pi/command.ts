import { renderCount } from "../../core/render-count.ts";
import { renderTokens } from "../../measure/render-load.ts";
import { listUnheededAboard } from "../../policy/settings/heeded.ts";
import { listOpenWork } from "../../session/open-work.ts";
import { findContinuation } from "../../survive/record/continuation.ts";
import { tellHappened } from "../aboard/answer-compaction.ts";
import type { PiContext } from "./extension-api.ts";
import { listHistory } from "./read-session.ts";
import type { Session } from "./session.ts";
import { renderLoad } from "./status.ts";

export const COMMAND_DESCRIPTION = "The load line: how full the window is, what is open, what was collapsed and why";

const HELP = `/plimsoll            the load, what was folded, what was compacted
/plimsoll why        why requests were made lighter in this session
/plimsoll open       where to go on, and every open piece of work
/plimsoll off        makes no request lighter from here on; on: as set again
/compact             compacts at once and without a model
Settings: ~/.claude/plimsoll.json, or .plimsoll/settings.json in a project.`;

/** What `/plimsoll` answers. */
export function runCommand(session: Session, args: string, context: PiContext): string {
  switch (args.trim()) {
    case "":
    case "status":
      return renderOverview(session, context);
    case "why":
      return session.whys.join("\n") || "no request was made lighter in this session yet";
    case "open":
      return renderOpen(session, context);
    case "off":
    case "on":
      session.isSteering = args.trim() === "on";
      return session.isSteering
        ? "requests are made lighter as set"
        : "requests stay as they are; /plimsoll on ends this";
    default:
      return HELP;
  }
}

function renderOverview({ aboard, failure }: Session, context: PiContext): string {
  const { settings, totals } = aboard;
  const { folds, savedTokens, compactions } = totals;
  const saved = folds === 0 ? "" : `, about ${renderTokens(savedTokens)} tokens less in every request since`;
  return [
    settings.isOn ? renderLoad(context) : "Plimsoll is off",
    `${renderCount(folds, "result")} folded${saved}; ${renderCount(compactions, "compaction")} answered`,
    `compaction: ${settings.compaction}, early: ${settings.early}`,
    aboard.settingsProblem,
    ...listUnheededAboard(settings),
    failure === "" ? "" : `failed last: ${failure}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function renderOpen({ aboard }: Session, { sessionManager }: PiContext): string {
  const happened = tellHappened(aboard, listHistory(sessionManager.getBranch()));
  const open = listOpenWork(happened.state).map(({ subject, status }) => `- ${status}: ${subject}`);
  return [`next: ${findContinuation(happened).action}`, ...open].join("\n");
}
