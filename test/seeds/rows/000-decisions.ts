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
    what: "compacts during implementation only after a finished, tested file",
    see: "`plimsoll decide implementation implementation --file-complete --tests-pass`; an early compaction waits for two exchanges after an edit or a failure",
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
    see: "`plimsoll decide research planning`; `plimsoll preview-compact` for your own session",
  },
  R76: {
    what: "keeps a call with its result",
    see: '`import { applyEdits } from "plimsoll/layers"`: refuses an edit that would separate them',
  },
  R77: {
    what: "shows what a tool's schema costs",
    see: "`plimsoll audit`: the formula next to each server's measured schemas",
  },
  R78: {
    what: "shows what an agent's description costs",
    see: "`plimsoll audit`, under Agents; a warning above 400 tokens",
  },
  R79: {
    what: "shows what instruction files cost",
    see: "`plimsoll audit`, under Instruction files; a warning above 2,000 tokens",
  },
  R80: {
    what: "shows what a skill costs when invoked",
    see: "`plimsoll audit`, under skills; a warning above 3,000 tokens",
  },
  R81: { what: "warns at ten servers", see: "`plimsoll audit --yes`" },
  R82: { what: "warns at eighty tools", see: "`plimsoll audit --yes`" },
  R83: { what: "advises calling agents by a specific type", see: "`plimsoll audit`, under What would help" },
  R84: { what: "warns at 150 lines of CLAUDE.md", see: "`plimsoll audit`, or `plimsoll lint`" },
  R86: {
    what: "compares the formula with the measured first request",
    see: "`plimsoll audit --json`: formulaTokens, baselineTokens",
  },
  R87: {
    what: "prints the Context Budget block",
    see: '`plimsoll audit`; in the client ask "how full is the context window?"',
  },
  R88: { what: "says the same in fewer words", see: '`plimsoll terse README.md --json`; typing "caveman mode"' },
  R89: {
    what: "switches terse writing on when the window is full, and off again when it is not",
    see: 'event PostToolUse at ORANGE; "Caveman mode released" after a compaction',
    setting: "density",
    off: "its rules take 288 tokens, it changed final answers to the user, and an instant compaction makes it unnecessary",
  },
  R90: {
    what: "switches terse writing on and off at your words",
    see: 'typing "caveman mode", "be brief", "/caveman"; "normal mode" ends it',
  },
  R92: {
    what: "obeys the user, at RED with a warning",
    see: 'typing "stop caveman" at RED',
    setting: "density",
  },
  R93: {
    what: "records a signal for each change of density",
    see: "a line of kind signal in `~/.claude/data/plimsoll/sessions/ID/deeds-*.jsonl`",
    setting: "density",
  },
  R94: {
    what: "pauses terse writing where full text matters",
    see: 'typing "caveman mode", then a turn in which the model runs rm -rf or force-pushes',
  },
  R95: {
    what: "never writes the first response of a task tersely",
    see: 'typing "caveman mode": the next response is in full',
  },
  R96: { what: "keeps code, errors, paths and numbers byte for byte", see: "`plimsoll terse README.md`" },
  R97: {
    what: "sends the rules of terse writing again after a compaction",
    see: 'typing "caveman mode", then /compact: event SessionStart sends them again',
  },
  R98: {
    what: "knows which words to delete and which to keep",
    see: "`plimsoll terse README.md`",
  },
  R99: {
    what: "checks bundles for four callers",
    see: "`plimsoll preview --caller team --files README.md`; any other name is refused",
  },
  R100: {
    what: "offers a quarter of the characters as a profile",
    see: "`plimsoll preview --caller team --files README.md --profile compat`",
    off: "recorded code and output has a median of 0.355 tokens per character, so a quarter is about a third too low",
  },
  R101: {
    what: "counts prompts, headings and file bodies of a bundle",
    see: "`plimsoll preview --caller team --files README.md --json`: total_chars",
  },
  R102: {
    what: "also estimates text that is not English",
    see: "`plimsoll preview --caller team --files README.md --json`: calibrated_tokens next to estimated_tokens",
  },
  R103: {
    what: "has thresholds for each caller",
    see: "`plimsoll preview --caller adversary --files README.md`: warns at, blocks at",
  },
  R104: {
    what: "proceeds, warns, or blocks with a way out",
    see: "`plimsoll preview --caller review --files README.md`; exit status 1 is a block",
  },
  R105: {
    what: "answers with the documented fields",
    see: "`plimsoll preview --caller audit --files README.md --json`",
  },
  R106: {
    what: "follows the gate's steps and saves its signal",
    see: "`plimsoll preview --caller team --files README.md --prompt task.md`, then `~/.claude/data/plimsoll/previews.jsonl`",
  },
  R107: {
    what: "reads thresholds from the environment",
    see: "`PLIMSOLL_CONTEXT_THRESHOLDS_TEAM=warn:10000,block:20000` before `plimsoll preview --caller team --files README.md`",
  },
  R108: {
    what: "fails if the bundle is already built",
    see: "`plimsoll preview --caller team --built --files README.md`",
  },
  R109: {
    what: "caps a bundle when it is sent",
    see: '`import { applyDispatchCaps } from "plimsoll/preview"`; the last line of `plimsoll preview --caller team --files README.md`',
  },
  R113: {
    what: "saves the state before every compaction",
    see: "event PreCompact, or /compact in a client with modules: `.plimsoll/progress.md` is older than the boundary",
  },
  R114: {
    what: "compacts and blocks nothing too early",
    see: "`plimsoll health --profile calls`; with that profile nothing is compacted before RED",
    setting: "profile",
  },
  R115: {
    what: "lowers the thresholds for large files",
    see: "event PostToolUse after three readings of more than 500 lines: 40, 65 and 100 calls",
    setting: "profile",
  },
  R117: {
    what: "counts, classifies, saves, then reports the load",
    see: "event PostToolUse at RED: the line says that the state is saved",
    setting: "advisories",
  },
  R118: {
    what: "leaves state files in `.plimsoll/`",
    see: "event SessionEnd, then `.plimsoll/progress.md` and the other files",
  },
  R119: {
    what: "writes state entries in the documented form",
    see: "event PostToolUse at RED, then `.plimsoll/decisions.md` and `.plimsoll/progress.md`",
  },
  R120: {
    what: "only adds entries, checks them before sending, and dates them",
    see: "event SessionStart in a project that has `.plimsoll/decisions.md`: entries with their age; tainted files by name only",
  },
  R121: {
    what: "gives a packet to a subagent (experimental)",
    see: "`plimsoll packet Check the refunds`; event SubagentStart",
    setting: "packets",
    off: "it costs up to 300 tokens per subagent, and its benefit is not measured",
  },
  R73: {
    what: "compacts a task list at a finished task, and restores it with one line",
    see: "event PostToolUse at RED with three tasks or more left; then a line that begins with Resuming",
    setting: "advisories",
  },
  R74: {
    what: "writes a pause file if no task is finished in time",
    see: "event PostToolUse at RED for 30 seconds without a finished task, then `.plimsoll/.continue-here.md`; event SessionStart sends it",
    setting: "advisories",
  },
  R75: {
    what: "does not interrupt a task list at ORANGE, or with fewer than three tasks left",
    see: "event PostToolUse at ORANGE: no pause, no line",
  },
  R85: {
    what: "suggests an audit when it is due",
    see: "event PostToolUse at YELLOW, or more than 80 tools at the start; then `plimsoll audit`",
  },
  R91: {
    what: "switches terse writing on for one workstream",
    see: "event SubagentStop; a line of kind signal in `~/.claude/data/plimsoll/sessions/ID/deeds-*.jsonl`",
  },
  R116: {
    what: "saves state, then memory, before it compacts in a task list",
    see: "event PostToolUse at RED at a finished task: `.plimsoll/progress.md`, then `.plimsoll/memory/`",
  },
};
