import type { Rows } from "../row.ts";

export const ROWS_001: Rows = {
  R7: {
    what: "reports at phase boundaries, at thresholds and before compactions",
    see: "`plimsoll health --caller cook`; event PostToolUse as a level is reached; event PreCompact",
  },
  R18: {
    what: "estimates tokens by a weight per tool",
    see: '`plimsoll health` on a session without usage; `import { estimateByToolWeights } from "plimsoll/measure"`',
    off: "it gives a median of 0.43 of the true usage",
  },
  R19: {
    what: "knows the window of each model",
    see: "`plimsoll health --json`: `windowTokens`; 200,000 for a Haiku too",
  },
  R20: {
    what: "has levels at 50, 70 and 85 % of the window",
    see: "`plimsoll health --profile percent`; event PostToolUse sends it to the model",
    setting: "profile",
  },
  R24: {
    what: "merges both printed level tables into one",
    see: "`plimsoll health --profile percent`",
    setting: "profile",
  },
  R110: {
    what: "loses nothing critical in a summary",
    see: 'type "/compact", then "Go on.": lost facts are restored; `plimsoll receipt`',
  },
  R111: {
    what: "flags sources that contradict each other, and chooses none",
    see: "two contradicting files in `.plimsoll/rules`, flagged at event SessionStart; `plimsoll lint`",
  },
  R112: {
    what: "dates facts from earlier sessions and marks them as history",
    see: "event SessionStart in a project with `.plimsoll/decisions.md`",
  },
  R186: {
    what: "has a skill that tells agents when to use what",
    see: "`cat plugin/skills/context-window/SKILL.md`; in the client the skill context-window is listed",
  },
  R187: {
    what: "reports skills and instruction files that contradict each other",
    see: "`plimsoll lint`: conflicting-rules",
  },
  R194: {
    what: "at RED tells you what only you can do",
    see: "event PostToolUse at RED: the same text on screen and in the window",
  },
};
