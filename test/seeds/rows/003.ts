import type { Rows } from "../row.ts";

export const ROWS_003: Rows = {
  R156: {
    what: "works with the client's compaction, and changes no transcript",
    see: "event PreCompact, event PostCompact",
    setting: "compaction",
  },
  R157: {
    what: "looks for finished tasks after Bash, Write, Edit",
    see: "event PostToolUse; `~/.claude/data/context_queue`",
  },
  R158: {
    what: "and every ten requests",
    see: "event PostToolUse; `~/.claude/data/context_queue`",
  },
  R159: { what: "looks for finished tasks from 70 % of the load line on", see: "event PostToolUse", setting: "line" },
  R160: { what: "measures the load by usage, not by characters", see: "`plimsoll health`" },
  R161: {
    what: "treats a task as cold if it ended more than 20 requests ago and was not mentioned since",
    see: "`plimsoll state --cold list --json`",
  },
  R162: { what: "saves the task's files, commands, outcomes and errors", see: "`plimsoll state --cold list --json`" },
  R163: { what: "writes one summary file per finished task, once", see: "event PostToolUse" },
  R164: {
    what: "names summary files by session and task, in the pipeline's folder",
    see: "`ls ~/.claude/data/compressed_context`",
  },
  R165: { what: "writes ten fields in each summary", see: "`plimsoll state --cold list --json`" },
  R166: {
    what: "prints the preservation block once before every compaction",
    see: "event PreCompact; `plimsoll preserve --trigger manual`",
  },
  R167: { what: "tells the summarising model what must survive", see: "event PreCompact", setting: "compaction" },
  R168: { what: "preserves ten open tasks, those in progress first", see: "`plimsoll preserve`" },
  R169: { what: "twenty modified files, the most recent first", see: "`plimsoll preserve`" },
  R170: { what: "five test commands", see: "`plimsoll preserve`" },
  R171: { what: "fifteen decisions in their own words", see: "`plimsoll preserve`" },
  R172: { what: "eight recent errors, also of commands that exit with status 0", see: "`plimsoll preserve`" },
  R173: {
    what: "what this session's edits changed since its last commit, in the form of git's statistics",
    see: "`plimsoll preserve`",
  },
  R174: { what: "the summaries of finished tasks", see: "`plimsoll preserve`" },
  R175: { what: "connects a task's calls by its id", see: "`plimsoll state`" },
  R176: { what: "omits empty sections of the preservation block", see: "`plimsoll preserve`" },
  R177: { what: "adds eight rules for the summarising model", see: "`plimsoll preserve`" },
  R178: {
    what: "checks and summarises silently until the compaction",
    see: "event PostToolUse, then event PreCompact",
  },
  R179: { what: "states its limits", see: '[README](../README.md), "What it does not do"' },
  R180: { what: "recommends delegation for very long sessions", see: '[README](../README.md), "What it does not do"' },
  R181: { what: "stores when it last checked each session", see: "`ls ~/.claude/data/context_queue`" },
  R182: {
    what: "can list, clear, reset and expire summaries",
    see: "`plimsoll state --cold list`; `clear`, `reset`, `expire`",
  },
  R183: {
    what: "exits with status 0 and one line after a failure",
    see: "a file in place of `~/.claude/data/compressed_context`; `plimsoll doctor`",
  },
  R184: {
    what: "reports after a compaction its summaries and the lost facts",
    see: "event PostCompact; `plimsoll receipt`",
  },
  R185: { what: "keeps only fixed errors, each with its fix", see: "`plimsoll state --json`: `resolvedBy`" },
  R193: { what: "lists the summaries of one session", see: "`plimsoll state --cold list --session 1`" },
  R195: { what: "names the task or file at whose end a compaction is safe", see: "`plimsoll health` at ORANGE" },
  R196: { what: "recognises the boundary in the session, or says that it is not known", see: "`plimsoll decide`" },
  R197: { what: "says only what is right", see: "`plimsoll state --why`; `plimsoll state --perhaps` for guesses" },
  R198: {
    what: "takes a mode from its file at once, also if a program wrote it",
    see: "`echo dev > .plimsoll/active-context.md`",
  },
  R199: { what: "asks a worker whose report is too long to be brief", see: "event PostToolUse of two long reports" },
  R200: { what: "keeps terse writing until you lift it", see: "type /caveman, compact, resume, type /caveman off" },
  R201: {
    what: "folds a subagent's results, and compacts its window when the client asks",
    see: "type /plimsoll why after a long subagent",
  },
  R202: {
    what: "announces an expensive worker before it is sent",
    see: "event PreToolUse of an Agent with a long prompt",
  },
  R204: { what: "keeps what you mark over compactions", see: "type plimsoll keep TEXT, then plimsoll lift 1" },
  R205: { what: "measures its own compactions", see: "`plimsoll explain --compactions`" },
  R207: { what: "checks the known failure modes", see: "`plimsoll explain --check`" },
};
