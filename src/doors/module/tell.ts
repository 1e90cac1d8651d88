import { hashText } from "../../core/hash.ts";
import { isObject, listField, numberField, textField } from "../../core/json-fields.ts";
import type { Level } from "../../measure/level.ts";
import { describeWork } from "../../policy/advice/describe-work.ts";
import { isAboutContext } from "../../policy/advice/is-about-context.ts";
import { renderHealthReport } from "../../policy/advice/render-health-report.ts";
import type { InjectedWhat } from "../../policy/deeds/deed.ts";
import { stepDensity } from "../../policy/density/step-density.ts";
import { composeInjections } from "../../policy/injection/compose-injections.ts";
import { describeInjection, type Injection } from "../../policy/injection/injection.ts";
import { decideModeInjection, initialModeState } from "../../policy/mode/decide-mode-injection.ts";
import { decideDocRules } from "../../policy/rules/doc-rules.ts";
import { fitRules } from "../../policy/rules/fit-rules.ts";
import { decideLimitWarnings, type RateLimit } from "../../policy/rules/rate-limits.ts";
import { renderReminder } from "../../policy/rules/render-reminder.ts";
import { renderState } from "../../survive/project-state/render-state.ts";
import type { Engine } from "./engine.ts";
import type { Live } from "./live.ts";
import { readMode, readRules, readStateFiles } from "./project-files.ts";
import type { Told } from "./told.ts";

const STATE_TOKENS = 550;
/** One event says at most 10,000 characters, and a mode goes before the rules. */
const RULES_CHARACTERS = 7000;

/** A text to tell, and what the window has been told once it was. */
interface Due {
  readonly injection: Injection;
  readonly told: (before: Told) => Told;
}

const keep = (before: Told): Told => before;

/** What earlier sessions left, before the first prompt of a new one: it is not to be the last thing read. */
export async function tellBeforePrompt($: Engine, live: Live): Promise<void> {
  const isNew = live.watch.happened().state.turns.turn === 0;
  if (!live.told.hasState && isNew) await append($, live, [await tellState($, live)]);
}

/** What a prompt of the person brings along; what was told and has not changed is not told again. */
export async function tellAtPrompt($: Engine, live: Live, prompt: string): Promise<void> {
  await append($, live, [
    ...(await standing($, live, "prompt")),
    ...repeatDensity(live),
    ...hearDensity(live, prompt),
    ...tellLimits(live),
    ...(isAboutContext(prompt) ? [{ injection: answerAboutContext(live), told: keep }] : []),
    ...(live.settings.remindsEachPrompt ? [{ injection: await remind($, live), told: keep }] : []),
  ]);
}

/** Where the person lets it, a window that fills up asks for few words, until a compaction has made room. */
export async function tellAtLevel($: Engine, live: Live, level: Level): Promise<void> {
  const isAuto = live.settings.density === "auto";
  const { density } = live.told;
  // After a compaction the same level may ask for the rules again, for they went out with the window.
  if (level === density.level && !density.hasCompactedSince) return;
  const { state, injections } = stepDensity(density, { kind: "level", level, isAuto });
  live.told = { ...live.told, density: state };
  await append(
    $,
    live,
    injections.map((text) => toDue("density", `load ${level}`, text)),
  );
}

/** The first response of a task is always written in full: they are counted. */
export function hearResponse(live: Live): void {
  live.told = { ...live.told, density: stepDensity(live.told.density, { kind: "responded" }).state };
}

/** The window was emptied by somebody else: what stood in it must be told again. */
export function forgetTold(live: Live): void {
  // Only what we answered ourselves holds it; an answer that failed on its way has told nobody.
  if (!live.isAnswering) {
    live.told = { ...live.told, mode: initialModeState, rules: "", hasDocs: false };
    live.isDensityDue = true;
  }
  live.isAnswering = false;
}

/** What must stand in a window that a compaction has just emptied, as a part of the record that takes its place. */
export async function tellAfterCompaction($: Engine, live: Live): Promise<string> {
  live.told = { ...live.told, mode: initialModeState, rules: "", hasDocs: false };
  const { state, injections } = stepDensity(live.told.density, { kind: "compaction", level: undefined });
  live.told = { ...live.told, density: state };
  const due = [
    ...(await standing($, live, "compaction")),
    ...injections.map((text) => toDue("density", "compaction", text)),
  ];
  return settle(live, due);
}

/** The conventions for documents, once a window, at the first change of one. */
export async function tellAtEdit($: Engine, live: Live, path: string): Promise<void> {
  const text = decideDocRules({ path, project: live.root, isTold: live.told.hasDocs });
  await append($, live, [toDue("docs", "a document was changed", text, (before) => ({ ...before, hasDocs: true }))]);
}

function toDue(what: InjectedWhat, why: string, text: string, told: Due["told"] = keep): Due {
  return { injection: { what, why, text }, told };
}

