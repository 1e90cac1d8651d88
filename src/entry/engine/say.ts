import { readFile } from "node:fs/promises";
import { isObject, type JsonObject, listField, numberField, textField, timeField } from "../../core/json.ts";
import { findWaiting } from "../../files/agreed-files.ts";
import { findPlan, readNotes, readSurroundings } from "../../files/project-reader.ts";
import { readQuietly } from "../../files/read-regular-file.ts";
import { countToolsAtStart } from "../../hosts/claude-code/attachment-text.ts";
import { parseChangedFile } from "../../hosts/claude-code/interpret-call.ts";
import type { ReportedLimit } from "../../measure/describe-limits.ts";
import { reportHealth } from "../../policy/advice/report-health.ts";
import { sayDue } from "../../policy/injection/compose-injections.ts";
import { documentChanged, isChecked } from "../../policy/steps/document-changed.ts";
import { isLoopDue, looped } from "../../policy/steps/looped.ts";
import { measured } from "../../policy/steps/measured.ts";
import { opened } from "../../policy/steps/opened.ts";
import { ran } from "../../policy/steps/ran.ts";
import { hearPrompt, said } from "../../policy/steps/said.ts";
import { isCountDue, turnEnded } from "../../policy/steps/turn-ended.ts";
import { renderNotes, type Surroundings } from "../../policy/surroundings.ts";
import type { Action } from "../../session/action.ts";
import { findPhase } from "../../session/phase.ts";
import { parseLog } from "../../survive/project-state/entry-log.ts";
import type { Happened } from "../../survive/record/happened.ts";
import type { ClientPort } from "./client-port.ts";
import { windowBegan } from "./compaction/life.ts";
import type { Live } from "./live.ts";
import { agreedFilesOf, modelOf, perform, settle } from "./perform.ts";
import { readHealth } from "./status.ts";

/** What a new window must hold, before the prompt that begins it, so that it is not the last thing read. */
export async function sayBeforePrompt($: ClientPort, live: Live): Promise<void> {
  const { opening: why } = live.window;
  if (why === undefined) return;
  live.window = { ...live.window, opening: undefined };
  const notes = why === "compact" ? undefined : await readNotes(agreedFilesOf(live), live.root);
  const isFirst = live.watch.happened().state.requests.count === 0;
  const step = opened(live.policy, {
    why,
    surroundings: await readHere($, live),
    stands: why === "resume" ? live.policy.told : undefined,
    nowMs: live.nowMs(),
    notes: (beganMs) => (notes === undefined ? "" : renderNotes(notes, { nowMs: live.nowMs(), beganMs })),
    memory: notes?.memory,
    paused: notes?.paused,
    waiting: why === "compact" ? [] : await findWaiting(live.files, live.trust),
    deferred: why === "startup" ? [...live.deferred] : [],
    model: () => modelOf(live),
  });
  await perform($, live, step);
  // What comes before the first answer stays as long as only we compact.
  if (isFirst) live.window = { ...live.window, standing: live.policy.told };
}

/** What to tell the model at a prompt. It describes the work before the prompt, which is no part of it yet. */
export async function sayAtPrompt($: ClientPort, live: Live, prompt: string, before?: Happened): Promise<void> {
  const notes = await readNotes(agreedFilesOf(live), live.root);
  const step = said(
    live.policy,
    {
      prompt,
      surroundings: await readHere($, live),
      limits: live.limits,
      health: () => live.watch.health(),
      happened: () => before ?? live.watch.happened(),
      savedDecisions: () => parseLog(notes.texts["decisions.md"] ?? "").entries.length,
      baseTokens: () => live.watch.baseTokens(),
      model: () => modelOf(live),
    },
    // The module starts a compaction at the person's line, so it need not say that it is reached.
    { ...live.settings, lineTokens: null },
  );
  await perform($, live, step);
}

export async function sayAtLevel($: ClientPort, live: Live): Promise<void> {
  const health = live.watch.health();
  if (health.usedTokens === undefined && health.profile !== "calls") return;
  const moment = { health, model: () => health.model, happened: () => live.watch.happened() };
  await perform($, live, measured(live.policy, moment, live.settings));
}

