import { DEFAULT_SETTINGS, type Settings } from "./settings.ts";

/** Why the command hooks cannot heed a setting, and what happens there anyway: to set that is to set nothing. */
const UNHEEDED = {
  compaction: {
    why: "command hooks cannot answer a compaction: the client's own summary is told what to keep, and repaired",
    anyway: "native",
  },
  early: { why: "command hooks cannot bring a compaction about: /compact does", anyway: "off" },
  moments: { why: "command hooks cannot bring a compaction about, so there is no moment to choose", anyway: undefined },
  objective: { why: "command hooks cannot bring a compaction about, so there is nothing to weigh", anyway: undefined },
} as const;

/** What is set and the command hooks do not heed, each in words for the person; the module heeds everything. */
export function listUnheeded(settings: Settings): readonly string[] {
  return (["compaction", "early", "moments", "objective"] as const)
    .filter((name) => settings[name] !== DEFAULT_SETTINGS[name] && settings[name] !== UNHEEDED[name].anyway)
    .map((name) => `"${name}": "${settings[name]}" is not heeded here: ${UNHEEDED[name].why}.`);
}
