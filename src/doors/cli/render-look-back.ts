import { renderCount } from "../../core/render-count.ts";
import type { LimitState } from "../../measure/describe-limits.ts";
import type { LookBack } from "../../recorded/look-back/look-back.ts";
import { type Saved, TOLD_POLICIES } from "../../replay/what-was-saved.ts";
import { noteAtLeast } from "./at-least.ts";
import type { CollectedLookBack } from "./collect-look-back.ts";
import type { Terminal } from "./command.ts";
import { wrapText } from "./help.ts";
import type { ReplayState } from "./replay/start-replay.ts";
import { paint, renderUsd } from "./style.ts";

/** What the last days came to, each number with the command that shows what is behind it. */
export function renderLookBack({ look, saved, replay }: CollectedLookBack, terminal: Terminal): readonly string[] {
  if (!look) return [];
  const period = renderPeriod(look);
  const see = (command: string): string => paint(terminal, "dim", `      ${command}`);
  const { totalUsd, sessions, pauses, otherMisses } = look;
  const total = `${look.isAtLeast ? "at least " : ""}${renderUsd(totalUsd)}${look.isAssumed ? " (some at an assumed price)" : ""}`;
  return [
    paint(terminal, "bold", `${renderDays(look)}: ${total} in ${renderCount(sessions, "session")}`),
    see(`plimsoll stats --by session ${period}`),
    ...(pauses.count > 0
      ? [
          `  ${renderUsd(pauses.usd)} of it for ${renderCount(pauses.count, "pause")} that outlived the prompt cache`,
          see(`plimsoll stats --by session --sort pauses ${period}`),
        ]
      : []),
    ...(otherMisses.count > 0
      ? [
          `  ${renderUsd(otherMisses.usd)} for writing cached text again for other reasons, ${otherMisses.count} times`,
          see(`plimsoll stats ${period}`),
        ]
      : []),
    ...renderSaved(saved, look).flatMap((line) => [line.text, see(`${line.command} ${period}`)]),
    ...[...renderReplayState(replay, saved), ...noteAtLeast(look.unfinalOutputRequests, look.unpricedRequests)]
      .flatMap((line) => wrapText(`  ${line}`, terminal.columns, "  "))
      .map((line) => paint(terminal, "dim", line)),
  ];
}

function renderDays({ days, isUntilNow, fromMs, untilMs }: LookBack): string {
  if (isUntilNow) return `Your last ${days} days`;
  return `Your last ${days} days with work (${renderDay(fromMs)} to ${renderDay(untilMs - 1)})`;
}

/** Behind the last day nothing is recorded: where they begin is enough. */
function renderPeriod({ days, isUntilNow, fromMs }: LookBack): string {
  return isUntilNow ? `--since ${days}d` : `--since ${renderDay(fromMs)}`;
}

function renderDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** What the last replay says of these files. */
function renderSaved(saved: Saved | undefined, look: LookBack) {
  if (!saved) return [];
  const of = saved.sessions < look.files.length ? ` (${saved.sessions} of ${look.files.length} files replayed)` : "";
  const see = (policy: string): string => `plimsoll replay --policies ${policy} --sessions`;
  return [
    {
      text: `  ${renderUsd(saved.carriedUsd)} for carrying what was never needed again, by hindsight${of}`,
      command: see(TOLD_POLICIES.foreseeing),
    },
    { text: `  Plimsoll in the client would have ${renderRange(saved)}`, command: see(TOLD_POLICIES.own) },
  ];
}

/** A range where several projects tell one; where it reaches below zero, that too. */
function renderRange({ savedUsd, savedInterval }: Saved): string {
  const about = savedUsd >= 0 ? `saved about ${renderUsd(savedUsd)}` : `cost about ${renderUsd(-savedUsd)} more`;
  if (!savedInterval) return `${about}, by replay (of one project)`;
  const { lowUsd, highUsd } = savedInterval;
  if (lowUsd < 0) return `${about}, by replay; it may have cost ${renderUsd(-lowUsd)} more`;
  return `saved about ${renderUsd(lowUsd)} to ${renderUsd(highUsd)}, by replay`;
}

function renderReplayState(replay: ReplayState, saved: Saved | undefined): readonly string[] {
  switch (replay.status) {
    case "started":
      return [
        `What Plimsoll would have saved is being computed in the background now (process ${replay.processId}, lowest priority; PLIMSOLL_BACKGROUND=0 prevents it): run plimsoll again in a minute or two.`,
      ];
    case "running":
      return [
        `What Plimsoll would have saved is being computed: ${Math.floor(replay.share * 100)} % (process ${replay.processId}).`,
      ];
    case "none":
      return ["What Plimsoll would have saved is not computed yet: plimsoll replay does it."];
    case "done":
      return saved ? [] : ["None of these sessions could be replayed: plimsoll replay says why."];
  }
}

const NAMES = { five_hour: "5 hours", seven_day: "7 days" } as const;

/** One line a limit. What only the recordings tell is said to be that: nobody but the client knows where the limit lies. */
export function renderLimits(limits: readonly LimitState[], nowMs: number): readonly string[] {
  return limits.map(({ name, source, usedPercent, usd, requests, resetsAtMs, endsAtMs }) => {
    const resets = resetsAtMs === undefined ? "" : `, resets in ${renderWait(resetsAtMs - nowMs)}`;
    const spent = `${renderUsd(usd ?? 0)} in ${renderCount(requests ?? 0, "request")}`;
    if (source === "blocks") return `  ${NAMES[name]}: ${spent}${resets} (by what is recorded)`;
    const pace = endsAtMs === undefined ? "" : `, at this pace used up in ${renderWait(endsAtMs - nowMs)}`;
    return `  ${NAMES[name]}: ${Math.round(usedPercent ?? 0)} % used${resets}${pace} (${spent} here)`;
  });
}

function renderWait(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.round(hours / 24)} days`;
}
