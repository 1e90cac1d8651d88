import type { JsonObject } from "../../core/json.ts";
import { DEFAULT_POLICY, type PolicyName } from "../../layers/options/policy-settings.ts";
import { DEFAULT_SEGMENTS, STATUS_SEGMENTS, type StatusSegment } from "../../measure/status-line.ts";
import { STATE_FILES, type StateFile } from "../../survive/project-state/state-files.ts";
import type { Moments } from "../advice/rule-moment.ts";
import { DEFAULT_OBJECTIVE, OBJECTIVES, type Objective } from "../objective.ts";

/** What to do when a compaction ahead of the client's own pays: make it, ask, say so, or nothing. */
export type Early = "price" | "ask" | "remind" | "off";

/** What to do with the first prompt after a break above an hour: ask, compact first, or go on with the whole window. */
export const AFTER_BREAK = ["ask", "compact", "continue"] as const;
export type AfterBreak = (typeof AFTER_BREAK)[number];

/** User settings, from `~/.claude/plimsoll.json` or a project's `.plimsoll/settings.json`. Every field has a default. */
export interface Settings {
  /** How a compaction is answered: with the record at once, with the record and a model's prose, or by the client alone. */
  readonly compaction: "instant" | "assisted" | "native";
  /** How much is removed to save cost: three trade-offs between price and visible context (`docs/research/policy.md`). */
  readonly policy: PolicyName;
  /** Ask the model, shortly before a compaction, for a note in its own words. Off: no model is ever asked. */
  readonly hasNote: boolean;
  /** Compact before the client would, if the price is right. */
  readonly early: Early;
  /** After a break: `compact` is what a person agrees to once, for all large windows that are no longer cached. */
  readonly afterBreak: AfterBreak;
  /** When that may happen: wherever the decision table allows it, only at boundaries of the work, or only when the user begins a turn. */
  readonly moments: Exclude<Moments, "any">;
  /** What an early compaction is to save: dollars, or what a subscription counts. */
  readonly objective: Objective;
  /** The user's own compaction point, at any price and window size; `null` for none. */
  readonly lineTokens: number | null;
  readonly isFolding: boolean;
  /** Fold every fifth result of a command class, into one artifact with the four before it. */
  readonly combinesOutputs: boolean;
  /** What a fold shows: the important lines for its kind, or the first ten lines. */
  readonly preview: "content" | "classic";
  /** Which table of levels: measured load, number of calls, percent of the window. */
  readonly profile: "measured" | "calls" | "percent";
  /** What may switch terse writing on: only the user's own words, or a full window as well. */
  readonly density: "asked" | "auto";
  /** The model may say that a piece of work is done, so that the window is compacted then if that pays. */
  readonly mayAsk: boolean;
  /** Give the model the advisories of seeds 000 and 001. */
  readonly hasAdvisories: boolean;
  /** Refuse tool calls at a confirmed RED until the session is compacted. */
  readonly blocksAtRed: boolean;
  readonly remindsEachPrompt: boolean;
  /** Keep ignored folders out of the window (`.ckignore` and the defaults). */
  readonly guardsIgnored: boolean;
  /** Tell a subagent at its start what its session decided, was told and tried. */
  readonly sendsPackets: boolean;
  /** Whether tools that recorded sessions never called wait behind the client's tool search. */
  readonly base: "trim" | "keep";
  /** Which files of the project's state are written. The others are still read. */
  readonly stateFiles: readonly StateFile[];
  /** What the status line of the command hooks shows, in this order. */
  readonly statusLine: readonly StatusSegment[];
  /** Off: Plimsoll does nothing at all. */
  readonly isOn: boolean;
}

/** Two readers judged the entries of these files: fewer than eight in ten were right, or too few were found to say (`docs/reference/modes.md`). */
const SELDOM_RIGHT: readonly StateFile[] = ["conventions.md", "instincts.md", "session-log.md"];

const DEFAULT_STATE_FILES: readonly StateFile[] = STATE_FILES.filter((file) => !SELDOM_RIGHT.includes(file));

export const DEFAULT_SETTINGS: Settings = {
  compaction: "instant",
  hasNote: false,
  policy: DEFAULT_POLICY,
  early: "price",
  afterBreak: "ask",
  moments: "table",
  objective: DEFAULT_OBJECTIVE,
  lineTokens: null,
  isFolding: true,
  combinesOutputs: false,
  preview: "content",
  profile: "measured",
  density: "asked",
  mayAsk: true,
  hasAdvisories: true,
  blocksAtRed: false,
  remindsEachPrompt: false,
  guardsIgnored: true,
  sendsPackets: false,
  base: "trim",
  stateFiles: DEFAULT_STATE_FILES,
  statusLine: DEFAULT_SEGMENTS,
  isOn: true,
};

