import type { Health } from "../../measure/health.ts";
import { renderTokens } from "../../measure/render-load.ts";
import { renderLowerUsd } from "../../models/economics/render-usd.ts";

/** What is known of a session at the moment that its person looks. */
export interface PersonSituation {
  /** What this client takes. */
  readonly commands: { readonly compact: string; readonly anew: string };
  readonly health: Pick<Health, "level" | "usedTokens" | "compactionPointTokens" | "requestsToLine">;
  /** Milliseconds since its last request; `undefined` where that is not known. */
  readonly idleMs: number | undefined;
  /** How long the prompt cache keeps what was sent. */
  readonly cacheLifeMs: number;
  /** What the next request pays above a warm one where the cache has run out; `undefined` without a price. */
  readonly rewriteUsd: number | undefined;
  /**
   * What of ours is in the client. Only the module compacts without a model: the client's own compaction sends the whole window once
   * more. Elsewhere than in the client that `plimsoll install` is for, there is nothing to advise.
   */
  readonly installed: "module" | "hooks" | "nothing" | "elsewhere";
  /** What the policy would have saved in the last days, where it is not at work yet; the days as they are called behind "your". */
  readonly unused: { readonly savedUsd: number; readonly days: string } | undefined;
  /** What the last days of work came to, and what of it was paid for writing again what had been cached. */
  readonly paidTwice: PaidTwice | undefined;
  /** What a compaction now would do, asked for only where it is told; `undefined` where nothing can be. */
  compaction():
    | {
        readonly savedTokens: number;
        /** Over the requests expected, the rewriting paid; `undefined` without a price. */
        readonly netUsd: number | undefined;
        readonly requests: number;
        /** Whether the policy finds that it pays now. */
        readonly isDue: boolean;
      }
    | undefined;
}

interface Sum {
  readonly usd: number;
  readonly isAtLeast: boolean;
}

export interface PaidTwice {
  readonly again: Sum;
  /** What of it came after breaks that the cache did not outlive. */
  readonly afterBreaksUsd: number;
  /** Where it is a lower bound, no share of it can be told. */
  readonly all: Sum;
  /** As they are called behind "your". */
  readonly days: string;
  /** Shows the sessions behind it. */
  readonly command: string;
}

/** One thing to do. */
export interface PersonAdvice {
  /** What is happening and what to do, in one sentence. */
  readonly sentence: string;
  /** What to type; `undefined` where there is nothing to do. */
  readonly command: string | undefined;
  /** Where to type it. */
  readonly place: "client" | "shell" | undefined;
  /** What that saves; `undefined` where it cannot be told in dollars. */
  readonly savesUsd: number | undefined;
}

/** Below this nobody changes what they are doing. */
const WORTH_A_WORD_USD = 0.01;
/** What is worth to change one's client for. */
const WORTH_INSTALLING_USD = 1;
/** What is worth to look into, when there is nothing else. */
const WORTH_A_LOOK_USD = 1;
const DAY_MS = 86_400_000;
/** Nobody goes on with a session after so long: what it would cost is of no use to them. */
const ABANDONED_MS = 7 * DAY_MS;

/** The one sentence that stands first, in the terminal as on the page. */
export function advisePerson(situation: PersonSituation): PersonAdvice {
  const { commands, health, idleMs, cacheLifeMs, installed } = situation;
  if (idleMs !== undefined && idleMs > cacheLifeMs) return adviseCold(situation, idleMs);
  if (health.usedTokens === undefined) return adviseUnmeasured(situation);
  const ours = planOurs(situation);
  if (health.level === "RED" || health.level === "ORANGE") {
    const full = `The window is at ${renderShare(health)} of its compaction point`;
    const when = health.level === "RED" ? "compact now" : "compact at the next finished step";
    if (installed === "module") return type(`${full}: ${when}${renderSaving(ours)}`, commands.compact, ours?.paysUsd);
    const instead = ours?.paysUsd === undefined ? "" : `. Plimsoll would compact without a model${renderSaving(ours)}`;
    return type(`${full}: ${when}${instead}`, commands.compact, undefined);
  }
  if (ours?.isDue && ours.paysUsd !== undefined) {
    const old = `${renderTokens(ours.savedTokens)} tokens of every request are old work`;
    if (installed === "module") return type(`${old}. Compact now${renderSaving(ours)}`, commands.compact, ours.paysUsd);
    return install(
      `${old}. Compacting them with Plimsoll saves about $${ours.paysUsd.toFixed(2)} over your next ${ours.requests} requests`,
      ours.paysUsd,
    );
  }
  const left =
    health.requestsToLine === undefined ? "" : `, and the client compacts in about ${health.requestsToLine} requests`;
  return nothing(`Nothing to do: the window is at ${renderShare(health)} of its compaction point${left}`, situation);
}

interface OurCompaction extends NonNullable<ReturnType<PersonSituation["compaction"]>> {
  /** What it saves, where that is known and worth a word. */
  readonly paysUsd: number | undefined;
}

