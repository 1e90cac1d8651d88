import type { MissedUsd } from "../../measure/cache-miss.ts";
import type { Health } from "../../measure/health.ts";
import { isHeavy } from "../../measure/level.ts";
import { ANEW, type ReturnQuote, renderReturn } from "../../measure/quote-return.ts";
import { renderTokens } from "../../measure/render-load.ts";
import { renderLowerUsd } from "../../models/economics/render-usd.ts";

export interface PersonSituation {
  readonly commands: { readonly compact: string; readonly anew: string };
  readonly health: Pick<Health, "level" | "usedTokens" | "compactionPointTokens" | "requestsToLine">;
  /** Since its last request; `undefined` if unknown. */
  readonly idleMs: number | undefined;
  readonly cacheLifeMs: number;
  /** What the next request costs if the cache has expired, as it is and with so many tokens compacted first; `undefined` before the first request. */
  quote(savedTokens: number): ReturnQuote | undefined;
  /**
   * What of ours is installed in the client. Only the module compacts without a model; the client's own compaction sends the whole window
   * once more. `elsewhere`: a client that `plimsoll install` does not support, so there is nothing to advise.
   */
  readonly installed: "module" | "hooks" | "nothing" | "elsewhere";
  /** The command that resumes the session, if the module is installed but does not run in it yet. */
  readonly reload?: string | undefined;
  /** What the policy would have saved in the last days where it is not active yet. */
  readonly unused: UnusedSaving | undefined;
  /** What the last days cost, and how much of it was for rebuilding the cache. */
  readonly paidTwice: PaidTwice | undefined;
  /** What a compaction now would do. Called only if the answer is shown; `undefined` if nothing can be compacted. */
  compaction():
    | {
        readonly savedTokens: number;
        /** Over the expected requests, after the cost of rewriting the cache; `undefined` without a price. */
        readonly netUsd: number | undefined;
        readonly requests: number;
        readonly isDue: boolean;
      }
    | undefined;
}

export interface UnusedSaving {
  readonly savedUsd: number;
  /** Reads well after "your". */
  readonly days: string;
  /** How it would have been there, and the command for it. */
  readonly how: "Installed in the agent" | "Through its gateway";
  readonly command: string;
}

interface PaidTwice {
  readonly again: MissedUsd;
  /** The part that came after breaks in which the cache expired. */
  readonly afterBreaksUsd: number;
  /** No share is shown if this sum is a lower bound. */
  readonly all: MissedUsd;
  /** Reads well after "your". */
  readonly days: string;
  /** Shows the sessions with the breaks. */
  readonly command: string;
  /** Shows what caused all of it. */
  readonly causes: string;
}

export interface PersonAdvice {
  readonly sentence: string;
  /** What to type; `undefined` if there is nothing to do. */
  readonly command: string | undefined;
  readonly place: "client" | "shell" | undefined;
  /** `undefined` if the saving cannot be given in dollars. */
  readonly savesUsd: number | undefined;
  /** The window is nearly full: this comes before every saving. */
  readonly isUrgent?: true;
}

/** A smaller saving is not worth a mention. */
const WORTH_A_WORD_USD = 0.01;
/** A saving for which changing the client is worthwhile. */
const WORTH_INSTALLING_USD = 1;
/** An amount worth looking into when there is nothing else to advise. */
const WORTH_A_LOOK_USD = 1;
const DAY_MS = 86_400_000;
/** A smaller share of what was paid is no reason to change a habit. */
const WORTH_A_LOOK_SHARE = 0.05;
/** A session this old is not continued, so its cost is of no interest. */
const ABANDONED_MS = 7 * DAY_MS;