const CHOICES = {
  compaction: ["instant", "assisted", "native"],
  policy: ["thrifty", "balanced", "cautious"],
  early: ["price", "ask", "remind", "off"],
  afterBreak: AFTER_BREAK,
  moments: ["table", "boundaries", "turns"],
  objective: OBJECTIVES,
  preview: ["content", "classic"],
  profile: ["measured", "calls", "percent"],
  density: ["asked", "auto"],
  base: ["trim", "keep"],
} as const;

/** The switches, by the names that a user writes. */
const SWITCHES = {
  fold: "isFolding",
  note: "hasNote",
  combine: "combinesOutputs",
  mayAsk: "mayAsk",
  advisories: "hasAdvisories",
  blockAtRed: "blocksAtRed",
  remindEachPrompt: "remindsEachPrompt",
  guard: "guardsIgnored",
  packets: "sendsPackets",
  on: "isOn",
} as const;

const KEYS = [...Object.keys(CHOICES), "line", "stateFiles", "statusLine", ...Object.keys(SWITCHES)];

/** Later layers win, key by key. A value not understood is reported and the default stays. From `projectFrom` on, the layers are a project's. */
export function parseSettings(
  layers: readonly JsonObject[],
  projectFrom: number = layers.length,
): { readonly settings: Settings; readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  let settings = DEFAULT_SETTINGS;
  for (const [index, layer] of layers.entries())
    for (const [key, value] of Object.entries(layer)) {
      if (key === "$schema") continue;
      const parsed = parseSetting(key, value);
      if (typeof parsed === "string") {
        warnings.push(`${key}: ${parsed}`);
        continue;
      }
      const next = { ...settings, ...parsed };
      // A project may come from anyone.
      if (index < projectFrom || !isLoosening(settings, next, key in (layers[0] ?? {}))) settings = next;
      else warnings.push(`${key}: a project can only tighten this setting`);
    }
  return { settings, warnings };
}

/** What a setting changes; a sentence on what to write if its value is wrong. */
function parseSetting(key: string, value: JsonObject[string]): Partial<Settings> | string {
  if (key === "line") {
    const lineTokens = value === false || value === null ? null : parseLine(value);
    return typeof lineTokens === "string" ? lineTokens : { lineTokens };
  }
  if (key === "stateFiles") {
    const stateFiles = parseStateFiles(value);
    return typeof stateFiles === "string" ? stateFiles : { stateFiles };
  }
  if (key === "statusLine") {
    const statusLine = pickItems(value, (name) => STATUS_SEGMENTS.find((segment) => segment === name)) ?? [];
    return statusLine.length > 0 ? { statusLine } : `write a list of ${STATUS_SEGMENTS.join(", ")}`;
  }
  // Earlier versions had a boolean here.
  if (key === "early" && typeof value === "boolean") return { early: value ? "price" : "off" };
  const choices = Object.entries(CHOICES).find(([name]) => name === key)?.[1];
  if (choices !== undefined) {
    const choice = choices.find((name) => name === value);
    return choice === undefined ? `choose one of ${choices.join(", ")}` : { [key]: choice };
  }
  const field = Object.entries(SWITCHES).find(([name]) => name === key)?.[1];
  if (field === undefined) return `unknown setting (known settings: ${KEYS.join(", ")})`;
  return typeof value === "boolean" ? { [field]: value } : "write true or false";
}

/** The items that a list names; `undefined` if it is no list, or names something else. */
function pickItems<Item>(value: unknown, find: (name: unknown) => Item | undefined): readonly Item[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.map(find).filter((item) => item !== undefined);
  return items.length === value.length ? items : undefined;
}

/** A setting and its values, from the one that allows the least without the user to the one that allows the most. */
type Order = readonly [name: keyof Settings, ...values: unknown[]];

/** These protect the user from what a project brings along, and from what it would have them pay. */
const PROTECTION: readonly Order[] = [
  ["guardsIgnored", true, false],
  ["isOn", true, false],
  ["hasNote", false, true],
];
const ASKED: readonly Order[] = [
  ["early", "off", "remind", "ask", "price"],
  ["afterBreak", "continue", "ask", "compact"],
  ["density", "asked", "auto"],
  ["base", "keep", "trim"],
  ["blocksAtRed", true, false],
  ["sendsPackets", false, true],
];

