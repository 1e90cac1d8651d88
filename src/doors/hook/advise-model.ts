import type { Health } from "../../measure/health.ts";
import { estimateTextTokens, tokenizerOf } from "../../models/tokens.ts";
import { followRed, type RedEvent, type RedState } from "../../policy/advice/follow-red.ts";
import type { DeedDetail } from "../../policy/deeds/deed.ts";
import type { Handover } from "../../survive/record/handover.ts";
import { readAdvice, tryAlone, writeAdvice } from "./advice-file.ts";
import type { HookContext, HookInput } from "./hook.ts";

export interface Advised {
  readonly texts: readonly string[];
  readonly deeds: readonly DeedDetail[];
}

/** How heavy the window is, and whose it is. */
export interface Weighed {
  readonly health: Health;
  readonly model: string;
}

const SILENCE: Advised = { texts: [], deeds: [] };

/** The protocol wants one with every measure; what is saved is collected only once it asks for a save. */
const NOTHING_YET: Handover = {
  current: { task: "", phase: "" },
  filesTouched: [],
  decisions: [],
  remainingTasks: [],
};

/** What the level of the load asks to be said to the model; at RED only after the state is on disk. */
export async function adviseModel(input: HookInput, context: HookContext, weighed: Weighed): Promise<Advised> {
  const { folder } = context;
  if (folder === undefined) return SILENCE;
  return (await tryAlone(folder, () => adviseAlone(input, { ...context, folder }, weighed))) ?? SILENCE;
}

type Settled = HookContext & { readonly folder: string };

async function adviseAlone(input: HookInput, context: Settled, { health, model }: Weighed): Promise<Advised> {
  const before = readAdvice(context.folder);
  const options = { isDensityAuto: context.settings.density === "auto" };
  let { state, events } = followRed(before, { kind: "measured", health, handover: NOTHING_YET }, options);
  if (events.some(({ kind }) => kind === "saveState")) {
    const { saveAtRed } = await import("./save-at-red.ts");
    const saved = saveAtRed(input, context);
    const step = followRed(state, saved, options);
    ({ state, events } = { state: step.state, events: [...events, ...step.events] });
  }
  if (!isSame(state, before)) writeAdvice(context.folder, state);
  return collect(events, model);
}

function collect(events: readonly RedEvent[], model: string): Advised {
  const texts: string[] = [];
  const deeds: DeedDetail[] = [];
  const say = (text: string, what: "advisory" | "density", why: string): void => {
    texts.push(text);
    const tokens = Math.round(estimateTextTokens(text, tokenizerOf(model)));
    deeds.push({ kind: "injected", what, why, characters: text.length, tokens, model });
  };
  for (const event of events) {
    if (event.kind === "advice")
      say(`${event.advice.text}\nNote: ${event.advice.note}`, "advisory", event.advice.level);
    if (event.kind === "inject") say(event.text, "density", "context");
  }
  return { texts, deeds };
}

/** What is remembered of the last measure alone is no reason to write. */
function isSame(state: RedState, before: RedState): boolean {
  return JSON.stringify({ ...state, health: undefined }) === JSON.stringify({ ...before, health: undefined });
}
