import { renderCount } from "../../core/render-count.ts";
import { renderReturn } from "../../measure/quote-return.ts";
import { renderTokens } from "../../measure/render-load.ts";
import { renderGauge } from "../../measure/status-line.ts";
import type { OwnAction } from "../../policy/actions/own-action.ts";
import { parseChoice } from "../../policy/advice/choose-results.ts";
import type { Early } from "../../policy/settings/settings.ts";
import { hearMark } from "../../policy/steps/kept.ts";
import { findContinuation, renderOpenWork } from "../../survive/record/continuation.ts";
import type { ClientPort } from "./client-port.ts";
import { chooseAfterBreak, quoteOwnBreak } from "./come-back.ts";
import { describeAgents } from "./compaction/agent-window.ts";
import { chooseInWindow } from "./compaction/choose-window.ts";
import { announce } from "./compaction/settle-compaction.ts";
import { raise } from "./line.ts";
import type { Live } from "./live.ts";
import { reportNow } from "./say.ts";
import { readHealth } from "./status.ts";

const HELP = `/plimsoll            shows how full the window is, the open work, and what was folded
/plimsoll health     reports the window's level, a recommendation, and what a compaction keeps
/plimsoll why        lists the last compactions with their size, reason and savings
/plimsoll open       shows the next step and all open work
/plimsoll keep TEXT  keeps a text whole across compactions; /plimsoll lift N ends that, and without a text it lists them
/plimsoll keep WHAT  keeps results of the window whole: file:PATH, tool:NAME, search:WORDS or last:30m
/plimsoll forget WHAT takes such results out of the window at the next compaction; recall fetches them back
/plimsoll break ...  after a break above an hour: ask, compact (always compacts first), or continue
/plimsoll off        starts no more compactions in this session; /plimsoll on restores your settings
/compact             compacts at once and without a model
Settings: ~/.claude/plimsoll.json, or .plimsoll/settings.json in a project. Set "early" to "price", "ask", "remind" or "off", and "line" to a
number of tokens. For everything else, run \`plimsoll --help\` in a shell.`;

const SHOWN_COMPACTIONS = 5;

export async function runSlashCommand($: ClientPort, live: Live, args: string): Promise<string> {
  switch (/\S+/.exec(args)?.[0] ?? "status") {
    case "status":
      return renderOverview(live);
    case "health":
      return reportNow(live);
    case "why":
      return renderWhy(live);
    case "open":
      return renderOpenWork(live.watch.happened());
    case "forget":
      return chooseInWindow($, live, "forgotten", wordsOf(args));
    case "keep":
      return parseChoice(wordsOf(args)) === undefined
        ? markKept(live, args)
        : chooseInWindow($, live, "kept", wordsOf(args));
    case "lift":
      return markKept(live, args);
    case "break":
      return chooseAfterBreak(live, /\S+\s+(\S+)/.exec(args)?.[1] ?? "");
    case "off":
      live.steering.isOn = false;
      raise($, live);
      return `Plimsoll starts no more compactions in this session. After /plimsoll on, Plimsoll ${renderMode(live)}`;
    case "on":
      live.steering.isOn = true;
      return `Plimsoll ${renderMode(live)}`;
    default:
      return HELP;
  }
}

function wordsOf(args: string): string {
  return args.trim().replace(/^\S+/, "");
}

/** What the person marks stays whole in every later window, until they lift it. */
function markKept(live: Live, args: string): string {
  const heard = hearMark(live.policy, `plimsoll ${args}`);
  if (heard === undefined) return "Write /plimsoll lift with the number of a mark, or /plimsoll lift all";
  live.policy = heard.state;
  return heard.text;
}

function renderOverview(live: Live): string {
  const health = readHealth(live);
  const { open } = findContinuation(live.watch.happened());
  const subjects = open.slice(0, 3).map(({ subject }) => subject);
  const quote = quoteOwnBreak(live);
  return [
    renderGauge(health),
    health.note,
    quote === undefined ? "" : renderReturn(quote),
    renderTotals(live.totals),
    describeAgents(live),
    open.length === 0 ? "no open work is known" : `open work (${open.length}): ${subjects.join(" · ")}`,
    `compaction: ${live.settings.compaction}, ${live.steering.isOn ? renderMode(live) : "started only by you or the client (/plimsoll off)"}`,
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function renderTotals({ folds, savedTokens, compactions }: Live["totals"]): string {
  const saved = savedTokens === 0 ? "" : `, about ${renderTokens(savedTokens)} tokens less in every request`;
  return `${renderCount(folds, "result")} folded${saved}; ${renderCount(compactions, "compaction")} by Plimsoll`;
}

const MODES: Readonly<Record<Early, string>> = {
  price: "compacts early when that pays off",
  ask: "compacts early when that pays off and you say yes",
  remind: "compacts early only when you run /compact, and reminds you when that would pay off",
  off: "never compacts early",
};

function renderMode({ settings }: Live): string {
  const line = settings.lineTokens === null ? "" : `, and at your line of ${settings.lineTokens} tokens`;
  return `${MODES[settings.compaction === "native" ? "off" : settings.early]}${line}`;
}

function describeCompaction(live: Live, action: Extract<OwnAction, { kind: "compacted" }>): string {
  const { agentId, tokensBefore, tokensAfter, why } = action;
  if (agentId === undefined) return announce(live, action);
  return `subagent ${agentId}: ${renderTokens(tokensBefore)} → about ${renderTokens(tokensAfter)} tokens: ${why}`;
}

function renderWhy(live: Live): string {
  const actions = live.journal.last("compacted", SHOWN_COMPACTIONS);
  const later = "just now  compacted; the window's new size will be known after the next request";
  const waiting = live.life.pending === undefined ? [] : [later];
  if (actions.length + waiting.length === 0) return "no compaction in this session yet";
  return [
    ...actions.map(
      (action) => `${new Date(action.atMs).toTimeString().slice(0, 5)}  ${describeCompaction(live, action)}`,
    ),
    ...waiting,
    `Press ctrl+o to see the record that replaced the old messages. The whole conversation is in ${live.transcript}`,
  ].join("\n");
}
