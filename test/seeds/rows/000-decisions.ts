import type { Rows } from "../row.ts";

/** Seed 000 from its decision table on, with the components that it leans on. */
export const ROWS_000_DECISIONS: Rows = {
  R65: { what: "compact after research", see: "`plimsoll decide research planning`", setting: "moments" },
  R66: {
    what: "compact after planning, once the plan is a file",
    see: "`plimsoll decide planning implementation --plan-file plan.md`",
    setting: "moments",
  },
  R67: { what: "compact after debugging", see: "`plimsoll decide debug next-feature`", setting: "moments" },
  R68: {
    what: "amid implementation only behind a finished, tested file",
    see: "`plimsoll decide implementation implementation --file-complete --tests-pass`; an early compaction waits for two exchanges after an edit or a failure",
    setting: "moments",
  },
  R69: {
    what: "compact when an approach is given up",
    see: "`plimsoll decide implementation pivot`",
    setting: "moments",
  },
  R70: { what: "never between quality and verification", see: "`plimsoll decide quality verify`", setting: "moments" },
  R71: { what: "compact after a commit", see: "`plimsoll decide commit next-feature`", setting: "moments" },
  R72: {
    what: "what survives a compaction and what is lost",
    see: "`plimsoll decide research planning`; `plimsoll preview-compact` for your own session",
  },
  R76: {
    what: "a call and its result stay together",
    see: '`import { applyEdits } from "plimsoll/layers"`: an edit that would part them is refused with its reason',
  },
  R77: {
    what: "what a tool's schema costs",
    see: "`plimsoll audit`: the formula next to what each server's schemas weigh",
  },
  R78: { what: "what an agent's description costs", see: "`plimsoll audit`, under Agents; a warning above 400 tokens" },
  R79: {
    what: "what instruction files cost",
    see: "`plimsoll audit`, under Instruction files; a warning above 2,000 tokens",
  },
  R80: {
    what: "what a skill costs when it is invoked",
    see: "`plimsoll audit`, under skills; a warning above 3,000 tokens",
  },
  R81: { what: "ten servers are too many", see: "`plimsoll audit --yes`" },
  R82: { what: "eighty tools are too many", see: "`plimsoll audit --yes`" },
  R83: { what: "agents are called by a specific type", see: "`plimsoll audit`, under What would help" },
  R84: { what: "150 lines of CLAUDE.md are too many", see: "`plimsoll audit`, or `plimsoll lint`" },
  R86: {
    what: "the formula, and the first request's measured size",
    see: "`plimsoll audit --json`: formulaTokens, baselineTokens",
  },
  R87: {
    what: "the Context Budget block",
    see: '`plimsoll audit`; in the client ask "how full is the context window?"',
  },
  R88: { what: "the same said in fewer words", see: '`plimsoll terse README.md --json`; typing "caveman mode"' },
  R89: {
    what: "terse writing switched on by a full window, off again by room",
    see: 'event PostToolUse at ORANGE; "Caveman mode released" after a compaction',
    setting: "density",
    off: "its rules weigh 288 tokens, it changed final answers to the person, and an instant compaction takes its reason away",
  },
  R90: {
    what: "switched on and off by words",
    see: 'typing "caveman mode", "be brief", "/caveman"; "normal mode" ends it',
  },
  R92: {
    what: "the user's word wins, at RED with a warning",
    see: 'typing "stop caveman" at RED',
    setting: "density",
  },
  R93: {
    what: "the signal of each change of density",
    see: "a line of kind signal in `~/.claude/data/plimsoll/sessions/ID/deeds-*.jsonl`",
    setting: "density",
  },
  R94: {
    what: "in full where it matters",
    see: 'typing "caveman mode", then a turn in which the model runs rm -rf or force-pushes',
  },
  R95: {
    what: "never in a task's first response",
    see: 'typing "caveman mode": the next response is asked for in full',
  },
  R96: { what: "code, errors, paths and figures byte for byte", see: "`plimsoll terse README.md`" },
  R97: {
    what: "the rules sent again after a compaction",
    see: 'typing "caveman mode", then /compact: event SessionStart sends them again',
  },
  R98: {
    what: "which words go and which stay",
    see: "`plimsoll terse README.md`",
  },
  R99: {
    what: "four callers ask before they build",
    see: "`plimsoll preview --caller team --files README.md`; any other name is refused",
  },
  R100: {
    what: "a quarter of the characters, as a profile",
    see: "`plimsoll preview --caller team --files README.md --profile compat`",
    off: "recorded code and output has 0.355 tokens a character in the median: a quarter is about a third too little",
  },
  R101: {
    what: "prompts, headings and bodies all count",
    see: "`plimsoll preview --caller team --files README.md --json`: total_chars",
  },
  R102: {
    what: "text that is not English",
    see: "`plimsoll preview --caller team --files README.md --json`: calibrated_tokens next to estimated_tokens",
  },
  R103: {
    what: "thresholds of each caller",
    see: "`plimsoll preview --caller adversary --files README.md`: warns at, blocks at",
  },
  R104: {
    what: "go on, warn, or block with the way out",
    see: "`plimsoll preview --caller review --files README.md`; exit status 1 is a block",
  },
  R105: { what: "the answer's fields", see: "`plimsoll preview --caller audit --files README.md --json`" },
  R106: {
    what: "the gate's steps, its signal written down",
    see: "`plimsoll preview --caller team --files README.md --prompt task.md`, then `~/.claude/data/plimsoll/previews.jsonl`",
  },
  R107: {
    what: "thresholds by environment",
    see: "`PLIMSOLL_CONTEXT_THRESHOLDS_TEAM=warn:10000,block:20000` before `plimsoll preview --caller team --files README.md`",
  },
  R108: { what: "too late to ask is an error", see: "`plimsoll preview --caller team --built --files README.md`" },
  R109: {
    what: "caps that hold when a bundle is sent",
    see: '`import { applyDispatchCaps } from "plimsoll/preview"`; the last line of `plimsoll preview --caller team --files README.md`',
  },
  R113: {
    what: "no compaction without saved state",
    see: "event PreCompact, or /compact in a client with modules: `.plimsoll/progress.md` is older than the boundary",
  },
  R114: {
    what: "nothing compacted or blocked before its time",
    see: "`plimsoll health --profile calls`; with that profile nothing is compacted before RED",
    setting: "profile",
  },
  R115: {
    what: "large files lower the thresholds",
    see: "event PostToolUse after three readings of more than 500 lines: 40, 65 and 100 calls",
    setting: "profile",
  },
  R117: {
    what: "counted, classified, saved, then reported",
    see: "event PostToolUse at RED: the line says that the state is saved",
    setting: "advisories",
  },
  R118: {
    what: "what a session leaves in `.plimsoll/`",
    see: "event SessionEnd, then `.plimsoll/progress.md` and its neighbours",
  },
  R119: {
    what: "the form of its entries",
    see: "event PostToolUse at RED, then `.plimsoll/decisions.md` and `.plimsoll/progress.md`",
  },
  R120: {
    what: "added to and never overwritten, checked before it is sent, dated",
    see: "event SessionStart in a project that has `.plimsoll/decisions.md`: entries with their age, tainted ones named only",
  },
  R121: {
    what: "a packet for a subagent (experimental)",
    see: "`plimsoll packet Check the refunds`; event SubagentStart",
    setting: "packets",
    off: "below 300 tokens a subagent, for what the prompt of a good delegation says already; whether it pays is not measured",
  },
  R73: {
    what: "a list of work compacted at a finished item, and brought back by one line",
    see: "event PostToolUse at RED with three items or more to go; after the compaction a line that begins with Resuming",
    setting: "advisories",
  },
  R74: {
    what: "a pause written down where no item is finished in time",
    see: "event PostToolUse at RED for 30 seconds without a finished item, then `.plimsoll/.continue-here.md`; event SessionStart sends it",
    setting: "advisories",
  },
  R75: {
    what: "left alone at ORANGE, or with fewer than three items to go",
    see: "event PostToolUse at ORANGE: no pause, no line",
  },
  R85: {
    what: "an audit named when it is due",
    see: "event PostToolUse at YELLOW, or more than 80 tools at the start; then `plimsoll audit`",
  },
  R91: {
    what: "terse writing of one workstream",
    see: "event SubagentStop; a line of kind signal in `~/.claude/data/plimsoll/sessions/ID/deeds-*.jsonl`",
  },
  R116: {
    what: "state, then memory, before a compaction amid a list",
    see: "event PostToolUse at RED at a finished item: `.plimsoll/progress.md`, then `.plimsoll/memory/`",
  },
};
