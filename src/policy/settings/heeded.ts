import { DEFAULT_SETTINGS, type Settings } from "./settings.ts";

/** Why the command hooks cannot heed a setting. */
const WHY = {
  compaction: "command hooks cannot answer a compaction: the client's own summary is told what to keep, and repaired",
  early: "command hooks cannot bring a compaction about: /compact does",
} as const;

/** What is set and the command hooks do not heed, each in words for the person; the module heeds everything. */
export function listUnheeded(settings: Settings): readonly string[] {
  const { compaction, early } = settings;
  const isSet = {
    compaction: compaction !== DEFAULT_SETTINGS.compaction && compaction !== "native",
    early: early !== DEFAULT_SETTINGS.early && early !== "off",
  };
  return (["compaction", "early"] as const)
    .filter((name) => isSet[name])
    .map((name) => `"${name}": "${settings[name]}" is not heeded here: ${WHY[name]}.`);
}
