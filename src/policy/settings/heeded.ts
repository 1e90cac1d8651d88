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

/** What a door inside another agent's process has no use for, by the names that a person writes. */
const UNUSED_ABOARD = {
  profile: "profile",
  density: "density",
  advisories: "hasAdvisories",
  blockAtRed: "blocksAtRed",
  remindEachPrompt: "remindsEachPrompt",
  guard: "guardsIgnored",
  packets: "sendsPackets",
  stateFiles: "stateFiles",
} as const;

/** What is set and not heeded inside another agent, each in words for the person. */
export function listUnheededAboard(settings: Settings): readonly string[] {
  const unused = Object.entries(UNUSED_ABOARD)
    .filter(([, field]) => JSON.stringify(settings[field]) !== JSON.stringify(DEFAULT_SETTINGS[field]))
    .map(([name]) => `"${name}" is not heeded here: this agent's door does nothing of the kind.`);
  return [
    ...unused,
    ...(settings.compaction === "assisted" ? ['"compaction": "assisted" is "instant" here: no model is asked.'] : []),
    ...(settings.early === "ask" ? ['"early": "ask" is "remind" here: it is said, and you compact.'] : []),
  ];
}
