import type { Rows } from "../row.ts";

/** Seed 000 from its decision table on, with the components that it leans on. */
export const ROWS_000_DECISIONS: Rows = {
  R65: { what: "advises compacting after research", see: "`plimsoll decide research planning`", setting: "moments" },
  R66: {
    what: "advises compacting after planning, once the plan is a file",
    see: "`plimsoll decide planning implementation --plan-file plan.md`",
    setting: "moments",
  },
  R67: { what: "advises compacting after debugging", see: "`plimsoll decide debug next-feature`", setting: "moments" },
  R68: {
    what: "compacts during implementation only after a tested file",
    see: "`plimsoll decide implementation implementation --file-complete --tests-pass`; early compactions wait two exchanges after an edit or failure",
    setting: "moments",
  },
  R69: {
    what: "advises compacting when an approach is abandoned",
    see: "`plimsoll decide implementation pivot`",
    setting: "moments",
  },
  R70: {
    what: "never compacts between quality and verification",
    see: "`plimsoll decide quality verify`",
    setting: "moments",
  },
  R71: { what: "advises compacting after a commit", see: "`plimsoll decide commit next-feature`", setting: "moments" },
  R72: {
    what: "lists what survives a compaction and what is lost",
    see: "`plimsoll decide research planning`; `plimsoll preview-compact`",
  },
  R73: {
    what: "compacts a task list at a finished task, and restores it with one line",
    see: "event PostToolUse at RED with three tasks left",
    setting: "advisories",
  },
  R74: {
    what: "writes a pause file if no task is finished in time",
    see: "event PostToolUse at RED for 30 seconds; `.plimsoll/.continue-here.md`",
    setting: "advisories",
  },
  R75: {
    what: "does not interrupt a task list at ORANGE, or near its end",
    see: "event PostToolUse at ORANGE",
  },
  R76: { what: "keeps a call with its result", see: "`applyEdits` of `plimsoll/layers`" },
  R77: { what: "shows what a tool's schema costs", see: "`plimsoll audit`" },
  R78: { what: "shows what an agent's description costs, and warns above 400 tokens", see: "`plimsoll audit`" },
  R79: { what: "shows what instruction files cost, and warns above 2,000 tokens", see: "`plimsoll audit`" },
  R80: { what: "shows what a skill costs when invoked, and warns above 3,000 tokens", see: "`plimsoll audit`" },
  R81: { what: "warns at ten servers", see: "`plimsoll audit --yes`" },
  R82: { what: "at eighty tools", see: "`plimsoll audit --yes`" },
  R83: { what: "advises calling agents by a specific type", see: "`plimsoll audit`" },
  R84: { what: "warns at 150 lines of CLAUDE.md", see: "`plimsoll audit`" },
  R85: { what: "suggests an audit when it is due", see: "event PostToolUse at YELLOW, or 80 tools at the start" },
  R86: { what: "compares the formula with the measured first request", see: "`plimsoll audit --json`" },
  R87: { what: "prints the Context Budget block", see: '`plimsoll audit`; type "How full is the context window?"' },
  R88: { what: "says the same in fewer words", see: "`plimsoll terse README.md`" },
  R89: {
    what: "switches terse writing on when the window is full, and off again",
    see: "event PostToolUse at ORANGE, then a compaction",
    setting: "density",
    off: "its rules take 289 tokens; see R29",
  },
  R90: {
    what: "switches terse writing on and off at your words",
    see: 'type "caveman mode", "be brief" or "/caveman"; then "normal mode"',
  },
  R91: {
    what: "switches terse writing on for one workstream",
    see: "event SubagentStop; `~/.claude/data/plimsoll/sessions/ID/deeds-*.jsonl`",
  },
  R92: { what: "obeys the user, at RED with a warning", see: 'type "stop caveman" at RED', setting: "density" },
  R93: { what: "records a signal for each change of density", see: "the journal, as for R91", setting: "density" },
  R94: { what: "pauses terse writing where full text matters", see: 'type "caveman mode"; the model then runs rm -rf' },
  R95: { what: "never writes the first response of a task tersely", see: 'type "caveman mode"' },
  R96: { what: "keeps code, errors, paths and numbers byte for byte", see: "`plimsoll terse README.md`" },
  R97: { what: "sends the rules of terse writing again after a compaction", see: 'type "caveman mode", then /compact' },
  R98: { what: "knows which words to delete and which to keep", see: "`plimsoll terse README.md`" },
  R99: {
    what: "checks bundles for four callers, and refuses others",
    see: "`plimsoll preview --caller team --files README.md`",
  },
  R100: {
    what: "offers a quarter of the characters as a profile",
    see: "`plimsoll preview --caller team --files README.md --profile compat`",
    off: "about a third too low for recorded code and output",
  },
  R101: {
    what: "counts prompts, headings and file bodies of a bundle",
    see: "`plimsoll preview --caller team --files README.md --json`",
  },
  R102: {
    what: "also estimates text that is not English",
    see: "`plimsoll preview --caller team --files README.md --json`",
  },
  R103: { what: "has thresholds for each caller", see: "`plimsoll preview --caller team --files README.md --json`" },
  R104: {
    what: "proceeds, warns, or blocks (exit status 1) with a way out",
    see: "`plimsoll preview --caller team --files README.md --json`",
  },
  R105: {
    what: "answers with the documented fields",
    see: "`plimsoll preview --caller team --files README.md --json`",
  },
  R106: {
    what: "follows the gate's steps and saves its signal",
    see: "`plimsoll preview --caller team --files README.md --prompt task.md`; `~/.claude/data/plimsoll/previews.jsonl`",
  },
  R107: {
    what: "reads thresholds from the environment",
    see: "`PLIMSOLL_CONTEXT_THRESHOLDS_TEAM=warn:10000,block:20000` before that command",
  },
  R108: {
    what: "fails if the bundle is already built",
    see: "`plimsoll preview --caller team --built --files README.md`",
  },
  R109: {
    what: "caps a bundle when it is sent",
    see: "`applyDispatchCaps` of `plimsoll/preview`; `plimsoll preview --dispatch`",
  },
  R113: { what: "saves the state before every compaction", see: "event PreCompact, then `.plimsoll/progress.md`" },
  R114: { what: "compacts and blocks nothing too early", see: "`plimsoll health --profile calls`", setting: "profile" },
  R115: {
    what: "lowers the thresholds for large files",
    see: "event PostToolUse after three large reads",
    setting: "profile",
  },
  R116: {
    what: "saves state, then memory, before it compacts in a task list",
    see: "event PostToolUse at RED at a finished task; `.plimsoll/progress.md`, `.plimsoll/memory/`",
  },
  R117: {
    what: "counts, classifies, saves, then reports the load",
    see: "event PostToolUse at RED",
    setting: "advisories",
  },
  R118: { what: "leaves state files in `.plimsoll/`", see: "event SessionEnd, then `ls .plimsoll/`" },
  R119: { what: "writes state entries in the documented form", see: "`cat .plimsoll/decisions.md` after RED" },
  R120: {
    what: "only adds entries, checks them before sending, and dates them",
    see: "event SessionStart with a `.plimsoll/decisions.md`",
  },
  R121: {
    what: "gives a packet to a subagent (experimental)",
    see: "`plimsoll packet Check the refunds`; event SubagentStart",
    setting: "packets",
    off: "up to 300 tokens per subagent, benefit not measured",
  },
};
