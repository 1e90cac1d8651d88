import { hashText } from "../../../core/hash.ts";
import { textField } from "../../../core/json-fields.ts";
import { measureRoom } from "../../../policy/injection/compose-injections.ts";
import type { Injection } from "../../../policy/injection/injection.ts";
import { fitRules, MAX_RULES_CHARACTERS } from "../../../policy/rules/fit-rules.ts";
import { type Hook, type HookContext, NOTHING } from "../hook.ts";
import { tell } from "../inject.ts";
import { repeatDensity } from "../inject-density.ts";
import { decideMode } from "../inject-mode.ts";
import { readRules } from "../inject-rules.ts";
import { renderProjectState } from "../inject-state.ts";
import { readTold, type Told, writeTold } from "../inject-told.ts";
import { landRestore } from "../restore.ts";

/** Starts that keep what the window held. */
const KEEPING = "resume";
/** Starts of a conversation that earlier ones may have left something for. */
const BEGINNINGS: readonly string[] = ["startup", "resume"];

/** What a window must hold from its first request on: the mode, the rules, and what a compaction or an earlier session left. */
export const sessionStart: Hook = (input, context) => {
  if (input.agentId !== "") return NOTHING;
  const source = textField(input.raw, "source") || "startup";
  const told = readTold(context.folder);
  const mode = decideMode(told.mode, context, source);
  const first: readonly Injection[] = [
    { what: "mode", why: source, text: mode.injection ?? "" },
    ...(source === "compact" ? repeatDensity(context.folder) : []),
  ];
  const landed = landRestore(input, context, measureRoom(first));
  const before = [landed.injection, ...first];
  const state = BEGINNINGS.includes(source) ? decideState(told, context, source) : KEEP_QUIET;
  const rules = decideRules(told, context, source, measureRoom([...before, state.injection]));
  const isKept = source === KEEPING;
  writeTold(context.folder, {
    ...told,
    mode: mode.state,
    rules: rules.hash || (isKept ? told.rules : ""),
    state: state.hash || (isKept ? told.state : ""),
    docs: isKept && told.docs === true,
  });
  return tell(input, context, {
    injections: [...before, rules.injection, state.injection],
    warnings: mode.warning === undefined ? [] : [mode.warning],
    deeds: landed.deeds,
  });
};

interface Decided {
  readonly injection: Injection;
  /** Of what stands in the window afterwards; empty where nothing was decided. */
  readonly hash: string;
}

const KEEP_QUIET: Decided = { injection: { what: "state", why: "", text: "" }, hash: "" };

function decideState(told: Told, context: HookContext, source: string): Decided {
  const text = renderProjectState(context);
  return decideOnce({ what: "state", why: source, text }, source === KEEPING ? told.state : "");
}

function decideRules(told: Told, context: HookContext, source: string, room: number): Decided {
  const { text } = fitRules(readRules(context), { maxTotalCharacters: Math.min(room, MAX_RULES_CHARACTERS) });
  return decideOnce({ what: "rules", why: source, text }, source === KEEPING ? told.rules : "");
}

/** A window that was kept still holds what it was told, and is told only what has changed. */
function decideOnce(injection: Injection, known: string): Decided {
  if (injection.text === "") return { injection, hash: "" };
  const hash = hashText(injection.text);
  return { injection: hash === known ? { ...injection, text: "" } : injection, hash };
}