/** The one sentence shown first, in the terminal and on the page. */
export function advisePerson(situation: PersonSituation): PersonAdvice {
  const { commands, health, idleMs, cacheLifeMs, installed, reload } = situation;
  if (idleMs !== undefined && idleMs > cacheLifeMs) return adviseCold(situation, idleMs);
  if (health.usedTokens === undefined) return adviseUnmeasured(situation);
  const ours = planOurs(situation);
  if (isHeavy(health.level)) {
    const full = `The window is at ${renderShare(health)} of its compaction point`;
    const when = health.level === "RED" ? "compact now" : "compact at the next finished step";
    const urgent = health.level === "RED" ? ({ isUrgent: true } as const) : {};
    if (reload !== undefined) return { ...type(`${full}: ${when}`, commands.compact, undefined), ...urgent };
    if (installed === "module")
      return { ...type(`${full}: ${when}${renderSaving(ours)}`, commands.compact, ours?.paysUsd), ...urgent };
    const instead =
      ours?.paysUsd === undefined ? "" : `. With Plimsoll installed, this would need no model${renderSaving(ours)}`;
    return { ...type(`${full}: ${when}${instead}`, commands.compact, undefined), ...urgent };
  }
  if (ours?.isDue && ours.paysUsd !== undefined) {
    const old = `${renderTokens(ours.savedTokens)} tokens of every request are old work`;
    const saves = `saves about $${ours.paysUsd.toFixed(2)} over your next ${ours.requests} requests`;
    if (reload !== undefined)
      return inShell(`${old}. Plimsoll does not run in this session yet: resumed, it compacts them and ${saves}`, {
        command: reload,
        savesUsd: ours.paysUsd,
      });
    if (installed === "module") return type(`${old}. Compact now${renderSaving(ours)}`, commands.compact, ours.paysUsd);
    // Cents are enough here: they come back with every 20 requests, and a new session would lose what is at work, so nothing else saves them.
    return install(`${old}. Installed, Plimsoll compacts them when you resume the session, and ${saves}`, ours.paysUsd);
  }
  const left =
    health.requestsToLine === undefined ? "" : `, and the agent compacts in about ${health.requestsToLine} requests`;
  return nothing(`Nothing to do: the window is at ${renderShare(health)} of its compaction point${left}`, situation);
}

interface OurCompaction extends NonNullable<ReturnType<PersonSituation["compaction"]>> {
  readonly paysUsd: number | undefined;
}

/**
 * What a compaction by Plimsoll would do, if it answers `/compact` or could be made to. Savings of the client's own compaction are never
 * shown: it has a model read the whole window once more, and the size of its summary is not known beforehand.
 */
function planOurs({ installed, compaction }: PersonSituation): OurCompaction | undefined {
  const planned = installed === "module" || installed === "nothing" ? compaction() : undefined;
  if (!planned) return undefined;
  const isPaying = planned.netUsd !== undefined && planned.netUsd >= WORTH_A_WORD_USD;
  return { ...planned, paysUsd: isPaying ? planned.netUsd : undefined };
}

/** Only tool calls are counted here. What they say about the window is a rule of thumb, and the sentence says so. */
function adviseUnmeasured(situation: PersonSituation): PersonAdvice {
  const { level } = situation.health;
  const few =
    "Nothing to do yet: how full the window is has not been recorded, and there were too few tool calls to worry about";
  const many =
    "How full the window is has not been recorded, but the number of tool calls suggests that it is nearly full";
  if (!isHeavy(level)) return nothing(few, situation);
  return type(`${many}: compact at the next finished step`, situation.commands.compact, undefined);
}

/** The cache has expired: continuing pays for the whole window once more, starting anew does not. */
function adviseCold(situation: PersonSituation, idleMs: number): PersonAdvice {
  const { commands, installed } = situation;
  const ago = `The last request was ${renderAge(idleMs)} ago`;
  if (idleMs > ABANDONED_MS) return adviseAbandoned(ago, situation);
  const whole = situation.quote(0);
  if (whole?.goingOnUsd === undefined || whole.goingOnUsd < WORTH_A_WORD_USD)
    return nothing(`${ago}, and continuing costs next to nothing`, situation);
  const anew = `${ago}, and ${renderReturn(whole)}; ${ANEW}`;
  const isWorthInstalling = adviseUnused(findHere(situation)) !== undefined;
  if (idleMs > DAY_MS)
    return isWorthInstalling ? nothing(anew, situation) : type(anew, commands.anew, whole.goingOnUsd);
  // Only the module compacts without sending all of it once more.
  const isOurs = (installed === "module" && situation.reload === undefined) || installed === "nothing";
  const quote = (isOurs ? situation.quote(situation.compaction()?.savedTokens ?? 0) : undefined) ?? whole;
  const savedUsd = whole.goingOnUsd - (quote.compactedUsd ?? whole.goingOnUsd);
  // A break is paid for once, and a new session avoids it: its cents are no reason to install, neither alone nor next to the dollars of the last days.
  const leastUsd = installed === "nothing" && !isWorthInstalling ? WORTH_INSTALLING_USD : WORTH_A_WORD_USD;
  if (savedUsd < leastUsd) return type(anew, commands.anew, whole.goingOnUsd);
  const sentence = `${ago}, and ${renderReturn(quote)}`;
  if (installed !== "nothing") return type(sentence, commands.compact, savedUsd);
  return isWorthInstalling
    ? nothing(`${sentence} with Plimsoll`, situation)
    : install(`${sentence} with Plimsoll`, savedUsd);
}

