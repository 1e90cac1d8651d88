import { renderCount } from "../../core/render-count.ts";
import { THROUGH_GATEWAY } from "../../hosts/through-gateway.ts";
import { renderTokens } from "../../measure/render-load.ts";
import { renderUsd } from "../../models/economics/render-usd.ts";
import type { DollarSums } from "../../replay/client-dollars.ts";
import { type ComparedLives, chooseLife, type LifeCost, mayUseUpMore } from "../../replay/compare-lives.ts";
import type { SummaryLoss } from "../../replay/outcome.ts";
import type { AskedFiles, ReplayAnswer } from "../../replay/parse-answer.ts";
import { CACHE_LIFE_WORDS, PROPOSED_CACHE_LIFE } from "../../replay/policy-names.ts";

type Saving = Pick<DollarSums, "savedUsd" | "recordedUsd">;

/** The one figure that replay, the first screen, the page and `install` share. */
export function reportSaving({ savedUsd, recordedUsd }: Saving): string {
  const share = recordedUsd > 0 ? ` (${Math.round((Math.abs(savedUsd) / recordedUsd) * 100)} %)` : "";
  const usd = renderUsd(Math.abs(savedUsd));
  return savedUsd >= 0
    ? `saved about ${usd} of ${renderUsd(recordedUsd)}${share}`
    : `cost about ${usd} more than ${renderUsd(recordedUsd)}${share}`;
}

/** Which sessions an answer is about; the first words say so if it is not about all of them yet. */
function reportAsked({ days, files, waiting }: AskedFiles): string {
  const all = days ? `Your ${days}` : "All your recorded sessions";
  if (waiting === 0) return all;
  return `So far ${files - waiting} of ${files} session files. ${all}`;
}

/** The whole answer in one sentence; empty if nothing could be replayed. */
export function reportAnswer({ asked, clients }: Pick<ReplayAnswer, "asked" | "clients">): string {
  const sum = (field: "savedUsd" | "recordedUsd" | "sessions"): number =>
    clients.reduce((all, one) => all + one[field], 0);
  const sessions = sum("sessions");
  if (sessions === 0) return "";
  const saved = reportSaving({ savedUsd: sum("savedUsd"), recordedUsd: sum("recordedUsd") });
  const saving = `${reportAsked(asked)}: with Plimsoll installed you would have ${saved}, over ${sessions} of ${renderCount(asked.files, "session file")}`;
  return [saving, ...reportParts(clients)].map((sentence) => `${sentence}.`).join(" ");
}

/** What rounds to nothing, saved or lost, is not named. */
const LEAST_USD = 0.005;

/** The saving by agent, and which of it the plugin alone does not bring; nothing about a single agent whose plugin does. */
export function reportParts(
  clients: readonly (Pick<DollarSums, "savedUsd"> & { readonly client: string })[],
): readonly string[] {
  const named = clients.filter(({ savedUsd }) => Math.abs(savedUsd) >= LEAST_USD);
  const findGateway = ({ client, savedUsd }: (typeof named)[number]): string | undefined =>
    savedUsd < 0 ? undefined : THROUGH_GATEWAY[client];
  if (named.length < 2 && !named.some(findGateway)) return [];
  const texts = named.map((one) => {
    if (one.savedUsd < 0) return `${one.client} cost ${renderUsd(-one.savedUsd)} more`;
    const command = findGateway(one);
    return `${one.client} ${renderUsd(one.savedUsd)}${command === undefined ? "" : ` (only through the gateway: ${command})`}`;
  });
  return [`By agent: ${texts.join(", ")}`];
}

/** What was lost at the price that was paid. */
export function reportLoss({ summaries, facts, lost }: SummaryLoss): string {
  if (summaries === 0) return "Your agent wrote no summary in them, so what its summaries lose is not recorded.";
  const share = facts > 0 ? ` (${Math.round((lost / facts) * 100)} %)` : "";
  const wrote = summaries === 1 ? "summary" : `${summaries} summaries`;
  return `The ${wrote} that your agent wrote in them lost ${lost} of ${renderCount(facts, "fact")}${share}; Plimsoll keeps every original.`;
}

/** The part of the saving that comes from the proposed cache life; `undefined` if it is not proposed. */
export function reportProposedLife(compared: ComparedLives): string | undefined {
  const life = chooseLife(compared);
  if (!life) return undefined;
  return `${renderUsd(compared.recordedUsd - life.usd)} of that comes from a prompt cache life of ${nameLife(life)}`;
}

/** What a subscription could lose by the proposed life; empty if nothing. */
export function warnOfLimits(compared: ComparedLives): string {
  const life = chooseLife(compared);
  if (!life || !mayUseUpMore(compared, life)) return "";
  return `On a subscription it could use up more of your limits than without Plimsoll: ${renderUncached(compared, life)}.`;
}

function renderUncached({ clientUncachedTokens }: ComparedLives, { uncachedTokens }: LifeCost): string {
  return `${renderTokens(uncachedTokens)} instead of ${renderTokens(clientUncachedTokens)} tokens that are not read from the cache`;
}

/** Why the life is not proposed, for people who asked for an answer in full. */
export function reportOtherLives(compared: ComparedLives): string {
  const proposed = compared.lives.find(({ life }) => life === PROPOSED_CACHE_LIFE);
  if (!proposed || chooseLife(compared)) return "";
  if (chooseLife({ ...compared, isSubscription: false }))
    return `A prompt cache life of ${nameLife(proposed)} is not proposed: it could use up more of your subscription's limits than without Plimsoll (${renderUncached(compared, proposed)}).`;
  const change = renderUsd(Math.abs(proposed.usd - compared.recordedUsd));
  const inShort = `${renderUsd(proposed.shortUsd)} instead of ${renderUsd(compared.shortUsd)} in short sessions`;
  const would = proposed.usd < compared.recordedUsd ? `saved ${change} in all, but cost` : `cost ${change} more, and`;
  return `A prompt cache life of ${nameLife(proposed)} would have ${would} ${inShort}, so it is not proposed.`;
}

function nameLife({ life }: Pick<LifeCost, "life">): string {
  return CACHE_LIFE_WORDS[life];
}

/** Which cache lifetime would have been cheapest, in dollars and in what a subscription's limits may count. */
export function reportCacheLives(compared: ComparedLives): string {
  const { sessions, pauses, lives, recordedUsd } = compared;
  const each = lives.map(
    ({ life, usd, uncachedTokens }) =>
      `${renderUsd(usd)} and ${renderTokens(uncachedTokens)} uncached tokens with ${nameLife({ life })}`,
  );
  const [fewest] = [...lives].sort((left, right) => left.uncachedTokens - right.uncachedTokens);
  const better = chooseLife(compared);
  const doing = better
    ? `plimsoll install proposes ${nameLife(better)}`
    : "plimsoll install proposes no other cache life, because none saves enough without making short sessions more expensive";
  const isOther = fewest && fewest.life !== lives[0]?.life;
  const other = isOther
    ? ` A subscription uses the fewest uncached tokens with a cache life of ${nameLife(fewest)}.`
    : "";
  return `Cost with Plimsoll for each prompt cache life, over ${renderCount(sessions, "session")} with ${renderCount(pauses, "break")} of more than five minutes: ${renderUsd(recordedUsd)} with the recorded cache life; ${each.join("; ")}. ${doing}.${other}`;
}