async function standing($: Engine, live: Live, why: string): Promise<readonly Due[]> {
  const active = await readMode($, live.root);
  const isSet = active.kind === "set";
  const text = isSet
    ? await $.fs.read(`${$.plugin.root}/contexts/${active.mode}.md`).catch(() => undefined)
    : undefined;
  const mode = decideModeInjection(live.told.mode, { kind: "prompt", active, text });
  if (mode.warning !== undefined) {
    live.told = { ...live.told, mode: mode.state };
    live.journal.note("session.append", { kind: "declined", what: "mode", why: mode.warning });
  }
  const rules = fitRules(await readRules($, live.root), { maxTotalCharacters: RULES_CHARACTERS }).text;
  const hash = rules === "" ? "" : hashText(rules);
  return [
    toDue("mode", why, mode.injection ?? "", (before) => ({ ...before, mode: mode.state })),
    toDue("rules", why, hash === live.told.rules ? "" : rules, (before) => ({ ...before, rules: hash })),
  ];
}

async function tellState($: Engine, live: Live): Promise<Due> {
  const { texts } = await readStateFiles($, live.root);
  const hasGit = await $.fs.exists(`${live.root}/.git`).catch(() => false);
  const isEmpty = Object.keys(texts).length === 0;
  const text = isEmpty ? "" : renderState(texts, { nowMs: Date.now(), hasGit, maxTokens: STATE_TOKENS }).text;
  // Asked once a session, whether there is anything to tell or not.
  if (isEmpty) live.told = { ...live.told, hasState: true };
  return toDue("state", "earlier sessions", text, (before) => ({ ...before, hasState: true }));
}

/** Terse writing goes on after somebody else's compaction, if that is still wanted. */
function repeatDensity(live: Live): readonly Due[] {
  if (!live.isDensityDue) return [];
  live.isDensityDue = false;
  const { state, injections } = stepDensity(live.told.density, { kind: "compaction", level: undefined });
  live.told = { ...live.told, density: state };
  return injections.map((text) => toDue("density", "compaction", text));
}

function hearDensity(live: Live, prompt: string): readonly Due[] {
  const { state, injections } = stepDensity(live.told.density, { kind: "prompt", text: prompt, startsTask: true });
  live.told = { ...live.told, density: state };
  return injections.map((text) => toDue("density", "prompt", text));
}

/** `/caveman`, with `off` behind it or not: the same as the words in a prompt. */
export function hearCaveman(live: Live, args: string): { readonly text: string; readonly context: readonly string[] } {
  const words = `/caveman ${args}`.trim();
  const text = settle(live, hearDensity(live, words));
  const isOn = live.told.density.manual === "caveman";
  return {
    text: isOn ? "terse writing is on until you say normal mode, or /caveman off" : "terse writing is off",
    context: text === "" ? [] : [text],
  };
}

function tellLimits(live: Live): readonly Due[] {
  const { warnings, said } = decideLimitWarnings(live.limits, live.told.limits);
  live.told = { ...live.told, limits: said };
  return warnings.map(({ level, text }) => toDue("reminder", `rate limit ${level}`, text));
}

function answerAboutContext({ watch }: Live): Injection {
  const happened = watch.happened();
  const decisionsSaved = happened.state.decided.decisions.length;
  const report = renderHealthReport(watch.health(), { critical: { ...describeWork(happened), decisionsSaved } });
  const text = `The user asks about the context window. Measured now:\n${report}`;
  return { what: "advisory", why: "asked about the context", text };
}

async function remind($: Engine, live: Live): Promise<Injection> {
  const text = renderReminder({ rules: await readRules($, live.root), plan: "" });
  return { what: "reminder", why: "each prompt", text };
}

/** A row of its own at the end of the conversation: everything before it stays as it was sent, and cached. */
async function append($: Engine, live: Live, due: readonly Due[]): Promise<void> {
  const text = settle(live, due);
  if (text !== "") await $.session.append({ message: { type: "user", content: [{ type: "text", text }] } });
}

/** What there is room for, as one text; only that counts as told. */
function settle(live: Live, due: readonly Due[]): string {
  const { text, told, leftOut } = composeInjections(due.map(({ injection }) => injection));
  const { model } = live.watch.health();
  for (const { injection, told: follow } of due) {
    if (!told.includes(injection)) continue;
    live.told = follow(live.told);
    live.journal.note("session.append", describeInjection(injection, model));
  }
  for (const { what } of leftOut)
    live.journal.note("session.append", { kind: "declined", what, why: "no room left in what one event may say" });
  return text;
}

/** As the engine measures them; empty off a subscription. */
export function parseLimits(value: unknown): readonly RateLimit[] {
  if (!isObject(value)) return [];
  return listField(value, "rateLimits")
    .filter(isObject)
    .map((limit) => {
      const resetsAtMs = Date.parse(textField(limit, "resetsAt"));
      return {
        name: textField(limit, "kind"),
        usedPercent: numberField(limit, "percentUsed") ?? 0,
        resetsAtMs: Number.isNaN(resetsAtMs) ? undefined : resetsAtMs,
      };
    });
}
