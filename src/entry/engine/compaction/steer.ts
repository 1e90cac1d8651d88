import { renderTokens } from "../../../measure/render-load.ts";
import { countLoops, MOST_LOOPS } from "../../../policy/advice/count-loops.ts";
import { type Due, decideAsked } from "../../../policy/collapse-due.ts";
import { isLifeInDoubt, readCacheLife } from "../cache-life.ts";
import type { ClientPort } from "../client-port.ts";
import { askAfterBreak } from "../come-back.ts";
import { describeCarried, lookDue, lower, raise, settingsOf } from "../line.ts";
import type { Live } from "../live.ts";

interface Moment {
  readonly nowMs: number;
  /** The person has just spoken, so they can be asked; in the middle of a turn a question would hold it up. */
  readonly isPrompt: boolean;
}

const NOW = "Compact now";
const LATER = "Not now";
const NEVER = "Not in this session";

/** Does what the person wants done when a compaction is due, before the next request. Returns the reason for a compaction, or an empty text. */
export async function steer($: ClientPort, live: Live, moment: Moment): Promise<string> {
  const { asked } = live.steering;
  live.steering.asked = undefined;
  const due = withoutLoop($, live, asked ?? lookPriced(live, moment.nowMs));
  // Without a place to store originals no compaction is started.
  const canBe = (due?.kind === "line" || due?.kind === "price") && live.store.isOpen();
  const isWanted = canBe && (await isMade($, live, due, moment));
  if (due?.kind === "below") sayBelow($, live, due.why);
  // Noted once until the next compaction, although it waits at every call up to the next good place.
  if (due?.kind === "wait" && isFirst(live, "waits")) noteDeclined(live, due.why);
  live.steering.by = isWanted ? due.kind : undefined;
  if (isWanted) lower($, live);
  else raise($, live);
  return isWanted ? due.why : "";
}

/** The cache's life decides whether it is cold, and what a rewrite costs: where it is a guess, it is looked up before a decision rests on it. */
function lookPriced(live: Live, nowMs: number): Due | undefined {
  const pauseMs = nowMs - (live.watch.lastAnswerMs() ?? nowMs);
  if (isLifeInDoubt(live.cacheLife, pauseMs)) live.cacheLife = readCacheLife(live);
  const due = lookDue(live, nowMs);
  if (due?.kind !== "price" || live.cacheLife.isReported) return due;
  live.cacheLife = readCacheLife(live);
  return lookDue(live, nowMs);
}

async function isMade($: ClientPort, live: Live, due: Due, { isPrompt }: Moment): Promise<boolean> {
  if (due.kind === "line") return true;
  switch (live.settings.early) {
    case "price":
      return isPrompt ? askAfterBreak($, live) : true;
    case "ask":
      return isPrompt
        ? ask($, live, due)
        : remind($, live, due, "you will be asked at your next prompt; run /compact to compact now");
    case "remind":
      return remind($, live, due, "run /compact");
    case "off":
      return false;
  }
}

/** Does nothing but say, once until the next compaction, that one would pay. */
function remind($: ClientPort, live: Live, due: Due, how: string): false {
  if (!isFirst(live, "pays")) return false;
  $.ui.log(`a compaction would pay off now${sizeOf(live)}: ${due.why} · ${how} · /plimsoll off stops this hint`);
  noteDeclined(live, `Plimsoll only showed a reminder: ${due.why}`);
  return false;
}

/** If no one can be asked, as in a headless session, it is shown instead. */
async function ask($: ClientPort, live: Live, due: Due): Promise<boolean> {
  if (!isFirst(live, "asked")) return false;
  const question = `Compact now${sizeOf(live)}, before this prompt is answered? Reason: ${due.why}.`;
  const choice = await $.ui.ask(question, { options: [NOW, LATER, NEVER], header: "Plimsoll" }).catch(() => undefined);
  if (choice === undefined) return remind($, live, due, "run /compact");
  if (choice === NEVER) live.steering.isOn = false;
  if (choice !== NOW) noteDeclined(live, `the user was asked and chose: ${choice}`);
  return choice === NOW;
}

function sayBelow($: ClientPort, live: Live, why: string): void {
  if (!isFirst(live, "below")) return;
  $.ui.log(`not compacting: ${why}. Set a higher "line", or set "policy" to "thrifty" to keep less`);
  noteDeclined(live, why);
}

function noteDeclined({ journal }: Live, why: string): void {
  journal.note("session.append", { kind: "declined", what: "compaction", why });
}

function isFirst({ steering: { said } }: Live, what: "asked" | "below" | "loops" | "pays" | "waits"): boolean {
  const isNew = !said.has(what);
  said.add(what);
  return isNew;
}

function sizeOf({ watch }: Live): string {
  const tokens = watch.contextTokens();
  return tokens === undefined ? "" : ` at ${renderTokens(tokens)} tokens`;
}

/** A compaction is over: messages about the last one no longer apply. */
export function restSteering({ steering, watch }: Live): void {
  for (const what of ["asked", "pays", "waits"] as const) steering.said.delete(what);
  steering.stepsAtLast = watch.health().steps;
  steering.compactedAt = [...steering.compactedAt, watch.happened().trail.calls.length];
}

/** The model says that a piece of work is done: compacts before the next request if that pays. Returns what the model is told. */
export function hearDone($: ClientPort, live: Live): string {
  const carried = live.steering.isOn && live.settings.mayAsk ? describeCarried(live, live.nowMs()) : undefined;
  const decided = carried && withoutLoop($, live, decideAsked(carried, settingsOf(live)));
  const why = decided?.why ?? "your settings leave that to the client";
  const isPaying = decided?.kind === "price" && live.store.isOpen();
  if (!isPaying) {
    noteDeclined(live, `the model said that a piece of work is done: ${why}`);
    $.ui.log(`the model said that a piece of work is done; not compacting: ${why}`);
    return `Not compacted: ${why}. Go on.`;
  }
  // Where the person wants to be asked or reminded, their next prompt does that.
  if (live.settings.early !== "price") return remind($, live, decided, "run /compact") || "The user was told. Go on.";
  live.steering.asked = decided;
  return "The window is compacted before your next request. Go on.";
}

/** No early compaction after two in a row that only had the model look up the same again. */
function withoutLoop<Decided extends Due | { readonly kind: "no"; readonly why: string }>(
  $: ClientPort,
  live: Live,
  decided: Decided | undefined,
): Decided | undefined {
  if (decided?.kind !== "price") return decided;
  const loops = countLoops(live.watch.happened().trail.calls, live.steering.compactedAt);
  if (loops < MOST_LOOPS) return decided;
  const why = `the last ${loops} compactions were each followed by the calls that came before them`;
  if (isFirst(live, "loops")) {
    $.ui.log(`no more early compactions in this session: ${why}. /compact still compacts`);
    noteDeclined(live, why);
  }
  return undefined;
}