/** No session needs anything, so advise on what the earlier work paid for twice. */
function adviseAbandoned(ago: string, situation: PersonSituation): PersonAdvice {
  const { paidTwice, commands } = situation;
  if (adviseUnused(findHere(situation))) return nothing(ago, situation);
  const calm = nothing(`${ago}: nothing to do in the agent`, situation);
  if (!paidTwice) return calm;
  const { again, afterBreaksUsd, all, days, command, causes } = paidTwice;
  const hasBreaks = afterBreaksUsd >= WORTH_A_LOOK_USD;
  const leastUsd = hasBreaks ? WORTH_A_LOOK_USD : Math.max(WORTH_A_LOOK_USD, all.usd * WORTH_A_LOOK_SHARE);
  if (again.usd < leastUsd) return calm;
  const share = all.isAtLeast ? "" : ` (${Math.round((again.usd / all.usd) * 100)} %)`;
  const sum = renderLowerUsd(again.usd, again.isAtLeast).replace(/^a/, "A");
  const change = hasBreaks
    ? `, $${afterBreaksUsd.toFixed(2)} of it after long breaks. After a break, start a new session (${commands.anew}) instead of going on in a large one.`
    : ". See what caused it.";
  return {
    sentence: `${sum} of ${renderLowerUsd(all.usd, all.isAtLeast)}${share} in your ${days} went to rebuilding the prompt cache${change}`,
    command: hasBreaks ? command : causes,
    place: "shell",
    savesUsd: undefined,
  };
}

function renderSaving(ours: OurCompaction | undefined): string {
  if (!ours || ours.savedTokens <= 0) return "";
  const tokens = `${renderTokens(ours.savedTokens)} tokens less in every request`;
  if (ours.paysUsd === undefined) return ` (${tokens})`;
  return ` (${tokens}, saving about $${ours.paysUsd.toFixed(2)} over the next ${ours.requests} requests)`;
}

function renderShare({ usedTokens, compactionPointTokens }: PersonSituation["health"]): string {
  return `${Math.round(((usedTokens ?? 0) / compactionPointTokens) * 100)} %`;
}

function renderAge(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

function type(sentence: string, command: string, savesUsd: number | undefined): PersonAdvice {
  return { sentence: `${sentence}.`, command, place: "client", savesUsd };
}

/** Nothing to do in this session. If Plimsoll is not installed in the client yet, advise that. */
function nothing(sentence: string, situation: PersonSituation): PersonAdvice {
  const missed = adviseUnused(findHere(situation));
  if (missed) return { ...missed, sentence: `${sentence}. ${missed.sentence}` };
  return { sentence: `${sentence}.`, command: undefined, place: undefined, savesUsd: undefined };
}

/** A gateway does nothing for a session of the client that `plimsoll install` is about. */
function findHere({ unused }: PersonSituation): UnusedSaving | undefined {
  return unused?.how === "Installed in the agent" ? unused : undefined;
}

/** The same whatever the sessions need; `undefined` if it is not worth a change. */
export function adviseUnused(unused: UnusedSaving | undefined): PersonAdvice | undefined {
  const { savedUsd = 0, days, how, command } = unused ?? {};
  if (savedUsd < WORTH_INSTALLING_USD || command === undefined) return undefined;
  return inShell(`${how}, Plimsoll would have saved about $${savedUsd.toFixed(2)} in your ${days}`, {
    command,
    savesUsd: savedUsd,
  });
}

function install(sentence: string, savesUsd: number): PersonAdvice {
  return inShell(sentence, { command: "plimsoll install", savesUsd });
}

function inShell(
  sentence: string,
  { command, savesUsd }: { readonly command: string; readonly savesUsd: number },
): PersonAdvice {
  return { sentence: `${sentence}.`, command, place: "shell", savesUsd };
}