/**
 * What a compaction by Plimsoll would do, where it answers `/compact` or could be made to. What the client's own compaction saves is
 * told nowhere: it has a model read the whole window once more, and what its summary leaves is not known before.
 */
function planOurs({ installed, compaction }: PersonSituation): OurCompaction | undefined {
  const planned = installed === "module" || installed === "nothing" ? compaction() : undefined;
  if (!planned) return undefined;
  const isPaying = planned.netUsd !== undefined && planned.netUsd >= WORTH_A_WORD_USD;
  return { ...planned, paysUsd: isPaying ? planned.netUsd : undefined };
}

/** Only calls are counted: what they say of the window is a rule of thumb, and is told as one. */
function adviseUnmeasured(situation: PersonSituation): PersonAdvice {
  const { level } = situation.health;
  if (level === "GREEN" || level === "YELLOW")
    return nothing(
      "Nothing to do yet: how full the window is has not been recorded, but there were few tool calls",
      situation,
    );
  const many =
    "How full the window is has not been recorded, but the number of tool calls suggests that it is nearly full";
  return type(`${many}: compact at the next finished step`, situation.commands.compact, undefined);
}

/** The cache is gone: whoever goes on pays for the whole window once more, whoever begins anew does not. */
function adviseCold(situation: PersonSituation, idleMs: number): PersonAdvice {
  const { commands, health, rewriteUsd, installed } = situation;
  const { usedTokens = 0 } = health;
  const ago = `The last request was ${renderAge(idleMs)} ago`;
  if (idleMs > ABANDONED_MS) return adviseAbandoned(ago, situation);
  if (rewriteUsd === undefined || rewriteUsd < WORTH_A_WORD_USD)
    return nothing(`${ago}, and continuing costs next to nothing`, situation);
  const anew = `${ago}, so the prompt cache has expired: continuing writes ${renderTokens(usedTokens)} tokens to the cache again for $${rewriteUsd.toFixed(2)}`;
  const isWorthInstalling = (situation.unused?.savedUsd ?? 0) >= WORTH_INSTALLING_USD;
  if (idleMs > DAY_MS && isWorthInstalling) return nothing(`${anew}; a new session avoids that cost`, situation);
  if (idleMs > DAY_MS) return type(`${anew}; a new session avoids that cost`, commands.anew, rewriteUsd);
  const compaction = situation.compaction();
  const savedShare = usedTokens > 0 ? (compaction?.savedTokens ?? 0) / usedTokens : 0;
  const savedUsd = rewriteUsd * savedShare;
  if (savedUsd < WORTH_A_WORD_USD || installed === "hooks" || installed === "elsewhere")
    return nothing(anew, situation);
  if (installed === "nothing")
    return install(
      `${anew}; compacting with Plimsoll first would save ${renderTokens(compaction?.savedTokens ?? 0)} of those tokens`,
      savedUsd,
    );
  return type(
    `${anew}; compacting first saves ${renderTokens(compaction?.savedTokens ?? 0)} of those tokens`,
    commands.compact,
    savedUsd,
  );
}

/** No session wants anything: what the work before it paid twice is worth a change. */
function adviseAbandoned(ago: string, situation: PersonSituation): PersonAdvice {
  const { unused, paidTwice, commands } = situation;
  if (unused && unused.savedUsd >= WORTH_INSTALLING_USD) return nothing(ago, situation);
  if (!paidTwice || paidTwice.again.usd < WORTH_A_LOOK_USD)
    return nothing(`${ago}: nothing to do in the client`, situation);
  const { again, afterBreaksUsd, all, days, command } = paidTwice;
  const share = all.isAtLeast ? "" : ` (${Math.round((again.usd / all.usd) * 100)} %)`;
  const sum = renderLowerUsd(again.usd, again.isAtLeast).replace(/^a/, "A");
  const change =
    afterBreaksUsd >= WORTH_A_LOOK_USD
      ? `, $${afterBreaksUsd.toFixed(2)} of it after long breaks. After a break, start a new session (${commands.anew}) instead of going on in a large one.`
      : ". Choose model and tools before you begin, and change neither in the middle of a session.";
  return {
    sentence: `${sum} of ${renderLowerUsd(all.usd, all.isAtLeast)}${share} in your ${days} went to rebuilding the prompt cache${change}`,
    command,
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

/** Nothing in this session; where Plimsoll does not work in the client yet, that is the thing to do. */
function nothing(sentence: string, { unused }: PersonSituation): PersonAdvice {
  if (!unused || unused.savedUsd < WORTH_INSTALLING_USD)
    return { sentence: `${sentence}.`, command: undefined, place: undefined, savesUsd: undefined };
  const missed = `Installed in the client, Plimsoll would have saved about $${unused.savedUsd.toFixed(2)} in your ${unused.days}`;
  return install(`${missed}. ${sentence}`, unused.savedUsd);
}

function install(sentence: string, savesUsd: number): PersonAdvice {
  return { sentence: `${sentence}.`, command: "plimsoll install", place: "shell", savesUsd };
}