/** Whether a project's setting would allow more than the user has, for what the user set and for what always protects them. The rest is taste. */
function isLoosening(before: Settings, after: Settings, isSet: boolean): boolean {
  return (isSet ? [...PROTECTION, ...ASKED] : PROTECTION).some(
    ([name, ...values]) => values.indexOf(after[name]) > values.indexOf(before[name]),
  );
}

/** Parses file names, with or without their ending; `true` for all, `false` for none. Returns a sentence on what to write if the value is wrong. */
export function parseStateFiles(value: unknown): readonly StateFile[] | string {
  if (typeof value === "boolean") return value ? STATE_FILES : [];
  const find = (name: unknown): StateFile | undefined =>
    STATE_FILES.find((file) => file === name || file.replace(/\.\w+$/, "") === name);
  return pickItems(value, find) ?? `write true, false or a list of ${STATE_FILES.join(", ")}`;
}

/** The client's own prompt and tools, with a little room to work in. A lower line could never be kept. */
const LEAST_LINE_TOKENS = 40_000;
const UNITS: Readonly<Record<string, number>> = { "": 1, k: 1000, m: 1_000_000 };

/** Parses a number of tokens (`120000`, `"120k"`, `"0.5M"`). Returns a sentence on what to write if the value is wrong. */
export function parseLine(value: unknown): number | string {
  const tokens = typeof value === "number" ? value : typeof value === "string" ? parseText(value) : Number.NaN;
  if (!Number.isFinite(tokens)) return 'write a number of tokens, such as 120000 or "120k"';
  if (tokens < LEAST_LINE_TOKENS)
    return `write ${LEAST_LINE_TOKENS} or more, because the client's own prompt and tools take nearly that much`;
  return Math.round(tokens);
}

function parseText(text: string): number {
  const [, digits, unit = ""] = /^\s*(\d{1,9}(?:\.\d{1,6})?)\s*([km]?)\s*$/i.exec(text) ?? [];
  return digits === undefined ? Number.NaN : Number(digits) * (UNITS[unit.toLowerCase()] ?? Number.NaN);
}

/** Settings that the command hooks cannot follow: why, and what happens there instead. */
const UNHEEDED = [
  [
    "compaction",
    "command hooks cannot replace the client's summary; they only give hints for it and put back what it lost",
    "native",
  ],
  ["early", "command hooks cannot start a compaction; run /compact yourself", "off"],
  ["afterBreak", "command hooks cannot start a compaction; run /compact yourself", "continue"],
  ["moments", "command hooks cannot start a compaction, so there is no moment to choose", undefined],
  ["objective", "command hooks cannot start a compaction, so there are no costs to compare", undefined],
  ["base", "command hooks leave every tool where it is", undefined],
  ["mayAsk", "command hooks cannot start a compaction, so the model is not offered to ask for one", undefined],
] as const;

/** Sentences on the settings that were made and that the command hooks ignore. The module follows all of them. */
export function listUnheeded(settings: Settings): readonly string[] {
  const ignored = UNHEEDED.filter(
    ([name, , anyway]) => settings[name] !== DEFAULT_SETTINGS[name] && settings[name] !== anyway,
  ).map(([name, why]) => `"${name}": "${settings[name]}" has no effect here: ${why}.`);
  return settings.hasNote
    ? [...ignored, '"note": true has no effect here: command hooks cannot ask the model over its own conversation.']
    : ignored;
}

/** Settings without a use inside another agent's process, by the names that a user writes. */
const UNUSED_IN_AGENT = {
  afterBreak: "afterBreak",
  note: "hasNote",
  profile: "profile",
  density: "density",
  base: "base",
  mayAsk: "mayAsk",
  advisories: "hasAdvisories",
  blockAtRed: "blocksAtRed",
  remindEachPrompt: "remindsEachPrompt",
  guard: "guardsIgnored",
  packets: "sendsPackets",
  stateFiles: "stateFiles",
} as const;

/** Sentences on the settings that were made and are ignored inside another agent. */
export function listUnheededInAgent(settings: Settings): readonly string[] {
  const unused = Object.entries(UNUSED_IN_AGENT)
    .filter(([, field]) => JSON.stringify(settings[field]) !== JSON.stringify(DEFAULT_SETTINGS[field]))
    .map(([name]) => `"${name}" has no effect here: Plimsoll does not support this setting in this agent.`);
  return [
    ...unused,
    ...(settings.compaction === "assisted" ? ['"compaction": "assisted" works like "instant" here.'] : []),
    ...(settings.early === "ask" ? ['"early": "ask" works like "remind" here: you run /compact.'] : []),
  ];
}
