import type { JsonObject } from "../../core/json.ts";
import { DEFAULT_POLICY, type PolicyName } from "../../layers/options/policy-settings.ts";

/** What a person can set, in `~/.claude/plimsoll.json` or in a project's `.plimsoll/settings.json`; every field has a default. */
export interface Settings {
  /** Who answers a compaction: the record at once, the record with a model's prose, or the client alone. */
  readonly compaction: "instant" | "assisted" | "native";
  /** How far the window is emptied to save: three places between price and what is in sight (`docs/policy.md`). */
  readonly policy: PolicyName;
  /** Compact before the client would, when the price is right. */
  readonly isEarly: boolean;
  /** Fold large tool results as they are stored. */
  readonly isFolding: boolean;
  /** Which table of levels: measured load, number of calls, percent of the window. */
  readonly profile: "measured" | "calls" | "percent";
  /** Advisories of 000 and 001 to the model. */
  readonly hasAdvisories: boolean;
  /** Refuse tool calls at a confirmed RED until the session is compacted. */
  readonly blocksAtRed: boolean;
  /** Repeat rules and the efficiency reminder on every prompt. */
  readonly remindsEachPrompt: boolean;
  /** Keep ignored folders out of the window (`.ckignore` and the defaults). */
  readonly guardsIgnored: boolean;
  /** Off: Plimsoll does nothing at all. */
  readonly isOn: boolean;
}

export const DEFAULT_SETTINGS: Settings = {
  compaction: "instant",
  policy: DEFAULT_POLICY,
  isEarly: true,
  isFolding: true,
  profile: "measured",
  hasAdvisories: true,
  blocksAtRed: false,
  remindsEachPrompt: false,
  guardsIgnored: true,
  isOn: true,
};

/** The keys as a person writes them. */
const SETTING_KEYS = {
  compaction: "compaction",
  policy: "policy",
  early: "isEarly",
  fold: "isFolding",
  profile: "profile",
  advisories: "hasAdvisories",
  blockAtRed: "blocksAtRed",
  remindEachPrompt: "remindsEachPrompt",
  guard: "guardsIgnored",
  on: "isOn",
} as const;

const CHOICES = {
  compaction: ["instant", "assisted", "native"],
  policy: ["thrifty", "balanced", "cautious"],
  profile: ["measured", "calls", "percent"],
} as const;

export interface ParsedSettings {
  readonly settings: Settings;
  /** What was written and not understood, in words for the person. */
  readonly warnings: readonly string[];
}

/** Later layers win, key by key; what is not understood is named and the default stands. */
export function parseSettings(layers: readonly JsonObject[]): ParsedSettings {
  const warnings: string[] = [];
  let settings = DEFAULT_SETTINGS;
  for (const layer of layers) {
    for (const [key, value] of Object.entries(layer)) {
      const next = applySetting(settings, key, value);
      if (typeof next === "string") warnings.push(next);
      else settings = next;
    }
  }
  return { settings, warnings };
}

function applySetting(settings: Settings, key: string, value: JsonObject[string]): Settings | string {
  if (key === "$schema") return settings;
  if (key === "compaction" || key === "profile" || key === "policy") {
    const choices: readonly string[] = CHOICES[key];
    const choice = choices.find((name) => name === value);
    return choice === undefined ? `${key}: choose one of ${CHOICES[key].join(", ")}` : { ...settings, [key]: choice };
  }
  const field = Object.entries(SETTING_KEYS).find(([name]) => name === key)?.[1];
  if (field === undefined) return `${key}: there is no such setting (${Object.keys(SETTING_KEYS).join(", ")})`;
  return typeof value === "boolean" ? { ...settings, [field]: value } : `${key}: write true or false`;
}
