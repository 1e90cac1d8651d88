import type { Rows } from "../row.ts";

export const ROWS_001: Rows = {
  R110: { what: "loses nothing critical in a summary", see: "/compact, then `plimsoll receipt`" },
  R111: {
    what: "flags sources that contradict each other, and chooses none",
    see: "`plimsoll lint`; event SessionStart with contradicting files in `.plimsoll/rules`",
  },
  R112: {
    what: "dates facts from earlier sessions and marks them as history",
    see: "event SessionStart with a `.plimsoll/decisions.md`",
  },
  R186: { what: "has a skill that tells agents when to use what", see: "`cat plugin/skills/context-window/SKILL.md`" },
  R187: { what: "reports skills and instruction files that contradict each other", see: "`plimsoll lint`" },
  R194: { what: "at RED tells you what only you can do", see: "event PostToolUse at RED" },
};