export async function sayInLoop($: ClientPort, live: Live, action: Action): Promise<void> {
  const moment = { health: live.watch.health(), action, nowMs: live.nowMs() };
  if (!isLoopDue(live.policy, moment, live.settings)) return;
  const plan = await findPlan(agreedFilesOf(live), live.root);
  const happened = live.watch.happened();
  await perform($, live, looped(live.policy, { ...moment, happened, plan, model: () => modelOf(live) }));
}

/** The list of tools is at its beginning, but only whole files are looked through. */
const MAX_TRANSCRIPT_BYTES = 1 << 30;

export async function sayAtTurnEnd($: ClientPort, live: Live): Promise<void> {
  const tools = isCountDue(live.policy) ? countToolsAtStart(readQuietly(live.transcript, MAX_TRANSCRIPT_BYTES)) : 0;
  const phase = findPhase(live.watch.happened().state.phase);
  await settle($, live, turnEnded(live.policy, { health: live.watch.health(), phase, tools }, live.settings));
}

/** The window was emptied: what was in it must be given again, unless the answer was ours and contains it. */
export function forgetSaid(live: Live): void {
  if (live.life.kind !== "answering") live.window = { opening: "compact", standing: undefined };
  live.life = windowBegan(live.life);
}

/** What a window that a compaction has just emptied must hold. The client leaves out the row from before the first prompt, and keeps it with that prompt (seen in 2.1.325). */
export async function sayAfterCompaction($: ClientPort, live: Live, isOpeningKept: boolean): Promise<string> {
  if (!isOpeningKept) live.window = { ...live.window, standing: undefined };
  const step = opened(live.policy, {
    why: "compact",
    surroundings: await readHere($, live),
    stands: live.window.standing,
    nowMs: live.nowMs(),
    notes: () => "",
    model: () => modelOf(live),
  });
  return settle($, live, step);
}

/** The conventions for documents that a change breaks; a failed call has changed nothing. */
export async function sayAtEdit($: ClientPort, live: Live, e: JsonObject, result: unknown): Promise<void> {
  const document = parseChangedFile(textField(e, "tool"), e, isObject(result) ? result.result : undefined);
  if (document === undefined || !isChecked(document.path, live.root)) return;
  const changed = { document, project: live.root, model: () => modelOf(live) };
  await perform($, live, documentChanged(live.policy, changed, live.settings));
}

/** Reminds the model to write tersely, if that is due after this call. */
export async function notifyAfterCall(
  $: ClientPort,
  live: Live,
  call: { readonly action: Action; readonly asked?: string; readonly answeredCharacters?: number },
): Promise<void> {
  const phase = () => findPhase(live.watch.happened().state.phase);
  await perform($, live, ran(live.policy, { asked: "", ...call, phase, model: () => modelOf(live) }));
}

/** `/caveman`, with or without `off`: the same as the words in a prompt. */
export async function hearCaveman($: ClientPort, live: Live, args: string): Promise<JsonObject> {
  const heard = hearPrompt(live.policy, `/caveman ${args}`.trim(), () => live.watch.happened());
  const said = sayDue(heard.state, heard.list, () => modelOf(live));
  const text = await settle($, live, { ...said, commands: [...said.commands, ...heard.commands] });
  const isOn = live.policy.red.density.manual === "caveman";
  return {
    text: isOn ? 'terse writing is on until you say "normal mode" or run /caveman off' : "terse writing is off",
    context: text === "" ? [] : [text],
  };
}

export async function reportNow(live: Live): Promise<string> {
  const { texts } = await readNotes(agreedFilesOf(live), live.root);
  return reportHealth({
    health: readHealth(live),
    happened: live.watch.happened(),
    savedDecisions: parseLog(texts["decisions.md"] ?? "").entries.length,
    baseTokens: live.watch.baseTokens(),
  });
}

function readHere($: ClientPort, live: Live): Promise<Surroundings> {
  const readText = (mode: string): Promise<string | undefined> =>
    readFile(`${$.plugin.root}/contexts/${mode}.md`, "utf8").catch(() => undefined);
  return readSurroundings(agreedFilesOf(live), live.root, readText);
}

/** The limits as the client measures them; empty without a subscription. */
export function parseEngineLimits(value: unknown): readonly ReportedLimit[] {
  if (!isObject(value)) return [];
  return listField(value, "rateLimits")
    .filter(isObject)
    .map((limit) => ({
      name: textField(limit, "kind"),
      usedPercent: numberField(limit, "percentUsed") ?? 0,
      resetsAtMs: timeField(limit, "resetsAt"),
    }));
}
