import type { Rows } from "../row.ts";

export const ROWS_001: Rows = {
  R7: {
    what: "runs at boundaries of the work, at thresholds, before compactions",
    see: "`plimsoll health --caller cook`; event PostToolUse as a level is reached; event PreCompact",
  },
  R18: {
    what: "tokens by weights per tool",
    see: '`plimsoll health` on a session without usage; `import { estimateByToolWeights } from "plimsoll/measure"`',
    off: "decides nothing: a median of 0.43 of the true usage",
  },
  R19: { what: "the window by model", see: "`plimsoll health --json`: `windowTokens`; 200,000 for a Haiku too" },
  R20: {
    what: "levels at 50, 70 and 85 % of the window",
    see: "`plimsoll health --profile percent`; event PostToolUse tells the model",
    setting: "profile",
  },
  R24: { what: "both printed tables are one", see: "`plimsoll health --profile percent`", setting: "profile" },
  R110: {
    what: "nothing critical is summarised away",
    see: 'type "/compact", then "Go on.": what was lost is put back; `plimsoll receipt`',
  },
  R111: {
    what: "sources that contradict each other are flagged, none is picked",
    see: "two files in `.plimsoll/rules` that disagree, sent with a flag at event SessionStart; `plimsoll lint`",
  },
  R112: {
    what: "what comes from earlier sessions is dated and marked as history",
    see: "event SessionStart in a project with `.plimsoll/decisions.md`",
  },
  R186: {
    what: "a skill that tells agents when to ask for what",
    see: "`cat plugin/skills/context-window/SKILL.md`; in the client the skill context-window is listed",
  },
  R187: { what: "skills that contradict each other, or instruction files", see: "`plimsoll lint`: conflicting-rules" },
  R194: {
    what: "at RED the person is told what only a person can do",
    see: "event PostToolUse at RED: the same words on the screen and in the window",
  },
};
