import { isObject, listField, numberField, textField } from "../../core/json.ts";
import { readObject } from "../../files/read-regular-file.ts";
import { nameSession } from "../../hosts/catalogue.ts";
import { renderLowerUsd } from "../../models/economics/render-usd.ts";
import { adviseUnused, type PersonAdvice, type UnusedSaving } from "../../policy/advice/advise-person.ts";
import { type AdviceCandidate, adviseBounds, type Bound, rankAdvice } from "../../policy/advice/rank-advice.ts";
import type { Calendar } from "../../recorded/calendar.ts";
import type { IndexSurroundings } from "../../recorded/file-index.ts";
import { keepOwnFile, locateOwnData } from "../../recorded/own-data.ts";
import type { LookedAround } from "./look-around.ts";
import { reportLimits } from "./report-limits.ts";
import { callDays, renderPeriod } from "./report-look-back.ts";
import type { ReplayState } from "./start-replay.ts";

export interface AdvisedFile {
  readonly file: string;
  readonly advice: PersonAdvice;
}

export interface ChosenAdvice extends AdviceCandidate {
  /** The session it is about; `undefined` for a limit or a budget. */
  readonly file: string | undefined;
}

/** Limits and budgets that are nearly used, each with what to do about it. */
function adviseLimits(around: Pick<LookedAround, "limits" | "budgets">, nowMs: number, calendar: Calendar) {
  const reported = reportLimits(around, nowMs, calendar);
  const limits = around.limits.map((limit, index): Bound | undefined => {
    const words = reported[index];
    const hint = "Each request of a smaller model uses less of it.";
    const action = { hint, command: "/model", place: "client" } as const;
    return words && { ...words, name: `Your limit for ${words.name}`, runsOut: limit.endsAtMs !== undefined, action };
  });
  const budgets = around.budgets.map((budget, index): Bound | undefined => {
    const words = reported[around.limits.length + index];
    const command = `plimsoll stats --by session --since ${calendar.nameDay(budget.fromMs)}`;
    const action = { hint: "See what it went to.", command, place: "shell" } as const;
    return words && { ...words, runsOut: false, action };
  });
  return adviseBounds([...limits, ...budgets].filter((bound) => bound !== undefined));
}

interface AdviceTerms {
  readonly nowMs: number;
  readonly calendar: Calendar;
  isIgnored(id: string): boolean;
  /** The id of a session as it can be typed. */
  nameTyped(file: string): string;
}

interface AdvisedAround extends Pick<LookedAround, "limits" | "budgets" | "look" | "canSave" | "isInstalled"> {
  readonly replay: ReplayState;
  readonly unused: UnusedSaving | undefined;
}

/** The one thing to do of all sessions that run, and of the limits. The first session is the newest. */
export function chooseAdvice(
  sessions: readonly [AdvisedFile, ...AdvisedFile[]],
  around: AdvisedAround,
  { nowMs, calendar, isIgnored, nameTyped }: AdviceTerms,
): ChosenAdvice {
  const candidates = sessions.map(({ file, advice }) => ({ ...advice, id: nameAdvice(file, advice), file }));
  const bounds = adviseLimits(around, nowMs, calendar);
  const unused = adviseUnused(around.unused);
  const missed = unused ? [{ ...unused, id: unused.command ?? "", file: undefined }] : [];
  const newest = sessions[0].file;
  const chosen = rankAdvice([...bounds, ...missed, ...candidates], listLooks(nameTyped(newest), around), isIgnored);
  const of = candidates.find((candidate) => candidate === chosen)?.file;
  return { ...chosen, file: of ?? (chosen.isLook ? newest : undefined) };
}

/** What is typed in the shell is one thing to do, whichever session it came from. */
function nameAdvice(file: string, { command = "", place }: PersonAdvice): string {
  return place === "client" ? `${command} in ${nameSession(file)}` : command;
}

/** A smaller sum is not worth a replay. */
const WORTH_A_REPLAY_USD = 1;

function listLooks(session: string, around: AdvisedAround): readonly [AdviceCandidate, ...AdviceCandidate[]] {
  const look = (command: string, sentence: string): AdviceCandidate => {
    return { id: command, sentence, command, place: "shell", savesUsd: undefined, isLook: true };
  };
  const inside = look(`plimsoll inspect --session ${session}`, "See what fills the window.");
  const { look: spent, canSave, isInstalled, replay } = around;
  if (!spent) return [inside];
  const isUnknown = canSave && !isInstalled && replay.status === "none" && spent.totalUsd >= WORTH_A_REPLAY_USD;
  const all = renderLowerUsd(spent.totalUsd, spent.isAtLeast);
  const wouldHave = `See what Plimsoll would have saved of the ${all} of your ${callDays(spent)}.`;
  const paused = `plimsoll stats --by session --sort pauses ${renderPeriod(spent)}`;
  const breaks = spent.pauses.count > 0 ? [look(paused, "See which sessions paid for long breaks.")] : [];
  const more = [...breaks, look("plimsoll dashboard --open", "See all of it on one page.")];
  return isUnknown ? [look("plimsoll replay", wouldHave), inside, ...more] : [inside, ...more];
}

/** Advice on the sample, which is nobody's session: there is only something to look at. */
export function chooseForSample(advice: PersonAdvice, file: string): ChosenAdvice {
  const sentence = `${advice.sentence} See what fills its window.`;
  return { ...advice, id: "sample", sentence, command: "plimsoll now", place: "shell", isLook: true, file };
}

interface ShownAdvice {
  readonly id: string;
  readonly atMs: number;
}

const locateShown = (environment: IndexSurroundings["environment"]): string =>
  `${locateOwnData(environment)}/shown-advice.json`;
/** Until then a person may only look again. */
const LOOKED_AGAIN_MS = 10 * 60_000;
const DAY_MS = 86_400_000;

function readShown(environment: IndexSurroundings["environment"], nowMs: number): readonly ShownAdvice[] {
  return listField(readObject(locateShown(environment)) ?? {}, "shown")
    .filter(isObject)
    .map((one) => ({ id: textField(one, "id"), atMs: numberField(one, "atMs") ?? 0 }))
    .filter(({ atMs }) => nowMs - atMs < DAY_MS && atMs <= nowMs);
}

/** Whether advice was shown within a day and not followed: it is still due, some time after a person saw it. */
export function readIgnored({ environment, ...clock }: IndexSurroundings): AdviceTerms["isIgnored"] {
  const nowMs = clock.nowMs();
  const shown = readShown(environment, nowMs);
  return (id) => shown.some((one) => one.id === id && nowMs - one.atMs > LOOKED_AGAIN_MS);
}

/** Only what a person has seen counts as ignored. The first time counts. */
export function keepShown({ environment, ...clock }: IndexSurroundings, { id }: ChosenAdvice): void {
  const nowMs = clock.nowMs();
  const shown = readShown(environment, nowMs);
  if (shown.some((one) => one.id === id)) return;
  keepOwnFile(locateShown(environment), JSON.stringify({ shown: [...shown, { id, atMs: nowMs }] }));
}
