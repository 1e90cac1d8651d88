import { errorCode } from "../../core/render-failure.ts";
import { saveOwnSetting } from "../../files/project-settings.ts";
import { POLICY_SETTINGS, STANDING_TOKENS } from "../../layers/options/policy-settings.ts";
import { BREAK_MS, quoteBreak, type ReturnQuote, renderReturn } from "../../measure/quote-return.ts";
import { AFTER_BREAK, type AfterBreak } from "../../policy/settings/settings.ts";
import type { ClientPort } from "./client-port.ts";
import { nameSettings } from "./compaction/settle-compaction.ts";
import { type Live, readQuietMeter } from "./live.ts";

/** What coming back costs; `undefined` without a break. */
export function quoteOwnBreak(live: Live): ReturnQuote | undefined {
  const [nowMs, lastMs] = [live.nowMs(), live.watch.lastAnswerMs()];
  if (lastMs !== undefined && nowMs - lastMs <= BREAK_MS) return undefined;
  // The client says how large a request was, the transcript also what of it was cached, and that of sessions from before the plugin.
  const meter = readQuietMeter(live.transcript);
  return meter && quoteBreak(meter, { nowMs, lastMs, countSaved: () => countSaved(live) });
}

/** What a compaction of ours would take out of the window; nothing if the client compacts. */
function countSaved({ watch, settings }: Live): number {
  if (settings.compaction === "native") return 0;
  const { old } = watch.load(POLICY_SETTINGS[settings.policy]);
  return old.reduce((sum, { gainTokens }) => sum + gainTokens, -STANDING_TOKENS);
}

/** Shows the price before the first word, and what becomes of the next prompt. */
export function showBreak($: ClientPort, live: Live): void {
  const quote = quoteOwnBreak(live);
  if (quote !== undefined) $.ui.log(`${renderReturn(quote)} · ${explainNext(live, quote)}`);
}

function explainNext({ settings, steering }: Live, { compactedUsd }: ReturnQuote): string {
  const { early, afterBreak, compaction } = settings;
  if (compaction === "native") return "/compact has a model read all of it once more";
  if (compactedUsd === undefined) return "there is nothing to compact";
  const isOurs = steering.isOn && early === "price";
  if (!isOurs || afterBreak === "continue") return "/compact compacts first";
  return afterBreak === "compact"
    ? "your next prompt compacts first; /plimsoll break ask changes that"
    : "your next prompt asks; /plimsoll break compact always compacts first";
}

/** A session that stays open says it once the cache has surely expired, so that the price is there before the next word. */
export function expectBreak($: ClientPort, live: Live): void {
  clearTimeout(live.breakTimer);
  live.breakTimer = setTimeout(() => showBreak($, live), BREAK_MS + 1_000);
  live.breakTimer.unref();
}

const ALWAYS = "Always compact first";

/** Whether the first prompt after a break compacts: the person agrees to it, this once or for good. Where no one can be asked, the price decides. */
export async function askAfterBreak($: ClientPort, live: Live): Promise<boolean> {
  const { afterBreak } = live.settings;
  const quote = afterBreak === "compact" ? undefined : quoteOwnBreak(live);
  if (quote?.compactedUsd === undefined) return true;
  if (afterBreak === "continue") return false;
  const first = "Compact first";
  const options = [first, ALWAYS, "Go on with all of it"];
  const choice = await $.ui
    .ask(`${renderReturn(quote)}.`, { options, header: "Plimsoll" })
    .catch(() => (canAsk(live) ? "" : first));
  if (choice === ALWAYS) setAfterBreak(live, "compact");
  return choice === first || choice === ALWAYS;
}

/** `/plimsoll break CHOICE`: what the person agrees to holds from now on, in every session. */
export function chooseAfterBreak(live: Live, word: string): string {
  const choice = AFTER_BREAK.find((one) => one === word);
  if (choice === undefined)
    return `After a break, Plimsoll does this: ${live.settings.afterBreak}. To change that, write /plimsoll break with one of ${AFTER_BREAK.join(", ")}`;
  const problem = setAfterBreak(live, choice);
  const where = problem === undefined ? `saved in ${nameSettings(live)}` : `for this session only: ${problem}`;
  return `${DONE[choice]} (${where})`;
}

const DONE: Readonly<Record<AfterBreak, string>> = {
  ask: "after a break above an hour, your first prompt asks whether to compact",
  compact: "after a break above an hour, your first prompt compacts before it is answered",
  continue: "after a break above an hour, Plimsoll shows the price and goes on with the whole window",
};

function setAfterBreak(live: Live, afterBreak: AfterBreak): string | undefined {
  live.settings = { ...live.settings, afterBreak };
  try {
    return saveOwnSetting(live.settingsFile, { afterBreak });
  } catch (error) {
    return `the file cannot be written (${errorCode(error)})`;
  }
}

/** A headless session has no one to ask. A person who dismisses the question goes on. */
function canAsk({ env }: Live): boolean {
  return !(env.CLAUDE_CODE_ENTRYPOINT ?? "").startsWith("sdk");
}
